"""Choosing where only some moves are possible: the formulas, with numbers."""

import random
from math import log, sqrt
from statistics import fmean

import pytest

from ggtp.search.hidden.selection import UNTRIED, InformationSets
from ggtp.search.hidden.tree import Edge
from ggtp.search.tree.policy import most_urgent
from ggtp.search.tree.rave import rave_weight


def edge(visits: int, mean: float, available: int, later: int = 0, later_mean: float = 0.0) -> Edge:
    made = Edge()
    made.visits, made.total, made.available = visits, visits * mean, available
    made.rave_visits, made.rave_total = later, later * later_mean
    return made


def scores(*edges: Edge, rave: int = 0, together: bool = False, seed: int = 1) -> list[float]:
    choices = [(f"m{number}", each) for number, each in enumerate(edges)]
    return InformationSets(rave).drawn(choices, 2.0, random.Random(seed), together=together)


def test_what_counts_is_how_often_a_move_could_be_chosen() -> None:
    rare, usual = scores(edge(4, 10.0, 5), edge(4, 10.0, 90))
    assert rare == pytest.approx(10 + 2 * sqrt(2 * log(5) / 4))
    assert usual == pytest.approx(10 + 2 * sqrt(2 * log(90) / 4))


def test_means_are_mixed_before_the_bonus() -> None:
    known, untried = scores(edge(4, 10.0, 9, 30, 20.0), edge(0, 0.0, 9, 30, 20.0), rave=50)
    weight = rave_weight(4, 50)
    assert known == pytest.approx(weight * 20 + (1 - weight) * 10 + 2 * sqrt(2 * log(9) / 4))
    assert untried == 22


def test_moves_of_which_nothing_is_known_come_first_and_each_is_as_likely() -> None:
    edges = [edge(9, 1000.0, 9), *(edge(0, 0.0, 1) for _ in range(3))]
    found = [most_urgent(scores(*edges, seed=seed)) for seed in range(600)]
    assert {found.count(number) > 140 for number in (1, 2, 3)} == {True}
    assert found.count(0) == 0
    assert max(scores(*edges)) > UNTRIED


def test_where_others_move_at_the_same_time_values_are_drawn() -> None:
    drawn = [scores(edge(16, 10.0, 20), together=True, seed=seed)[0] for seed in range(500)]
    assert fmean(drawn) == pytest.approx(10, abs=0.1)
    assert fmean((value - 10) ** 2 for value in drawn) == pytest.approx((2 / sqrt(16)) ** 2, rel=0.2)
