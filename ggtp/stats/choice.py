"""Choices among alternatives whose utilities are sums of parameters: fitted by Newton's method, with covariance.

That is a conditional logit. The first place in a game of two or more, with ties and seats that help, is such a choice,
so the ratings are fitted here (`ggtp.stats.ratings`). A normal prior on each parameter keeps finite what no result
bounds, and the likelihood has one maximum.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Features: TypeAlias = Mapping[int, float]
"""How often each parameter counts in an alternative's utility."""
Matrix: TypeAlias = list[list[float]]
_Array: TypeAlias = NDArray[np.float64]

_ROUNDS: Final = 200
_CLOSE: Final = 1e-10
_SHORTEST: Final = 1e-6
"""The shortest part of Newton's step that is tried."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One alternative that was chosen, and all that could have been; it came `weight` times."""

    alternatives: tuple[Features, ...]
    chosen: int
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Fit:
    """The likeliest parameters and their covariance, the prior counted in."""

    values: list[float]
    covariance: Matrix


def fit(choices: Sequence[Choice], precisions: Sequence[float]) -> Fit:
    """Fit parameters, each with a normal prior around 0 of this precision (1 / variance), which is above 0."""
    prior = np.array(precisions, dtype=np.float64)
    if not prior.size:
        return Fit([], [])
    data = _Data(choices, prior.size)
    values = np.zeros(prior.size)
    best = data.likelihood(values, prior)
    for _ in range(_ROUNDS):
        slope, curve = data.derivatives(values, prior)
        step: _Array = np.linalg.solve(curve, slope).astype(np.float64)
        values, best, moved = _advance(data, prior, values, best, step)
        if moved < _CLOSE:
            break
    _, curve = data.derivatives(values, prior)
    covariance = np.linalg.inv(curve)
    covariance = (covariance + covariance.T) / 2.0  # symmetric but for rounding
    return Fit(values.tolist(), covariance.tolist())


def by_blocks(found: Fit, precisions: Sequence[float], blocks: Iterable[tuple[Sequence[Choice], float]]) -> Matrix:
    """Return the covariance for choices that are independent between blocks only, each block with how often it came.

    The sandwich: what the blocks' slopes really spread, between two inverse curvatures.
    """
    given = [(choices, times) for choices, times in blocks if choices]
    data = _Data([choice for choices, _ in given for choice in choices], len(precisions))
    spread = np.diag(np.array(precisions, dtype=np.float64))
    if given:
        starts = np.cumsum([0, *(len(choices) for choices, _ in given[:-1])])
        slopes = np.add.reduceat(data.slopes(np.array(found.values)), starts, axis=0)
        spread += slopes.T @ (slopes * np.array([times for _, times in given])[:, None])
    covariance = np.array(found.covariance)
    sandwich: Matrix = (covariance @ spread @ covariance).tolist()
    return sandwich


def probabilities(alternatives: Sequence[Features], values: Sequence[float]) -> list[float]:
    """Return how probable each alternative is."""
    data = _Data([Choice(tuple(alternatives), 0)], len(values))
    found: list[float] = data.probabilities(np.array(values, dtype=np.float64)).tolist()
    return found


class _Data:
    """Choices as arrays: a row of parameters for each alternative, the rows of one choice beside each other."""

    def __init__(self, choices: Sequence[Choice], size: int) -> None:
        counts = [len(choice.alternatives) for choice in choices]
        self.starts = np.cumsum([0, *counts[:-1]])
        self.of_row = np.repeat(np.arange(len(choices)), counts)
        self.chosen = self.starts[: len(choices)] + np.array([choice.chosen for choice in choices], dtype=np.int64)
        self.weights = np.array([choice.weight for choice in choices], dtype=np.float64)
        self.rows = np.zeros((sum(counts), size))
        for row, features in enumerate(features for choice in choices for features in choice.alternatives):
            for i, times in features.items():
                self.rows[row, i] = times

    def probabilities(self, values: _Array) -> _Array:
        """Return how probable each alternative is within its choice."""
        weights = np.exp(self._below_highest(values))
        return weights / np.add.reduceat(weights, self.starts)[self.of_row]

    def likelihood(self, values: _Array, prior: _Array) -> float:
        """Return the logarithm of the likelihood, the prior's part included."""
        total = -float(prior @ (values * values)) / 2.0
        if len(self.weights):
            utilities = self._below_highest(values)
            logarithms = np.log(np.add.reduceat(np.exp(utilities), self.starts))
            total += float(self.weights @ (utilities[self.chosen] - logarithms))
        return total

    def slopes(self, values: _Array) -> _Array:
        """Return the slope of each choice's likelihood, without the prior."""
        slopes: _Array = (self.rows[self.chosen] - self._means(self.probabilities(values))) * self.weights[:, None]
        return slopes

    def derivatives(self, values: _Array, prior: _Array) -> tuple[_Array, _Array]:
        """Return the slope of the likelihood, and its curvature, which is positive definite."""
        slope, curve = -prior * values, np.diag(prior)
        if len(self.weights):
            chances = self.probabilities(values)
            means = self._means(chances)
            slope = slope + self.weights @ (self.rows[self.chosen] - means)
            curve = curve + self.rows.T @ (self.rows * (chances * self.weights[self.of_row])[:, None])
            curve = curve - means.T @ (means * self.weights[:, None])
        return slope, curve

    def _below_highest(self, values: _Array) -> _Array:
        """The utilities less the highest of each choice, so that none is too large for `exp`."""
        utilities: _Array = self.rows @ values
        highest: _Array = np.maximum.reduceat(utilities, self.starts)
        below: _Array = utilities - highest[self.of_row]
        return below

    def _means(self, chances: _Array) -> _Array:
        means: _Array = np.add.reduceat(self.rows * chances[:, None], self.starts, axis=0)
        return means


def _advance(data: _Data, prior: _Array, values: _Array, best: float, step: _Array) -> tuple[_Array, float, float]:
    """As far along Newton's step as the likelihood grows: far from the maximum a whole step may lead beyond it."""
    length = 1.0
    while length > _SHORTEST:
        tried = values + length * step
        reached = data.likelihood(tried, prior)
        if reached >= best:
            return tried, reached, length * float(np.abs(step).max())
        length /= 2.0
    return values, best, 0.0
