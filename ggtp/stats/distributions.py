"""The distributions that tests of results need, in plain arithmetic: tails and quantiles, never NaN.

The incomplete beta function is computed by its continued fraction (Lentz's method), the studentized range by
integration. Checked against scipy in the tests, to about ten digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist
from typing import Final

_NORMAL: Final = NormalDist()
Z95: Final = _NORMAL.inv_cdf(0.975)
"""95 % of a normal distribution lie within this many standard deviations of its mean."""

_TINY: Final = 1e-300
_STEPS: Final = 10_000


def normal_below(x: float) -> float:
    """The probability that a standard normal variable is below `x`; exact in both tails."""
    return math.erfc(-x / math.sqrt(2.0)) / 2.0


def f_above(x: float, freedom: float, freedom_below: float) -> float:
    """The probability that an F variable is above `x`."""
    if x <= 0.0:
        return 1.0
    if math.isinf(x):
        return 0.0
    return _beta(freedom_below / 2.0, freedom / 2.0, freedom_below / (freedom_below + freedom * x))


@lru_cache(maxsize=64)
def student_quantile(confidence: float, freedom: int) -> float:
    """How far from 0, to either side, a variable of Student's distribution stays with this confidence."""
    low, high = 0.0, 1.0
    while f_above(high * high, 1.0, freedom) > 1.0 - confidence and high < 1e9:
        high *= 2.0
    for _ in range(60):
        middle = (low + high) / 2.0
        if f_above(middle * middle, 1.0, freedom) > 1.0 - confidence:
            low = middle
        else:
            high = middle
    return (low + high) / 2.0


def range_below(q: float, groups: int) -> float:
    """The probability that the range of `groups` standard normal variables is below `q`."""
    if q <= 0.0:
        return 0.0

    def density(z: float) -> float:
        inside = normal_below(z) - normal_below(z - q)
        return math.exp(-z * z / 2.0) / math.sqrt(2.0 * math.pi) * inside ** (groups - 1)

    # The largest of the variables is beyond these ends with a probability that no double can hold beside 1.
    return min(1.0, groups * _simpson(density, -9.0, 9.0 + min(q, 9.0), 600))


@lru_cache(maxsize=64)
def range_quantile(probability: float, groups: int) -> float:
    """The value that the range of `groups` standard normal variables stays below with this probability."""
    low, high = 0.0, 1.0
    while range_below(high, groups) < probability and high < 64.0:
        high *= 2.0
    for _ in range(60):
        middle = (low + high) / 2.0
        if range_below(middle, groups) < probability:
            low = middle
        else:
            high = middle
    return (low + high) / 2.0


def _simpson(function: Callable[[float], float], low: float, high: float, steps: int) -> float:
    width = (high - low) / steps
    inner = math.fsum((4 if i % 2 else 2) * function(low + i * width) for i in range(1, steps))
    return (function(low) + inner + function(high)) * width / 3.0


def _beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function."""
    if x <= 0.0:
        return 0.0
    if x >= 1.0:
        return 1.0
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1.0) / (a + b + 2.0):
        return min(1.0, front * _beta_fraction(a, b, x) / a)
    return max(0.0, 1.0 - front * _beta_fraction(b, a, 1.0 - x) / b)


def _beta_fraction(a: float, b: float, x: float) -> float:
    c = 1.0
    d = 1.0 / _away_from_zero(1.0 - (a + b) * x / (a + 1.0))
    value = d
    for step in range(1, _STEPS):
        for factor in (
            step * (b - step) * x / ((a + 2 * step - 1.0) * (a + 2 * step)),
            -(a + step) * (a + b + step) * x / ((a + 2 * step) * (a + 2 * step + 1.0)),
        ):
            d = 1.0 / _away_from_zero(1.0 + factor * d)
            c = _away_from_zero(1.0 + factor / c)
            value *= c * d
        if abs(c * d - 1.0) < 1e-15:
            break
    return value


def _away_from_zero(x: float) -> float:
    return x if abs(x) > _TINY else _TINY
