"""Sequential tests: play until it is decided whether a player is better by `elo1` or only by `elo0`.

The generalised sequential probability ratio test (GSPRT) of Van den Bergh: the likelihood of the observed units under
the likeliest distribution of scores with the one strength, against that with the other. It works for any finite set
of scores, so units may be games (three scores), pairs (five) or blocks of any size.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, Literal, TypeAlias, get_args

from ggtp.stats.elo import NELO_SCALE, score_of_elo
from ggtp.stats.sample import Sample

Model: TypeAlias = Literal["logistic", "normalised", "bayesian"]
"""What `elo0` and `elo1` are measured in: Elo, normalised Elo, or the Elo of BayesElo, for single games only."""

MODELS: Final[tuple[Model, ...]] = get_args(Model)

UNSEEN: Final = 1e-3
"""How often a score that did not come is taken to have come, or its likelihood would be 0 for ever."""
_ROUNDS: Final = 10
_CLOSE: Final = 1e-4


class Decision(Enum):
    """What a test says so far."""

    GO_ON = "go on"
    ACCEPT_H0 = "H0"
    """The player is not better than `elo0`."""
    ACCEPT_H1 = "H1"
    """The player is better than `elo0`, as by `elo1`."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test: both hypotheses, and how often each may be accepted wrongly."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """The chance to accept H1 where H0 is true."""
    beta: float = 0.05
    """The chance to accept H0 where H1 is true."""
    model: Model = "normalised"

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise ValueError("elo0 is less than elo1, and both are numbers")
        if not (0.0 < self.alpha <= 0.5 and 0.0 < self.beta <= 0.5):
            raise ValueError("alpha and beta are above 0 and at most 0.5")
        if self.model not in MODELS:
            raise ValueError(f"the model is {', '.join(MODELS[:-1])} or {MODELS[-1]}")

    @property
    def lower(self) -> float:
        """At this ratio and below, H0 is accepted."""
        return math.log(self.beta / (1.0 - self.alpha))

    @property
    def upper(self) -> float:
        """At this ratio and above, H1 is accepted."""
        return math.log((1.0 - self.beta) / self.alpha)

    def ratio(self, sample: Sample) -> float:
        """The logarithm of the likelihood ratio (LLR) of the sample; 0 where nothing was played.

        Raises:
            ValueError: the bayesian model and units that are no single games.
        """
        if not sample.units:
            return 0.0
        scores, counts = _with_all_ends(sample)
        units = math.fsum(counts)
        chances = [count / units for count in counts]
        if self.model == "normalised":
            scale = math.sqrt(sample.games) / NELO_SCALE
            found0, found1 = (_likeliest_by_deviations(scores, chances, elo * scale) for elo in (self.elo0, self.elo1))
            if found0 is None or found1 is None:
                return _ratio_by_deviations(sample, self.elo0 * scale, self.elo1 * scale)
            h0, h1 = found0, found1
        else:
            mean0, mean1 = (self._score(elo, scores, chances) for elo in (self.elo0, self.elo1))
            h0, h1 = (_likeliest_by_mean(scores, chances, _inside(mean)) for mean in (mean0, mean1))
        terms = (
            p * (math.log(b) - math.log(a)) for p, a, b in zip(chances, h0, h1, strict=True) if a > 0.0 and b > 0.0
        )
        return units * math.fsum(terms)

    def _score(self, elo: float, scores: Sequence[float], chances: Sequence[float]) -> float:
        if self.model == "logistic":
            return score_of_elo(elo)
        if len(scores) != 3 or scores[1] != 0.5:
            raise ValueError("the bayesian model is for single games with wins, draws and losses")
        lost, _, won = chances
        draw_elo = 200.0 * (math.log10((1.0 - lost) / lost) + math.log10((1.0 - won) / won))
        wins, losses = score_of_elo(elo - draw_elo), score_of_elo(-elo - draw_elo)
        return wins + (1.0 - wins - losses) / 2.0

    def decision(self, sample: Sample) -> Decision:
        """What to do now."""
        return self.decide(self.ratio(sample))

    def decide(self, ratio: float) -> Decision:
        """What to do at this ratio."""
        if ratio >= self.upper:
            return Decision.ACCEPT_H1
        return Decision.ACCEPT_H0 if ratio <= self.lower else Decision.GO_ON

    def games_left(self, sample: Sample, fresh: float = 1.0) -> float | None:
        """About how many more games the test will take if the results go on as they were; None: nobody knows.

        `fresh` is the part of games to come that do not repeat earlier ones.
        """
        ratio = self.ratio(sample)
        if self.decide(ratio) is not Decision.GO_ON:
            return 0.0
        if not sample.units or ratio == 0.0 or fresh <= 0.0:
            return None
        bound = self.upper if ratio > 0.0 else self.lower
        return (bound / ratio - 1.0) * sample.units * sample.games / fresh


