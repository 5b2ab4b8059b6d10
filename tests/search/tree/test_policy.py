"""UCB1: the formula, with numbers."""

from math import log, sqrt

import pytest

from ggtp.search.tree.policy import UCT, most_urgent
from ggtp.search.tree.statistics import Edge, Node


def choices(*known: tuple[int, float]) -> list[tuple[str, Edge]]:
    """Moves with so many visits, and such means."""
    made = []
    for number, (visits, mean) in enumerate(known):
        edge = Edge()
        edge.visits, edge.total = visits, visits * mean
        made.append((f"m{number}", edge))
    return made


def test_scores_are_those_of_the_equation() -> None:
    """Kocsis and Szepesvari: the mean, and a bonus that shrinks as the move is tried."""
    bonus = 0.7 * sqrt(log(51))
    found = UCT.scores(choices((40, 0.5), (10, 0.2), (0, 0.0)), 0.3, bonus, (Node(), 0, []))
    assert found == pytest.approx([0.5 + 0.7 * sqrt(log(51) / 40), 0.2 + 0.7 * sqrt(log(51) / 10), 0.3 + bonus])


@pytest.mark.parametrize("exploration", [0.4, 0.7])
def test_the_highest_bound_is_the_most_urgent(exploration: float) -> None:
    """A move's value is set a little above and below where its bound meets that of the other."""
    bonus = exploration * sqrt(log(51))
    meets = 0.5 + bonus / sqrt(40) - bonus / sqrt(10)
    for value, expected in ((meets + 0.001, 1), (meets - 0.001, 0)):
        scores = UCT.scores(choices((40, 0.5), (10, value)), 0.5, bonus, (Node(), 0, []))
        assert most_urgent(scores) == expected


def test_the_first_of_equals_is_the_most_urgent() -> None:
    assert most_urgent([0.1, 0.9, 0.9]) == 1


def test_nothing_is_promised_of_a_move_before_it_is_tried() -> None:
    one, other = choices((3, 0.9), (0, 0.0))
    place = (Node(), 0, list[tuple[Node]]())
    assert UCT.promise(one, place) == UCT.promise(other, place)
    assert not UCT.learns
