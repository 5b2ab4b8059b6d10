"""Sprites of the kernel: draws as those of the interpreter, and records whose links hold together."""

from __future__ import annotations

import pytest
from support.hybrid import kind, start

pytest.importorskip("llvmlite", reason="the compiler is not installed")

from support.vgdl_effects import record

from ggtp.vgdl.kernel import layout as k
from ggtp.vgdl.kernel import sprites
from ggtp.vgdl.kernel.tick import reseed
from ggtp.vgdl.language.vocabulary import DOWN, LEFT, RIGHT, UP, Action
from ggtp.vgdl.world.chance import Chance

ROOM = "wwwww wAc.w w...w wwwww"


def here(state, column, row):
    """The kinds on a square, the latest first."""
    g, st = state.model.ints, state.numbers
    at = int(st[int(g[k.G_CELLS]) + (row + 1) * (int(g[k.G_COLUMNS]) + 2) + column + 1])
    found = []
    while at > 0:
        found.append(state.model.game.types[int(st[at + k.KIND])].name)
        at = int(st[at + k.NEXT_HERE])
    return found


@pytest.mark.parametrize("seed", [0, 1, 12345678901234])
def test_chance_draws_what_the_interpreter_draws(seed):
    st, chance = start(ROOM).numbers, Chance(seed)
    reseed(st, seed)
    for limit in (2, 3, 4, 7, 1000, 1 << 30):
        assert sprites.below(st, limit) == chance.below(limit)
        assert sprites.fraction(st) == chance.fraction()
        assert sprites.short_fraction(st) == chance.short_fraction()
        assert sprites.bits(st, 31) == chance.bits(31)


def test_what_is_put_and_moved_is_found_on_its_square() -> None:
    state = start(ROOM)
    st, g = state.numbers, state.model.ints
    coin = sprites.put(st, g, kind(state, "coin"), 30, 20, False)
    assert here(state, 3, 2) == ["coin"]
    assert state.population(kind(state, "coin")) == 2
    sprites.move_to(st, g, coin, 20, 10)
    assert here(state, 3, 2) == []
    assert here(state, 2, 1) == ["coin", "coin"]
    sprites.move_to(st, g, coin, -25, 10)  # beyond the border it is on the border
    assert here(state, -1, 1) == ["coin"]
    assert sprites.outside(st, g, coin)
    assert not sprites.outside(st, g, record(state, "coin"))


def test_the_dead_are_buried_and_their_place_is_used_again() -> None:
    state = start(ROOM)
    st, g = state.numbers, state.model.ints
    coin, used = record(state, "coin"), int(st[k.USED])
    sprites.kill(st, g, coin, False)
    sprites.kill(st, g, coin, False)
    assert state.population(kind(state, "coin")) == 1
    sprites.bury(st, g)
    assert state.population(kind(state, "coin")) == 0
    assert here(state, 2, 1) == []
    assert sprites.put(st, g, kind(state, "coin"), 30, 10, False) == coin
    assert int(st[k.USED]) == used


def test_an_avatar_that_is_killed_stays_and_is_disabled() -> None:
    state = start(ROOM)
    st, g = state.numbers, state.model.ints
    sprites.kill(st, g, int(st[k.AVATAR]), False)
    sprites.bury(st, g)
    assert st[int(st[k.AVATAR]) + k.DISABLED] == 1
    assert state.population(kind(state, "avatar")) == 1


def test_who_has_moved_must_wait_to_be_moved_again() -> None:
    state = start("wwwwww wAb..w wwwwww")
    st, g = state.numbers, state.model.ints
    box, by = record(state, "box"), kind(state, "avatar")
    st[box + k.LAST_MOVE] = 1
    assert sprites.push(st, g, box, 1, 0, by) == 2
    assert sprites.push(st, g, box, 1, 0, by) == 0
    assert st[box + k.X] == 30
    assert sprites.push(st, g, box, 0, 0, by) == 0


def test_the_actions_that_are_steps_and_their_directions() -> None:
    steps = {action: sprites.step_of(action) for action in Action if sprites.is_step(action)}
    assert steps == {Action.UP: UP, Action.LEFT: LEFT, Action.DOWN: DOWN, Action.RIGHT: RIGHT}


def test_a_sprite_in_the_middle_is_taken_off_its_square() -> None:
    state = start(ROOM)
    st, g = state.numbers, state.model.ints
    boxes = [sprites.put(st, g, kind(state, "box"), 20, 10, False) for _ in range(2)]
    assert here(state, 2, 1) == ["box", "box", "coin"]
    sprites.move_to(st, g, boxes[0], 30, 20)
    assert here(state, 2, 1) == ["box", "coin"]
    sprites.move_to(st, g, record(state, "coin"), 30, 20)
    assert (here(state, 2, 1), here(state, 3, 2)) == (["box"], ["coin", "box"])
    sprites.move_to(st, g, boxes[1], 30, 20)
    assert (here(state, 2, 1), here(state, 3, 2)) == ([], ["box", "coin", "box"])
