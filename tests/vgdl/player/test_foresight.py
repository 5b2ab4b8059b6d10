"""What is foreseen: blocks, losses, the edge, dangers, distances."""

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="the compiler is not installed")

from support.hybrid import explorer, kind, never, start

from ggtp.vgdl.language.vocabulary import Action
from ggtp.vgdl.player import foresight as f
from ggtp.vgdl.player.targets import TargetChooser


def learned(level, cautious=True):
    state = start(level)
    search, known = explorer(state)
    search.begin(state, TargetChooser(known).nothing())
    search.run(never, 400)
    known.refresh(state, cautious)
    return state, known


def why(state, known, action):
    return int(f.foresee(state.numbers, state.model.ints, known.forecast, int(action)))


def test_why_actions_are_left_out() -> None:
    state, known = learned("wwwww wAt.w w...w wwwww")
    assert why(state, known, Action.UP) == f.NOTHING_NEW
    assert why(state, known, Action.LEFT) == f.NOTHING_NEW
    assert why(state, known, Action.RIGHT) == f.LOSES
    assert why(state, known, Action.DOWN) == 0
    assert why(state, known, Action.NIL) == 0


def test_the_edge() -> None:
    state = start("A.. ...", rules="avatar EOS > stepBack\n")
    _, known = explorer(state)
    assert why(state, known, Action.UP) == f.OFF_BOARD
    assert why(state, known, Action.RIGHT) == 0


def test_what_is_unknown_is_worth_a_try() -> None:
    state = start("wwwww wAt.w w...w wwwww")
    _, known = explorer(state)
    assert why(state, known, Action.RIGHT) == why(state, known, Action.UP) == 0


def test_without_control_only_nothing_is_left() -> None:
    state, known = learned("wwwww wA..w w...w wwwww")
    known.hints[f.H_HELPLESS] = 1
    assert why(state, known, Action.DOWN) == f.NOTHING_NEW
    assert why(state, known, Action.NIL) == 0


def test_the_worst_that_may_happen() -> None:
    state, known = learned("wwwwwww wA.f..w wwwwwww")
    known.forecast.sheet.reshape(-1, f.SHEET)[kind(state, "foe")] = 1, 10, 10
    assert why(state, known, Action.RIGHT) == f.LOSES
    assert why(state, known, Action.NIL) == 0
    known.hints[f.H_CAUTION] = 0
    assert why(state, known, Action.RIGHT) == 0


def test_where_all_would_be_left_out_the_risky_are_tried() -> None:
    state, known = learned("wwwww wtttw wtAtw wtttw wwwww")
    known.forecast.sheet.reshape(-1, f.SHEET)[kind(state, "trap")] = 1, 10, 10
    actions = np.array([Action.LEFT, Action.UP, Action.NIL], np.int32)
    mask = f.prune(state.numbers, state.model.ints, known.forecast, actions)
    assert mask == 0b111


@pytest.mark.parametrize(
    ("spared", "kept"), [(0, 0b11000), (f.NOTHING_NEW, 0b11010), (f.LOSES, 0b11100), (f.OFF_BOARD, 0b11001)]
)
def test_each_reason_to_leave_an_action_out_can_be_spared(spared, kept):
    # Up is off the board, left is a wall, right is deadly.
    state = start("wAt ...", rules="avatar EOS wall > stepBack\navatar trap > killSprite\n")
    search, known = explorer(state)
    search.begin(state, TargetChooser(known).nothing())
    search.run(never, 400)
    known.refresh(state, cautious=True)
    known.hints[f.H_SPARED] = spared
    actions = np.array([Action.UP, Action.LEFT, Action.RIGHT, Action.DOWN, Action.NIL], np.int32)
    assert f.prune(state.numbers, state.model.ints, known.forecast, actions) == kept


def memory(squares):
    return f.FloodMemory(np.zeros(squares), np.zeros(3 * squares, np.int32))


def test_distances_go_around_walls_and_through_portals() -> None:
    enter = np.array([1, 1, -1, 1, 1, 1, 1, -1, 1, 1], np.float64)
    far, room = np.zeros(10), memory(10)
    none = np.zeros(0, np.int32)
    f.flood(enter, np.array([0], np.int32), none, none, False, 5, far, room)
    assert far[6] == 2
    assert far[3] == np.inf
    entries, exits = np.array([6], np.int32), np.array([9], np.int32)
    f.flood(enter, np.array([0], np.int32), entries, exits, False, 5, far, room)
    assert far[9] == 2
    assert far[4] == 3
    back = np.zeros(10)
    f.flood(enter, np.array([4], np.int32), entries, exits, True, 5, back, room)
    assert back[0] == far[4]


def test_heat_is_the_time_until_danger() -> None:
    heat, room = np.full(12, np.inf), memory(12)
    free = np.array([1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1], np.int32)
    f.warm(heat, free, 0, 12, 2.0, 2.0, 10.0, room)
    assert heat[:4].tolist() == [0.0, 2.0, 4.0, np.inf]
    free[3] = 1
    f.warm(heat, free, 0, 12, 2.0, 2.0, 10.0, room)
    assert heat.tolist() == [0, 2, 4, 6, 8, 10, *[np.inf] * 6]


def test_what_only_goes_sideways_is_no_danger_elsewhere() -> None:
    heat, room, free = np.full(12, np.inf), memory(12), np.ones(12, np.int32)
    f.warm(heat, free, 5, 4, 2.0, np.inf, 10.0, room)
    assert heat.reshape(3, 4).tolist() == [[np.inf] * 4, [2, 0, 2, 4], [np.inf] * 4]


def test_heat_along_two_axes_of_different_pace() -> None:
    heat, room, free = np.full(12, np.inf), memory(12), np.ones(12, np.int32)
    free[1] = 0
    f.warm(heat, free, 0, 4, 1.0, 4.0, 10.0, room)
    assert heat.reshape(3, 4).tolist() == [[0, np.inf, 10, np.inf], [4, 5, 6, 7], [8, 9, 10, np.inf]]
