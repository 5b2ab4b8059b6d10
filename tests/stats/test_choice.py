"""Choices: the likeliest parameters are what scipy finds, and errors are as large as simulations show."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import numpy as np
import pytest

from ggtp.stats.choice import Choice, by_blocks, fit, probabilities

PAIR = ({0: 1.0}, {1: 1.0})


def test_probabilities_of_huge_utilities_are_probabilities() -> None:
    assert probabilities(PAIR, [5000.0, 0.0]) == [1.0, 0.0]
    assert probabilities(PAIR, [0.0, 0.0]) == [0.5, 0.5]


def test_the_difference_of_two_is_the_logarithm_of_the_odds() -> None:
    found = fit([Choice(PAIR, 0, 30.0), Choice(PAIR, 1, 10.0)], [1e-9, 1e-9])
    assert found.values[0] - found.values[1] == pytest.approx(math.log(3), abs=1e-6)
    variance = found.covariance[0][0] + found.covariance[1][1] - 2 * found.covariance[0][1]
    assert variance == pytest.approx(1 / (40 * 0.75 * 0.25), rel=1e-3)


def test_the_maximum_is_the_one_that_scipy_finds() -> None:
    optimize = pytest.importorskip("scipy.optimize", reason="scipy, the judge, is not installed")
    rng = random.Random(1)
    choices = [
        Choice(
            tuple({i: rng.uniform(-1, 2) for i in rng.sample(range(6), 3)} for _ in range(4)), rng.randrange(4), 1.0 + n
        )
        for n in range(25)
    ]
    precisions = [0.5] * 6

    def loss(values: Sequence[float]) -> float:
        terms = [
            -choice.weight * math.log(probabilities(choice.alternatives, values)[choice.chosen]) for choice in choices
        ]
        return sum(terms) + sum(0.25 * value * value for value in values)

    expected = optimize.minimize(loss, [0.0] * 6, tol=1e-10)
    found = fit(choices, precisions)
    assert found.values == pytest.approx(expected.x.tolist(), abs=1e-4)

    def curvature(i: int, j: int) -> float:
        total = 0.0
        for one, other in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            there = list(found.values)
            there[i] += one * 1e-3
            there[j] += other * 1e-3
            total += one * other * loss(there)
        return total / 4e-6

    curves = [[curvature(i, j) for j in range(6)] for i in range(6)]
    for i, row in enumerate((np.array(curves) @ np.array(found.covariance)).tolist()):
        assert row == pytest.approx([float(i == j) for j in range(6)], abs=1e-3)


def test_what_no_result_bounds_is_held_by_the_prior() -> None:
    found = fit([Choice(PAIR, 0, 1e9)], [0.1, 0.1])
    assert all(math.isfinite(value) for value in found.values)
    assert found.values[0] == pytest.approx(-found.values[1])
    assert fit([], [0.25]).covariance == [[4.0]]
    assert fit([], []).values == []


def test_twins_in_a_block_count_once() -> None:
    """Two choices that always agree are one observation: the covariance by blocks is twice that of the model."""
    twice = ([Choice(PAIR, 0), Choice(PAIR, 0)], 300.0), ([Choice(PAIR, 1), Choice(PAIR, 1)], 100.0)
    found = fit([Choice(PAIR, 0, 600.0), Choice(PAIR, 1, 200.0)], [1e-4, 1e-4])

    def spread(matrix: Sequence[Sequence[float]]) -> float:
        return matrix[0][0] + matrix[1][1] - 2 * matrix[0][1]

    robust = by_blocks(found, [1e-4, 1e-4], twice)
    assert spread(robust) == pytest.approx(2 * spread(found.covariance), rel=0.01)
