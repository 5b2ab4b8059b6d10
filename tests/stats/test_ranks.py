"""Comparisons over many rules, against scipy and the figures of Demšar."""

from __future__ import annotations

import math
import random
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggtp.stats.ranks import Comparison, compare, critical_distance, ranks_of, wilcoxon

scipy_stats = pytest.importorskip("scipy.stats", reason="scipy, the judge, is not installed")

SCORES = st.integers(0, 4).map(lambda score: score / 4)


@pytest.mark.parametrize(("players", "rules", "expected"), [(4, 14, 1.25), (5, 30, 1.114), (10, 20, 3.029)])
def test_critical_distances_that_are_known(players: int, rules: int, expected: float) -> None:
    assert critical_distance(players, rules) == pytest.approx(expected, abs=0.005)


def test_ranks_share_ties() -> None:
    assert ranks_of([0.5, 1.0, 0.5, 0.0]) == [2.5, 1.0, 2.5, 4.0]
    assert ranks_of([]) == []


def table(rows: list[list[float]]) -> dict[str, dict[str, float]]:
    return {f"rule{i}": {f"player{j}": score for j, score in enumerate(row)} for i, row in enumerate(rows)}


@given(st.integers(3, 6).flatmap(lambda k: st.lists(st.lists(SCORES, min_size=k, max_size=k), min_size=2, max_size=12)))
def test_friedman_as_scipy_has_it(rows: list[list[float]]) -> None:
    found = compare(table(rows))
    assert found is not None
    assert 0.0 <= found.p_value <= 1.0
    assert math.isfinite(found.critical_distance)
    if all(len(set(row)) == 1 for row in rows):
        assert (found.chi_square, found.p_value) == (0.0, 1.0)
        return
    expected = scipy_stats.friedmanchisquare(*zip(*rows, strict=True))
    assert found.chi_square == pytest.approx(float(expected.statistic), abs=1e-9)


def test_iman_and_davenport_with_the_figures_of_demsar() -> None:
    """His example: mean ranks 3.143, 2.000, 2.893 and 1.964 over 14 data sets give 9.28 and F 3.69."""
    auc = [
        (0.763, 0.768, 0.771, 0.798),
        (0.599, 0.591, 0.590, 0.569),
        (0.954, 0.971, 0.968, 0.967),
        (0.628, 0.661, 0.654, 0.657),
        (0.882, 0.888, 0.886, 0.898),
        (0.936, 0.931, 0.916, 0.931),
        (0.661, 0.668, 0.609, 0.685),
        (0.583, 0.583, 0.563, 0.625),
        (0.775, 0.838, 0.866, 0.875),
        (1.000, 1.000, 1.000, 1.000),
        (0.940, 0.962, 0.965, 0.962),
        (0.619, 0.666, 0.614, 0.669),
        (0.972, 0.981, 0.9751, 0.975),
        (0.957, 0.978, 0.946, 0.970),
    ]
    found = compare(table([list(row) for row in auc]))
    assert found is not None
    assert dict(zip(found.players, found.ranks, strict=True)) == pytest.approx(
        {"player0": 3.143, "player1": 2.0, "player2": 2.893, "player3": 1.964}, abs=0.001
    )
    # He does not correct for ties: three pairs, and one of all four.
    assert found.chi_square * (1 - 78 / 840) == pytest.approx(9.28, abs=0.005)
    assert 0.01 < found.p_value < 0.025
    assert found.cliques() == [(0, 3)], "1.179 apart, and 1.25 are needed"


def test_cliques_are_the_longest_runs() -> None:
    ranks = (1.0, 1.5, 2.6, 3.5, 5.0)
    found = Comparison(tuple("abcde"), ranks, 10, 0.0, 1.0, 1.2, 0.05)
    assert found.cliques() == [(0, 1), (1, 2), (2, 3)]
    assert Comparison(("a", "b"), (1.0, 2.0), 10, 0.0, 1.0, 0.5, 0.05).cliques() == []


def test_when_all_rules_agree_the_p_value_is_small_but_a_number() -> None:
    found = compare(table([[1.0, 0.5, 0.0]] * 4))
    assert found is not None
    assert found.players == ("player0", "player1", "player2")
    assert found.p_value == pytest.approx(6**-3)  # three rules could have had any of six orders
    assert (found.exact, found.p_method) == (True, "exact")


def test_ties_that_all_rules_have_leave_fewer_orders() -> None:
    found = compare(table([[1.0, 0.5, 0.5]] * 4))
    assert found is not None
    assert found.p_value == pytest.approx(3**-3)
    assert found.exact


def test_the_exact_p_value_is_the_share_of_orders_that_agree() -> None:
    orders = list(permutations((1.0, 0.5, 0.0)))
    found = [compare(table([list(row) for row in rows])) for rows in product(orders, repeat=3)]
    agree = [one for one in found if one is not None and one.exact]
    assert len(agree) / len(found) == pytest.approx(agree[0].p_value)
    assert {one.p_method for one in found if one is not None and not one.exact} == {"Iman and Davenport"}


def test_too_little_is_no_comparison() -> None:
    assert compare({}) is None
    assert compare({"a": {"x": 1.0, "y": 0.0}}) is None
    assert compare({"a": {"x": 1.0}, "b": {"x": 0.5}}) is None
    found = compare({"a": {"x": 1.0, "y": 0.0}, "b": {"x": 1.0, "y": 0.5}, "c": {"x": 1.0}})
    assert found is not None
    assert found.rules == 2, "a rule that lacks a player does not count"


@pytest.mark.slow
@given(st.lists(st.floats(-1.0, 1.0).map(lambda x: round(x, 3)), min_size=1, max_size=14, unique_by=abs))
def test_wilcoxon_exactly_as_scipy_has_it(differences: list[float]) -> None:
    sized = [difference for difference in differences if difference]
    if sized:
        expected = scipy_stats.wilcoxon(sized, method="exact")
        assert wilcoxon(differences)[0] == pytest.approx(float(expected.pvalue))
    else:
        assert wilcoxon(differences) == (1.0, 0.0)


def test_wilcoxon_of_many_as_scipy_has_it() -> None:
    rng = random.Random(5)
    differences = [round(rng.gauss(0.1, 0.4), 1) for _ in range(80)]
    expected = scipy_stats.wilcoxon([d for d in differences if d], correction=True, method="approx")
    p_value, sign = wilcoxon(differences)
    assert p_value == pytest.approx(float(expected.pvalue), rel=1e-6)
    assert sign == 1.0


def test_pairs_are_corrected_by_holm() -> None:
    rng = random.Random(3)
    rows = [[rng.random() + 1.0, rng.random() * 0.9, rng.random() * 0.4] for _ in range(12)]
    found = compare(table(rows))
    assert found is not None
    first, second, third = found.pairs
    assert (first.better, first.worse) == ("player0", "player1")
    assert first.corrected == pytest.approx(3 * first.p_value)
    assert second.corrected == pytest.approx(max(first.corrected, 2 * second.p_value))
    assert third.corrected == pytest.approx(max(second.corrected, third.p_value))
