from __future__ import annotations

import pytest
from support.vgdl import game, play, world

pytest.importorskip("llvmlite", reason="the compiler is not installed")

from ggtp.errors import RulesError
from ggtp.vgdl.kernel.model import Model, State, warm_up
from ggtp.vgdl.language.level import parse_level
from ggtp.vgdl.language.vocabulary import Action, Category
from ggtp.vgdl.world.world import MOST_CONTACTS, MOST_SPRITES

SPRITES = """
avatar > ShootAvatar stype=shot rotateInPlace=False
shot > Missile
gem > Resource
door > Door
f > Immovable
n > RandomNPC
"""
RULES = "gem avatar > collectResource scoreChange=2\ngem shot > killSprite\nn wall EOS > stepBack\n"
LETTERS = ". > f\ng > gem\nd > door\nn > n\n"


def model(level: str = "A.gnd") -> Model:
    made = game(SPRITES, RULES, "Timeout limit=9 win=True\nSpriteCounter stype=door", LETTERS)
    return Model(made, parse_level("\n".join(level.split()), made))


def places(state: State) -> list[tuple[int, int, int]]:
    return sorted((item.kind, item.x, item.y) for item in state.observations())


def test_a_player_sees_categories_and_places_but_no_floor() -> None:
    state = model().start(1)
    seen = {item.category for item in state.observations()}
    assert seen == {Category.AVATAR, Category.RESOURCE, Category.PORTAL, Category.NPC}
    assert [(x, y) for _, x, y in state.background()] == [(10, 0)]
    assert state.actions() == (Action.USE, Action.LEFT, Action.RIGHT, Action.DOWN, Action.UP)


def test_the_avatar() -> None:
    state = model().start(1)
    state.advance(Action.RIGHT)
    state.advance(Action.RIGHT)
    avatar = state.avatar()
    assert avatar is not None
    assert (avatar.x, avatar.orientation, avatar.alive, list(avatar.resources.values())) == (20, (1, 0), True, [1])
    assert (state.score, state.tick, state.ended) == (2, 1, False)


def test_copies_share_nothing_and_never_the_chance() -> None:
    root = model("A...n ..... d....").start(5)
    root.advance(Action.NIL)
    real = root.twin()
    real.advance(Action.NIL)
    ways = set()
    for seed in range(20):
        other = root.copy(seed)
        other.advance(Action.NIL)
        ways.add(tuple(places(other)))
    assert len(ways) > 1
    same = root.twin()
    same.advance(Action.NIL)
    assert places(same) == places(real)
    assert root.tick == 0


def test_the_end() -> None:
    state = model().start(1)
    for _ in range(20):
        state.advance(Action.NIL)
    assert (state.tick, state.ended, state.winner) == (9, True, 1)


def test_a_state_of_the_interpreter_goes_on_in_the_kernel() -> None:
    made = world("A.gnd ....w", SPRITES, RULES, mapping=LETTERS, seed=8)
    play(made, "rs.r")
    state = Model(made.game, made.level).state_of(made)
    for _ in range(6):
        play(made, "d")
        state.advance(Action.DOWN)
    expected = sorted(
        (item.kind.number, item.x, item.y) for item in made.sprites() if item.kind.name not in ("f", "door")
    )
    assert places(state) == expected
    assert state.calls == made.chance.calls


def test_rollouts_count_their_ticks() -> None:
    made = model()
    made.warm_up()
    assert made.rollouts(made.start(1), 3, 7, 5) == 35
    assert made.rollouts(made.start(1), 3, 2, 50) == 20  # the game is over after ten


def test_too_many_sprites_are_told() -> None:
    made = game("p > SpawnPoint stype=x\nx > Passive", "x avatar > stepBack", mapping="p > p\n")
    state = Model(made, parse_level("Ap", made), capacity=4).start(1)
    for _ in range(5):
        state.advance(Action.NIL)
    assert state.overflown


@pytest.mark.parametrize(
    ("rules", "ticks", "why"),
    [
        ("b f > cloneSprite", 14, f"more than {MOST_SPRITES} sprites in tick 14"),  # twice as many in each tick
        ("b c > cloneSprite\nc b > cloneSprite", 4, f"more than {MOST_SPRITES} sprites in tick 4"),
        ("b f > cloneSprite\nb b > reverseDirection", 9, f"more than {MOST_CONTACTS} pairs of sprites meet in tick 9"),
    ],
)
def test_sprites_that_multiply_without_end_end_the_game(rules: str, ticks: int, why: str) -> None:
    sprites, letters = "f > Immovable\nb > Passive\nc > Passive", "p > b c f\n"
    judge = world("Ap", sprites, rules, mapping=letters)
    state = Model(judge.game, judge.level, MOST_SPRITES + 1).start(1)
    for _ in range(ticks - 1):
        play(judge, ".")
        state.advance(Action.NIL)
        assert not state.exceeded
        assert len(places(state)) + 1 == judge.count  # without the floor
    with pytest.raises(RulesError, match=why):
        play(judge, ".")
    state.advance(Action.NIL)
    assert state.exceeded
    assert state.ended
    before = state.tick
    state.advance(Action.NIL)
    assert state.tick == before


@pytest.mark.slow
def test_warming_up_needs_no_game() -> None:
    warm_up()