def _ratio_by_deviations(sample: Sample, distance0: float, distance1: float) -> float:
    """The ratio of two distances from 1/2 in standard deviations, as if the scores were normal."""
    deviation = math.sqrt(sample.variance or sample.spread() * 0.25)
    distance = (sample.mean - 0.5) / deviation
    return sample.units / 2.0 * (math.log1p((distance - distance0) ** 2) - math.log1p((distance - distance1) ** 2))


def _with_all_ends(sample: Sample) -> tuple[list[float], list[float]]:
    """The scores with 0, 1/2 and 1 among them, each with a count above 0."""
    counts = dict(zip(sample.scores, sample.counts, strict=True))
    scores = sorted({*counts, 0.0, 0.5, 1.0})
    return scores, [counts.get(score, 0.0) or UNSEEN for score in scores]


def _inside(mean: float) -> float:
    """A mean that some distribution on the scores has, with all of them possible."""
    return min(1.0 - 1e-9, max(1e-9, mean))


def _likeliest_by_mean(scores: Sequence[float], chances: Sequence[float], mean: float) -> list[float]:
    """The distribution with this mean under which what was observed is likeliest."""
    return _tilted([score - mean for score in scores], chances)


def _likeliest_by_deviations(scores: Sequence[float], chances: Sequence[float], distance: float) -> list[float] | None:
    """The same for a mean that lies so many standard deviations above 1/2, by iteration; None: it can not be found."""
    found = [1.0 / len(scores)] * len(scores)
    for _ in range(_ROUNDS):
        mean = math.fsum(p * a for p, a in zip(found, scores, strict=True))
        deviation = math.sqrt(math.fsum(p * (a - mean) ** 2 for p, a in zip(found, scores, strict=True)))
        if deviation <= 0.0:
            return None
        slopes = [a - 0.5 - 0.5 * distance * deviation * (1.0 + ((a - mean) / deviation) ** 2) for a in scores]
        if not min(slopes) < 0.0 < max(slopes):
            return None
        last, found = found, _tilted(slopes, chances)
        if max(abs(p - q) for p, q in zip(found, last, strict=True)) < _CLOSE:
            break
    return found


def _tilted(slopes: Sequence[float], chances: Sequence[float]) -> list[float]:
    """`chances`, each divided by 1 + theta * slope, with the theta that makes the slopes' mean 0."""
    low, high = -1.0 / max(slopes), -1.0 / min(slopes)

    def mean_slope(theta: float) -> float:
        return math.fsum(p * slope / (1.0 + theta * slope) for p, slope in zip(chances, slopes, strict=True))

    theta = _falling_root(mean_slope, low, high)
    return [p / (1.0 + theta * slope) for p, slope in zip(chances, slopes, strict=True)]


def _falling_root(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a falling function is 0, between two poles, by bisection to the last digit."""
    below, above = low, high
    for _ in range(200):
        middle = (below + above) / 2.0
        if middle in (below, above):
            break
        if function(middle) > 0.0:
            below = middle
        else:
            above = middle
    middle = (below + above) / 2.0
    # The poles themselves would divide by 0.
    inset = (high - low) * 1e-15
    return min(high - inset, max(low + inset, middle))
