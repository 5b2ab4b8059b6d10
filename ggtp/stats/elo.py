"""How much better one player is than another, from the scores of units: Elo, normalised Elo, likelihood.

Each number has a point of view (the player whose scores the sample holds), a unit (games or blocks) and 95 % error
bars. Nothing here is ever NaN or infinite: what a perfect score cannot tell is None.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from ggtp.stats.distributions import Z95, normal_below
from ggtp.stats.sample import Sample

ELO_SCALE: Final = 400.0 / math.log(10.0)
"""So many points of Elo make the odds grow by e."""
NELO_SCALE: Final = 2.0 * ELO_SCALE


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its 95 % interval. None is what no result can bound: everything was won, or lost."""

    value: float | None
    low: float | None
    high: float | None

    @property
    def error(self) -> float | None:
        """Half the width of the interval, what stands behind `±`."""
        if self.value is None or self.low is None or self.high is None:
            return None
        return (self.high - self.low) / 2.0

    def text(self, digits: int = 1) -> str:
        """`+40.7 ± 30.4`, `+301.3 (above +77.5)`, `above +165.9` or `unknown`."""
        if self.value is not None and self.error is not None:
            return f"{signed(self.value, digits)} ± {self.error:.{digits}f}"
        bounds = [f"above {signed(self.low, digits)}"] if self.low is not None else []
        bounds += [f"below {signed(self.high, digits)}"] if self.high is not None else []
        if self.value is None:
            return " and ".join(bounds) or "unknown"
        return f"{signed(self.value, digits)} ({' and '.join(bounds) or 'unknown error'})"

    def data(self, digits: int = 2) -> dict[str, float | None]:
        """For JSON: rounded, with null for None."""
        return {
            "value": rounded(self.value, digits),
            "low": rounded(self.low, digits),
            "high": rounded(self.high, digits),
            "error": rounded(self.error, digits),
        }


def signed(value: float, digits: int = 1) -> str:
    """The number with its sign, and none before a zero."""
    text = f"{value:+.{digits}f}"
    return text[1:] if float(text) == 0.0 else text


def rounded(value: float | None, digits: int) -> float | None:
    """Rounded, without a negative zero; None stays None."""
    return None if value is None else round(value, digits) + 0.0


def elo_of_score(score: float) -> float | None:
    """The Elo difference at which this score is expected; None for 0 and 1, where there is none."""
    if not 0.0 < score < 1.0:
        return None
    return ELO_SCALE * (math.log(score) - math.log1p(-score))


def score_of_elo(elo: float) -> float:
    """The score that is expected at an Elo difference."""
    # In the form whose exponential cannot grow too large.
    if elo >= 0.0:
        return 1.0 / (1.0 + math.exp(-elo / ELO_SCALE))
    odds = math.exp(elo / ELO_SCALE)
    return odds / (1.0 + odds)


def elo(sample: Sample, z: float = Z95) -> Estimate:
    """The Elo difference: logistic, from the mean score and its interval."""
    interval = sample.interval(z)
    if not sample.units:
        return Estimate(None, None, None)
    return Estimate(elo_of_score(interval.value), elo_of_score(interval.low), elo_of_score(interval.high))


def bounded_elo(sample: Sample) -> float:
    """The Elo difference with one more unit imagined, half of it won: a number also where all was won, or nothing."""
    won, lost = sample.mean * sample.units, (1.0 - sample.mean) * sample.units
    return ELO_SCALE * (math.log(won + 0.5) - math.log(lost + 0.5))


def nelo(sample: Sample, z: float = Z95) -> Estimate:
    """Normalised Elo: the mean's distance from 1/2 in standard deviations of a game, times 800 / ln 10.

    It says how many games tell the players apart, whatever the rate of draws; units of several games are converted
    to games.
    """
    if not sample.units:
        return Estimate(None, None, None)
    interval = sample.interval(z)
    if not interval.cautious:
        deviation = math.sqrt(sample.games * sample.variance)
    elif not 0.0 < interval.value < 1.0:
        return _one_sided(sample, interval.low, interval.high)
    else:
        # The spread counts the imagined unit in, so that equal scores do not look certain.
        deviation = math.sqrt(sample.games * sample.spread() * interval.value * (1.0 - interval.value))
    value, low, high = ((x - 0.5) / deviation * NELO_SCALE for x in (interval.value, interval.low, interval.high))
    return Estimate(value, low, high)


def _one_sided(sample: Sample, low: float, high: float) -> Estimate:
    """Everything was lost, or won: the other bound alone is known, with the largest variance that it allows."""
    bound = high if low == 0.0 else low
    if not 0.0 < bound < 1.0:
        return Estimate(None, None, None)
    value = (bound - 0.5) / math.sqrt(sample.games * bound * (1.0 - bound)) * NELO_SCALE
    return Estimate(None, None, value) if low == 0.0 else Estimate(None, value, None)


def los(sample: Sample) -> float:
    """The likelihood of superiority: how probable it is that the player is the better one, with no opinion before.

    1/2 where there are no units.
    """
    if not sample.units:
        return 0.5
    if sample.interval().cautious:
        error = math.sqrt(sample.spread() / 4.0 / sample.units)  # the error that a mean of 1/2 would have
    else:
        error = math.sqrt(sample.variance / sample.units)
    return normal_below((sample.mean - 0.5) / error)


def games_to_settle(sample: Sample, z: float = Z95, fresh: float = 1.0) -> float | None:
    """About how many more games would put 1/2 outside the interval, if the mean and the spread stay as they are.

    0 where it is outside already; None where the mean is 1/2, nothing has been played, or only repeats are. `fresh` is
    the part of games to come that do not repeat earlier ones.
    """
    interval = sample.interval(z)
    if not sample.units or interval.value == 0.5:
        return None
    if interval.low > 0.5 or interval.high < 0.5:
        return 0.0
    if fresh <= 0.0:
        return None
    variance = sample.spread() * 0.25
    needed = z * z * variance / (interval.value - 0.5) ** 2
    return max(1.0, needed - sample.units) * sample.games / fresh
