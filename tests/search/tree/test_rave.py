"""RAVE: how moves that were made later count."""

from math import log, sqrt

import pytest

from ggtp.search.tree.policies import tree_options, tree_policy
from ggtp.search.tree.policy import UCT
from ggtp.search.tree.rave import Rave, rave_weight
from ggtp.search.tree.statistics import Edge, Node

BONUS = 0.4 * sqrt(log(101))
PLACE = (Node(), 0, list[tuple[Node]]())


def edge(visits: int, mean: float, later: int = 0, later_mean: float = 0.0) -> Edge:
    made = Edge()
    made.visits, made.total, made.rave_visits, made.rave_total = visits, visits * mean, later, later * later_mean
    return made


def test_the_weight_shifts_from_later_moves_to_visits() -> None:
    weights = [rave_weight(visits, 300) for visits in (0, 10, 300, 10_000)]
    assert weights[0] == 1
    assert weights[2] == pytest.approx(0.5)
    assert weights == sorted(weights, reverse=True)
    assert rave_weight(5, 0) == 0


def test_both_bounds_are_mixed_by_the_weight() -> None:
    """At as many visits as are said, a half; without visits, what was made later is all that counts."""
    known = [("a", edge(20, 0.3, 60, 0.9)), ("b", edge(0, 0.0, 60, 0.2)), ("c", edge(80, 0.4)), ("d", edge(0, 0.0))]
    plain = UCT.scores(known, 0.5, BONUS, PLACE)
    found = Rave(20).scores(known, 0.5, BONUS, PLACE)
    assert found[0] == pytest.approx(0.5 * (0.9 + BONUS / sqrt(60)) + 0.5 * plain[0])
    assert found[1] == pytest.approx(0.2 + BONUS / sqrt(60))
    assert found[2:] == plain[2:], "nothing was made later"


def test_a_playout_counts_at_the_moves_of_the_player_who_has_made_them() -> None:
    edges = {"a": edge(1, 1.0), "b": edge(0, 0.0)}
    assert Rave(20).learn(Node(), {1: edges}, [{"a"}, {"b", "c"}], [0.25, 0.75]) == 0
    assert (edges["a"].rave_visits, edges["b"].rave_visits, edges["b"].rave_total) == (0, 1, 0.75)
    assert edges.keys() == {"a", "b"}


def test_where_several_choose_each_learns_from_its_own_moves() -> None:
    tables = {0: {"a": edge(1, 1.0), "b": edge(1, 1.0)}, 1: {"a": edge(1, 1.0), "b": edge(1, 1.0)}}
    Rave(20).learn(Node(), tables, [{"a"}, {"b"}], [0.25, 0.75])
    found = {(seat, move): one.rave_total for seat, own in tables.items() for move, one in own.items()}
    assert found == {(0, "a"): 0.25, (0, "b"): 0.0, (1, "a"): 0.0, (1, "b"): 0.75}


def test_widening_begins_with_what_was_good_later() -> None:
    good, unknown, bad = edge(0, 0.0, 10, 0.9), edge(0, 0.0), edge(5, 1.0, 10, 0.1)
    promised = [Rave(20).promise(("m", one), PLACE) for one in (good, unknown, bad)]
    assert promised == sorted(promised, reverse=True)
    assert len(set(promised)) == 3


def test_it_is_wanted_where_the_equivalence_is_not_0() -> None:
    off = {option.name: option.default for option in tree_options()}
    assert tree_policy(off) is UCT
    assert tree_policy({**off, "Rave": "30"}) == Rave(30)
