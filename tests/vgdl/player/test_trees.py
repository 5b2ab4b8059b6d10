"""The machine code of the tree search: its chance, its way to a target, its choice among actions."""

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="the compiler is not installed")

from support.hybrid import start

from ggtp.vgdl.kernel.model import State
from ggtp.vgdl.language.vocabulary import Action
from ggtp.vgdl.player import trees as t
from ggtp.vgdl.player.foresight import H_STEP, HINTS

ACTIONS = np.array([Action.LEFT, Action.RIGHT, Action.DOWN, Action.UP, Action.NIL], np.int32)


def meta():
    found = np.zeros(t.TREE, np.int64)
    found[t.T_DRAW], found[t.T_KIND] = 12345, -1
    return found


def hints():
    found = np.zeros(HINTS, np.int32)
    found[H_STEP] = 10
    return found


def test_what_is_drawn_is_spread() -> None:
    state = meta()
    drawn = [t.draw(state, 5) for _ in range(500)]
    assert set(drawn) == set(range(5))
    assert max(drawn.count(number) for number in range(5)) < 160


def greedy(state: State, field: list[float]) -> int:
    return int(t.greedy(state.numbers, state.model.ints, meta(), np.array(field, np.float64), hints(), ACTIONS))


def test_greedy_goes_down_the_field() -> None:
    state = start("... .A. ...")
    inf = float("inf")
    assert ACTIONS[greedy(state, [9, 9, 9, 1, 5, 9, 9, 9, 9])] == Action.LEFT
    assert ACTIONS[greedy(state, [9, 9, 9, 9, 5, 9, 9, 0, 9])] == Action.DOWN
    assert greedy(state, [inf] * 9) == -1


def test_an_action_that_was_never_tried_counts_by_its_prior() -> None:
    visits, total = np.zeros(8, np.int32), np.zeros(8)
    child, prior = np.zeros(48, np.int32), np.zeros(48)
    weights = np.zeros(t.WEIGHTS)
    weights[t.W_OUTCOME], weights[t.W_EXPLORE] = 1000.0, 0.5
    state = meta()
    state[t.T_PRIORS] = 1
    prior[:5] = [0.2, 0.3, 0.9, 0.1, 0.5]
    assert t.select(state, ACTIONS, visits, total, child, prior, weights, 0, 0b11111) == 2
    assert t.select(state, ACTIONS, visits, total, child, prior, weights, 0, 0b01011) == 1
    # What was tried counts by what came of it.
    child[2], visits[1], total[1] = 1, 10, -500.0
    child[4], visits[2], total[2] = 2, 10, 100.0
    assert t.select(state, ACTIONS, visits, total, child, prior, weights, 0, 0b10100) == 4


def test_a_dead_avatar_is_a_loss() -> None:
    state = start("www wAw www")
    assert not t.lost(state.numbers)
    dead = start("wwww wAtw wwww")
    dead.advance(Action.RIGHT)
    assert t.lost(dead.numbers)
