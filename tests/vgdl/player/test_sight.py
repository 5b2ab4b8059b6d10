"""What is seen of states and collisions."""

import pytest

pytest.importorskip("llvmlite", reason="the compiler is not installed")

from support.hybrid import kind, start

from ggtp.vgdl.language.vocabulary import Action
from ggtp.vgdl.player import sight
from ggtp.vgdl.player.knowledge import Knowledge
from ggtp.vgdl.player.planner import signature


def seen(level, *actions):
    """The rows of what was met on a way."""
    state = start(level)
    known = Knowledge(state.model)
    model = state.model
    for action in actions:
        sight.look(state.numbers, model.arrays, known.collisions, int(action))
    count = known.rows_seen
    return state, known.collisions.rows[known.width : (count + 1) * known.width].reshape(count, known.width).tolist()


def test_two_ways_to_one_state() -> None:
    one, other = start("wwwww wA..w w...w wwwww"), start("wwwww wA..w w...w wwwww")
    for action in (Action.RIGHT, Action.DOWN):
        one.advance(action)
    for action in (Action.DOWN, Action.RIGHT, Action.NIL, Action.NIL):
        other.advance(action)
    assert signature(one) == signature(other)
    other.advance(Action.LEFT)
    assert signature(one) != signature(other)


def test_what_the_avatar_has_counts() -> None:
    one, other = start("wwwww wAk.w wwwww"), start("wwwww wA..w wwwww")
    for state in (one, other):
        state.advance(Action.RIGHT)
    assert signature(one) != signature(other)


def test_who_is_who_among_equals_does_not_count() -> None:
    near, far = start("wwwwwww w.....w w.bAb.w wwwwwww"), start("wwwwwww w.....w w.bAb.w wwwwwww")
    for action in (Action.RIGHT, Action.LEFT, Action.LEFT, Action.NIL, Action.NIL):
        near.advance(action)
        far.advance(action)
    assert signature(near) == signature(far)


def test_a_wall_blocks() -> None:
    state, rows = seen("www wAw www", Action.UP)
    assert [row[sight.R_PASSIVE] for row in rows] == [kind(state, "wall")]
    assert rows[0][sight.R_BLOCKED] == 1


def test_the_features_of_a_collision() -> None:
    state, rows = seen("wwwww wAc.w wwwww", Action.RIGHT)
    (row,) = rows
    assert row[sight.R_PASSIVE] == kind(state, "coin")
    assert row[sight.R_SCORE] == 1
    assert row[sight.R_BLOCKED] == row[sight.R_END] == row[sight.R_INVENTORY] == 0
    assert row[sight.R_GONE] >> kind(state, "coin") & 1
    _, rows = seen("wwwww wAk.w wwwww", Action.RIGHT)
    assert rows[0][sight.R_INVENTORY] == sight.MORE
    _, rows = seen("wwwww wAt.w wwwww", Action.RIGHT)
    assert rows[0][sight.R_END] == sight.HAS_LOST
    _, rows = seen("wwwww wAx.w wwwww", Action.RIGHT)
    assert rows[0][sight.R_END] == sight.HAS_WON
    _, rows = seen("wwwww wAb.w wwwww", Action.RIGHT)
    assert rows[0][sight.R_PUSHED] == 1


def test_equal_rows_are_counted() -> None:
    _, rows = seen("www wAw www", *[Action.UP] * 5)
    assert [row[sight.R_COUNT] for row in rows] == [5]


def test_what_does_nothing_is_met_all_the_same() -> None:
    state, rows = seen("wwwww wAh.w wwwww", Action.RIGHT)
    assert rows[0][sight.R_PASSIVE] == kind(state, "hole")
