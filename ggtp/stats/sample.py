"""Scores of units that are independent of one another: how often each came, their mean and their spread.

A unit is a game, or better a *block*: one start position and one seed, played in every seating. A score runs from 0
(everything lost) over 1/2 to 1, seen from one player; the score of a block is the mean of its games. Games of a
block are not independent, so the errors of whatever is estimated come from blocks wherever there are any.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ggtp.stats.distributions import Z95

FEW_UNITS: Final = 100
"""Below this, means of lopsided scores are not yet normal, and intervals are the cautious ones."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A score, and where it lies with the stated confidence; always within 0 and 1."""

    value: float
    low: float
    high: float
    cautious: bool
    """Whether it is the interval for few or extreme units (see `Sample.interval`)."""


@dataclass(frozen=True, slots=True)
class Sample:
    """How often each score came. Scores differ from each other and ascend; counts are not negative."""

    scores: tuple[float, ...]
    counts: tuple[float, ...]
    games: float = 1.0
    """How many games a unit has, on average."""

    def __post_init__(self) -> None:
        if len(self.scores) != len(self.counts):
            raise ValueError("a sample has a count for each score")
        if any(not 0.0 <= score <= 1.0 for score in self.scores) or list(self.scores) != sorted(set(self.scores)):
            raise ValueError("scores lie between 0 and 1 and ascend")
        if any(not (0.0 <= count < math.inf) for count in self.counts):
            raise ValueError("a count is a finite number and not negative")
        if not 1.0 <= self.games < math.inf:
            raise ValueError("a unit has at least one game")

    @property
    def units(self) -> float:
        """How many units there are."""
        return math.fsum(self.counts)

    @property
    def mean(self) -> float:
        """The mean score; 1/2, which says nothing, where there are no units."""
        units = self.units
        if not units:
            return 0.5
        mean = math.fsum(score * count for score, count in zip(self.scores, self.counts, strict=True)) / units
        return min(1.0, max(0.0, mean))  # a sum of many may be rounded out of its range

    @property
    def variance(self) -> float:
        """The variance of a unit's score, as observed."""
        units, mean = self.units, self.mean
        if not units:
            return 0.0
        return math.fsum(c * (s - mean) ** 2 for s, c in zip(self.scores, self.counts, strict=True)) / units

    def spread(self) -> float:
        """The observed variance as a part of the largest that a score with this mean can have: 0 to 1, never 0.

        One imagined unit, half of it lost and half won, is counted in: where all units ended alike it says how
        little that proves. Of units that are only won or lost the spread is 1.
        """
        units, mean = self.units + 1.0, (self.mean * self.units + 0.5) / (self.units + 1.0)
        squares = math.fsum(c * (s - mean) ** 2 for s, c in zip(self.scores, self.counts, strict=True))
        squares += (mean**2 + (1.0 - mean) ** 2) / 2.0
        return min(1.0, squares / units / (mean * (1.0 - mean)))

    def interval(self, z: float = Z95) -> Interval:
        """Where the true mean lies: the normal interval, or the cautious one.

        The normal interval is the mean and `z` standard errors to each side. It is wrong where there are few units,
        or none that differ, and it makes no sense beyond 0 and 1. There Wilson's interval stands instead, for as
        many games won or lost as would have the same variance.
        """
        units, mean = self.units, self.mean
        if not units:
            return Interval(0.5, 0.0, 1.0, cautious=True)
        reach = z * math.sqrt(self.variance / units)
        if units >= FEW_UNITS and reach > 0.0 and mean - reach > 0.0 and mean + reach < 1.0:
            return Interval(mean, mean - reach, mean + reach, cautious=False)
        weight = z * z * self.spread() / units
        centre = (mean + weight / 2.0) / (1.0 + weight)
        reach = math.sqrt(weight * mean * (1.0 - mean) + weight * weight / 4.0) / (1.0 + weight)
        # With a mean at an end, that end belongs to the interval exactly, whatever was rounded.
        low = 0.0 if mean <= 0.0 else max(0.0, min(mean, centre - reach))
        high = 1.0 if mean >= 1.0 else min(1.0, max(mean, centre + reach))
        return Interval(mean, low, high, cautious=True)


def from_games(wins: float, losses: float, draws: float = 0.0) -> Sample:
    """Each game is a unit."""
    return Sample((0.0, 0.5, 1.0), (losses, draws, wins))


def from_pairs(ll: float, ld: float, wl: float, dd: float, wd: float, ww: float) -> Sample:
    """Each pair of games is a unit, counted by what the player made of it: `wl` is one game won and one lost."""
    return Sample((0.0, 0.25, 0.5, 0.75, 1.0), (ll, ld, wl + dd, wd, ww), games=2.0)


def from_scores(scores: Iterable[float], games: float = 1.0) -> Sample:
    """Any scores, one for each unit. Scores that differ by rounding only are the same."""
    counted = Counter(round(score, 9) for score in scores)
    ascending = sorted(counted)
    return Sample(tuple(ascending), tuple(float(counted[score]) for score in ascending), games)


def from_blocks(
    blocks: Mapping[object, Sequence[float]] | Iterable[Sequence[float]], worths: Iterable[float] | None = None
) -> Sample:
    """Each block is a unit, given as the scores of its games. Empty blocks do not count.

    With `worths` each counts for that part of a unit.
    """
    lists = list(blocks.values() if isinstance(blocks, Mapping) else blocks)
    weighted = [
        (scores, worth) for scores, worth in zip(lists, worths or [1.0] * len(lists), strict=True) if scores and worth
    ]
    total = math.fsum(worth for _, worth in weighted)
    games = math.fsum(len(scores) * worth for scores, worth in weighted) / total if weighted else 1.0
    found: dict[float, list[float]] = {}
    for scores, worth in weighted:
        found.setdefault(round(math.fsum(scores) / len(scores), 9), []).append(worth)
    return Sample(tuple(sorted(found)), tuple(math.fsum(found[score]) for score in sorted(found)), max(1.0, games))
