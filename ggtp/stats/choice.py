"""Choices among alternatives whose utilities are sums of parameters: fitted by Newton's method, with covariance.

That is a conditional logit. Who wins a game of two or more, with ties and seats that help, is such a choice, so the
ratings are fitted here (`ggtp.stats.ratings`). A normal prior on each parameter keeps what no result bounds finite,
and the likelihood has one maximum.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from ggtp.stats.linear import Matrix, Vector, cholesky, inverse, product, solve, zeros

Features: TypeAlias = Mapping[int, float]
"""How often each parameter counts in an alternative's utility."""

_ROUNDS: Final = 200
_CLOSE: Final = 1e-10


@dataclass(frozen=True, slots=True)
class Choice:
    """One alternative that was chosen, and all that could have been; it came `weight` times."""

    alternatives: tuple[Features, ...]
    chosen: int
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Fit:
    """The likeliest parameters and their covariance, the prior counted in."""

    values: Vector
    covariance: Matrix


def fit(choices: Sequence[Choice], precisions: Sequence[float]) -> Fit:
    """Fit parameters, each with a normal prior around 0 of this precision (1 / variance), which is above 0."""
    values = [0.0] * len(precisions)
    best = _likelihood(choices, precisions, values)
    for _ in range(_ROUNDS):
        slope, curve = _derivatives(choices, precisions, values)
        step = solve(cholesky(curve), slope)
        values, best, moved = _advance(choices, precisions, values, best, step)
        if moved < _CLOSE:
            break
    _, curve = _derivatives(choices, precisions, values)
    return Fit(values, inverse(cholesky(curve)))


def by_blocks(found: Fit, precisions: Sequence[float], blocks: Iterable[tuple[Sequence[Choice], float]]) -> Matrix:
    """The covariance for choices that are independent between blocks only, each block with how often it came.

    The sandwich: what the blocks' slopes really spread, between two inverse curvatures.
    """
    size = len(precisions)
    spread = zeros(size)
    for i, precision in enumerate(precisions):
        spread[i][i] = precision
    for choices, times in blocks:
        slope = _sparse_slope(choices, found.values)
        for i, a in slope.items():
            row = spread[i]
            for j, b in slope.items():
                row[j] += times * a * b
    return product(product(found.covariance, spread), found.covariance)


def probabilities(alternatives: Sequence[Features], values: Sequence[float]) -> Vector:
    """How probable each alternative is."""
    utilities = [math.fsum(values[i] * times for i, times in features.items()) for features in alternatives]
    highest = max(utilities)
    weights = [math.exp(utility - highest) for utility in utilities]
    total = math.fsum(weights)
    return [weight / total for weight in weights]


def _likelihood(choices: Sequence[Choice], precisions: Sequence[float], values: Sequence[float]) -> float:
    terms = []
    for choice in choices:
        utilities = [math.fsum(values[i] * times for i, times in each.items()) for each in choice.alternatives]
        highest = max(utilities)
        total = math.fsum(math.exp(utility - highest) for utility in utilities)
        terms.append(choice.weight * (utilities[choice.chosen] - highest - math.log(total)))
    terms += [-precision * value * value / 2.0 for precision, value in zip(precisions, values, strict=True)]
    return math.fsum(terms)


def _derivatives(
    choices: Sequence[Choice], precisions: Sequence[float], values: Sequence[float]
) -> tuple[Vector, Matrix]:
    """The slope of the likelihood, and its curvature, which is positive definite."""
    size = len(values)
    slope = [-precision * value for precision, value in zip(precisions, values, strict=True)]
    curve = zeros(size)
    for i, precision in enumerate(precisions):
        curve[i][i] = precision
    for choice in choices:
        mean = _mean(choice, values)
        for i, times in choice.alternatives[choice.chosen].items():
            slope[i] += choice.weight * times
        for i, expected in mean.items():
            slope[i] -= choice.weight * expected
            row = curve[i]
            for j, other in mean.items():
                row[j] -= choice.weight * expected * other
        for features, chance in zip(choice.alternatives, probabilities(choice.alternatives, values), strict=True):
            weight = choice.weight * chance
            for i, times in features.items():
                row = curve[i]
                for j, other in features.items():
                    row[j] += weight * times * other
    return slope, curve


def _mean(choice: Choice, values: Sequence[float]) -> dict[int, float]:
    mean: dict[int, float] = {}
    for features, chance in zip(choice.alternatives, probabilities(choice.alternatives, values), strict=True):
        for i, times in features.items():
            mean[i] = mean.get(i, 0.0) + chance * times
    return mean


def _sparse_slope(choices: Sequence[Choice], values: Sequence[float]) -> dict[int, float]:
    slope: dict[int, float] = {}
    for choice in choices:
        for i, times in choice.alternatives[choice.chosen].items():
            slope[i] = slope.get(i, 0.0) + choice.weight * times
        for i, expected in _mean(choice, values).items():
            slope[i] = slope.get(i, 0.0) - choice.weight * expected
    return slope


def _advance(
    choices: Sequence[Choice], precisions: Sequence[float], values: Vector, best: float, step: Vector
) -> tuple[Vector, float, float]:
    """As far along Newton's step as the likelihood grows: far from the maximum a whole step may lead beyond it."""
    length = 1.0
    while length > 1e-6:
        tried = [value + length * move for value, move in zip(values, step, strict=True)]
        reached = _likelihood(choices, precisions, tried)
        if reached >= best:
            return tried, reached, length * max(map(abs, step), default=0.0)
        length /= 2.0
    return values, best, 0.0
