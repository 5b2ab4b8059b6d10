"""What minimax makes of the values of an evaluator, and how it asks for them."""

import numpy as np
import pytest
from support.trees import TreeWalk

from ggtp.search.evaluation.evaluator import HEURISTICS, CheckedLeaves, Leaves
from ggtp.search.minimax import leaves as module
from ggtp.search.minimax.leaves import LeafJudge, Scale
from ggtp.search.minimax.plan import OutOfTime, View, value_of_points

TREE = [0, [1, (100, 0), (0, 100)], (50, 50), [1, (0, 100), (100, 0)]]
"""A choice of three moves, the second of which ends the game."""


class Counting(Leaves[list[int]]):
    """Says of each leaf how many steps the walk has come, and notes what it was asked."""

    def __init__(self) -> None:
        self.asked: list[list[int]] = []

    def values(self, leaves):
        self.asked.append(list(leaves))
        return np.array([[leaf / 10, 1 - leaf / 10] for leaf in leaves])


def judge_of(counting):
    checked = CheckedLeaves(HEURISTICS, ["one", "two"], counting)
    return LeafJudge(checked, Scale(View.OPPOSED, 0, range(2), 2), lambda walk: len(walk.steps) + 1, list)


@pytest.mark.parametrize(
    ("view", "me", "found"),
    [
        (View.OPPOSED, 0, [80.0]),
        (View.OPPOSED, 1, [20.0]),
        (View.PARANOID, 1, [30.0]),
        (View.ALONE, 0, [90.0]),
        (View.SELFISH, 0, [30.0, 50.0, 90.0]),
    ],
)
def test_values_are_scaled_for_us_or_kept_for_everybody(view, me, found) -> None:
    """The places of two players are the third and the first; the second is that of chance."""
    scale = Scale(view, me, [2, 0], 3)
    (row,) = scale.inner(np.array([[0.9, 0.3]])).tolist()
    wanted = [value_of_points(points) for points in found]
    if view is View.SELFISH:
        wanted[1] = 0
    assert row == wanted


@pytest.mark.parametrize(("value", "points"), [(1.0, 99), (0.0, 1)])
def test_what_is_only_expected_is_never_as_good_as_a_win(value, points) -> None:
    assert Scale(View.ALONE, 0, [0], 1).inner(np.array([[value]])).tolist() == [[value_of_points(points)]]


def test_all_places_behind_a_node_are_asked_for_together_and_once() -> None:
    counting = Counting()
    judge, walk = judge_of(counting), TreeWalk(TREE)
    judge.look_behind(walk, walk.moves(), lambda: False)
    assert counting.asked == [[2, 2]]  # and not where the game is over
    judge.look_behind(walk, walk.moves(), lambda: False)
    walk.play(0)
    assert judge.values(walk) == (value_of_points(20),)
    assert len(counting.asked) == 1
    walk.undo()
    assert judge.values(walk) == (value_of_points(10),)
    assert counting.asked[1:] == [[1]]


def test_what_was_forgotten_is_asked_for_again(monkeypatch) -> None:
    monkeypatch.setattr(module, "MOST_KEPT", 0)
    counting = Counting()
    judge, walk = judge_of(counting), TreeWalk(TREE)
    judge.look_behind(walk, walk.moves(), lambda: False)
    judge.values(walk)
    walk.play(0)
    assert judge.values(walk) == (value_of_points(20),)
    assert counting.asked == [[2, 2], [1], [2]]


def test_it_stops_when_it_is_told_to() -> None:
    walk = TreeWalk(TREE)
    with pytest.raises(OutOfTime):
        judge_of(Counting()).look_behind(walk, walk.moves(), lambda: True)
