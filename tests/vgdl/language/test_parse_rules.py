from __future__ import annotations

import pytest
from support.vgdl import game, text

from ggtp.vgdl.language.parse import survey
from ggtp.vgdl.language.vocabulary import Effect, End

SPRITES = "a > Passive\nb > Passive\nc > Resource\n"


def test_all_effects_of_a_pair_stand_together() -> None:
    made = game(SPRITES, "a b > stepBack\nb a > killSprite\na c b > killSprite scoreChange=3\n")
    found = [(made.types[pair.first].name, made.types[pair.second].name, len(pair.effects)) for pair in made.pairs]
    assert found == [("a", "b", 2), ("b", "a", 1), ("a", "c", 1)]
    assert made.pairs[0].effects[1].score == 3


def test_the_edge_and_the_time_may_stand_on_either_side_in_any_case() -> None:
    made = game(SPRITES, "a eos > killSprite\nEOS b c > stepBack\nTIME a > killSprite timer=4 repeating=True\n")
    assert [made.types[rule.first].name for rule in made.edges] == ["a", "b", "c"]
    assert [(rule.effect.timer, rule.effect.repeating) for rule in made.times] == [(4, True)]


def test_a_type_with_two_lines_for_the_edge_has_each_effect_twice() -> None:
    made = game(SPRITES, "a EOS > stepBack\na EOS > killSprite\n")
    assert [len(rule.effects) for rule in made.edges] == [2, 2]


def test_defaults_and_settings_of_effects() -> None:
    made = game(SPRITES, "c a > collectResource\na c > changeResource resource=c\na b > spawn stype=b prob=0.5\n")
    collect, change, spawn = (pair.effects[0] for pair in made.pairs)
    assert collect.kill_resource
    assert (change.value, change.kill_resource) == (1, False)
    assert spawn.chance == 0.5


def test_a_timer_has_an_effect_inside() -> None:
    made = game(SPRITES, "a b > addTimer timer=9 ftype=transformToAll stype=a stypeTo=b\n")
    line = made.pairs[0].effects[0]
    assert (line.effect, line.timer) == (Effect.ADD_TIMER, 9)
    assert line.inner is not None
    assert line.inner.effect is Effect.TRANSFORM_TO_ALL


def test_ends() -> None:
    made = game(SPRITES, ends="MultiSpriteCounter stype1=a stype2=b limit=2 min=True win=True\nTimeout limit=7\n")
    first, second = made.ends
    assert (first.end, len(first.stypes), first.limit, first.at_least, first.win) == (
        End.MULTI_SPRITE_COUNTER,
        2,
        2,
        True,
        True,
    )
    assert (second.end, second.limit, second.win) == (End.TIMEOUT, 7, False)


def test_what_a_level_always_knows() -> None:
    assert game().mapping.keys() == {"w", "A"}


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("a > killSprite", "a line of the InteractionSet is SPRITE SPRITE ... > EFFECT settings"),
        ("a b > scoreChange=1", "there is no effect after the >"),
        ("a b > killSprite stepBack", "a line has one effect; stepBack is another, or lacks its ="),
        ("a b > transformTo", "transformTo needs a setting stype="),
        ("a b > transformTo stype=zz", "there is no sprite zz"),
        ("a b > shieldFrom stype=b ftype=kill", "there is no effect kill; is it killBoth?"),
        ("a b > stepBack\n  c b > stepBack", "c is indented, but nothing can stand below a"),
    ],
)
def test_faults_of_interactions(rules: str, message: str) -> None:
    _, faults = survey(text(SPRITES, rules, "Timeout limit=1"))
    assert [fault.message for fault in faults] == [message]


@pytest.mark.parametrize(
    ("mapping", "ends", "message"),
    [
        ("xy > a\n", "Timeout", "a line of the LevelMapping is LETTER > SPRITE ..."),
        ("x > n\n", "Timeout", "n has no class: there can be no such sprite in a level"),
        ("", "SpriteCounter win=True", "SpriteCounter needs a setting stype="),
        ("", "SpriteCounter stype=q", "there is no sprite q"),
        ("", "Timeout limit=soon", "limit is a whole number, not soon"),
    ],
)
def test_faults_of_letters_and_ends(mapping: str, ends: str, message: str) -> None:
    sprites = SPRITES + "n >\n  m > Passive\n"
    _, faults = survey(text(sprites, "a b > stepBack", ends, mapping))
    assert [fault.message for fault in faults] == [message]
