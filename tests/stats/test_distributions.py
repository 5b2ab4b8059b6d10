"""Distributions against scipy, and at their ends."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggtp.stats.distributions import (
    Z95,
    f_above,
    normal_below,
    range_below,
    range_quantile,
    student_quantile,
)

scipy_stats = pytest.importorskip("scipy.stats", reason="scipy, the judge, is not installed")


def test_the_quantile_of_every_error_bar() -> None:
    assert pytest.approx(1.959963984540054, abs=1e-12) == Z95


@pytest.mark.parametrize("x", [-40.0, -8.0, -1.0, 0.0, 0.5, 6.0, 40.0])
def test_the_normal_distribution_is_exact_in_its_tails(x: float) -> None:
    assert normal_below(x) == pytest.approx(float(scipy_stats.norm.cdf(x)), rel=1e-9)


@given(x=st.floats(0.001, 200.0), above=st.integers(1, 100), below=st.integers(1, 400))
def test_f_as_scipy_has_it(x: float, above: int, below: int) -> None:
    expected = float(scipy_stats.f.sf(x, above, below))
    assert f_above(x, above, below) == pytest.approx(expected, rel=1e-7, abs=1e-12)


@given(confidence=st.floats(0.01, 0.999), freedom=st.integers(1, 500))
def test_students_distribution_as_scipy_has_it(confidence: float, freedom: int) -> None:
    expected = float(scipy_stats.t.ppf((1 + confidence) / 2, freedom))
    assert student_quantile(confidence, freedom) == pytest.approx(expected, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize(
    ("groups", "published"),
    [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (6, 2.850), (7, 2.949), (8, 3.031), (9, 3.102), (10, 3.164)],
)
def test_the_quantiles_of_nemenyi_that_are_published(groups: int, published: float) -> None:
    assert range_quantile(0.95, groups) / math.sqrt(2) == pytest.approx(published, abs=0.0011)


@pytest.mark.parametrize("groups", [2, 3, 10, 50])
def test_the_studentized_range_as_scipy_has_it(groups: int) -> None:
    q = range_quantile(0.9, groups)
    assert float(scipy_stats.studentized_range.cdf(q, groups, math.inf)) == pytest.approx(0.9, abs=1e-6)
    assert range_below(q, groups) == pytest.approx(0.9, abs=1e-9)


def test_ends() -> None:
    assert f_above(-1.0, 2, 3) == 1.0
    assert f_above(math.inf, 2, 3) == 0.0
    assert f_above(1e300, 2, 3) == pytest.approx(0.0, abs=1e-200)
    assert range_below(0.0, 4) == 0.0
    assert range_below(100.0, 4) == pytest.approx(1.0)
