from __future__ import annotations

import pytest
from support.vgdl import cells, named, play, world

from ggtp.errors import RulesError
from ggtp.vgdl.language.level import Level
from ggtp.vgdl.language.vocabulary import Action
from ggtp.vgdl.world.tick import LAST_TICK, advance
from ggtp.vgdl.world.world import LOST, MOST_TIMERS, UNDECIDED, WON, World

MAPPING = ". > f\nx > x\n"
SPRITES = "x > Passive\nf > Immovable\n"


def test_the_first_end_that_holds_counts() -> None:
    made = world("Ax", SPRITES, ends="Timeout limit=2 win=True\nSpriteCounter stype=x limit=1", mapping=MAPPING)
    play(made, ".")
    assert (made.ended, made.winner, made.tick) == (True, LOST, 0)
    made = world("Ax", SPRITES, ends="Timeout limit=2 win=True\nTimeout limit=2", mapping=MAPPING)
    play(made, "...")
    assert (made.ended, made.winner, made.tick) == (True, WON, 2)


def test_sums_of_several_types() -> None:
    ends = "MultiSpriteCounter stype1=x stype2=avatar limit=2 win=True"
    assert play(world("Axx", SPRITES, "x avatar > killSprite", ends, MAPPING), "r").winner == WON
    made = play(world("Axxx", SPRITES, "x avatar > killSprite", ends, MAPPING), "r")
    assert made.winner == UNDECIDED
    assert play(world("Axxx", SPRITES, "", f"{ends} min=True", MAPPING), ".").winner == WON


def test_nothing_happens_after_the_end() -> None:
    made = world("A.", SPRITES, ends="Timeout limit=0", mapping=MAPPING)
    play(made, "rr")
    assert (made.tick, cells(made, "avatar")) == (0, [(1, 0)])


def test_a_game_has_a_last_tick() -> None:
    made = world("A.", SPRITES, mapping=MAPPING)
    made.tick = LAST_TICK - 2
    play(made, ".")
    assert not made.ended
    play(made, ".")
    assert (made.ended, made.winner) == (True, LOST)


def test_the_dead_are_counted_no_more_in_their_tick() -> None:
    made = world("Ax", SPRITES, "x avatar > killSprite", "SpriteCounter stype=x win=True", MAPPING)
    assert play(made, "r").winner == WON


def test_a_dead_second_sprite_still_acts() -> None:
    rules = "x avatar > killSprite\navatar x > killSprite"
    assert named(play(world("Ax", SPRITES, rules, mapping=MAPPING), "r"), "avatar") == []


def test_a_dead_first_sprite_does_not() -> None:
    rules = "x avatar > killSprite\nx avatar > transformTo stype=f"
    made = play(world("Ax", SPRITES, rules, mapping=MAPPING), "r")
    assert (named(made, "f"), named(made, "x")) == ([], [])


def test_the_edge_is_judged_before_the_pairs() -> None:
    rules = "avatar x > killSprite scoreChange=1\navatar EOS > stepBack\n"
    made = world("xA", SPRITES, rules, mapping=MAPPING)
    assert play(made, "rl").score == 1


def test_two_lines_for_the_edge_run_twice() -> None:
    rules = "x EOS > spawn stype=f\nx EOS > spawn stype=f"
    made = world("Ax", SPRITES, rules, mapping=MAPPING)
    named(made, "x")[0].x += 1
    assert len(named(play(made, "."), "f")) == 4


def test_timers_repeat() -> None:
    made = world("Ax", SPRITES, "x TIME > spawn stype=f timer=3 repeating=True", mapping=MAPPING)
    assert [len(named(play(made, "."), "f")) for _ in range(7)] == [1, 1, 1, 2, 2, 2, 3]


def test_a_level_that_means_nothing_ends_without_a_winner() -> None:
    made = world("A.", SPRITES, mapping=MAPPING)
    level = Level(2, 1, 10, made.level.placed, unknown=26)
    other = World(made.game, level)
    advance(other, Action.NIL)
    assert (other.ended, other.winner) == (True, UNDECIDED)


HEAP = "b > Passive\nf > Immovable"


def test_a_line_is_repeated_as_long_as_sprites_meet() -> None:
    made = world("Ap", HEAP, "b f > killSprite repeat=1000000000 scoreChange=1", mapping="p > b f\n")
    assert play(made, "..").score == 1


def test_too_many_effects_that_wait_end_the_game() -> None:
    waiting = f"b f > addTimer timer=9 ftype=killBoth repeat={2 * MOST_TIMERS}"
    with pytest.raises(RulesError, match=f"more than {MOST_TIMERS} effects wait"):
        play(world("Ap", HEAP, waiting, mapping="p > b f\n"), ".")
