"""Many players over many rules: mean ranks, Friedman's test, Nemenyi's critical distance, Wilcoxon's test by pairs.

A rule is one observation, whatever its number of games: what is compared is how the players rank in it. That is what
the comparison of algorithms over data sets does (Demšar 2006), and what keeps a rule with many games from deciding.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from ggtp.stats.distributions import f_above, normal_below, range_quantile

EXACT_RULES: Final = 25
"""Up to this many rules Wilcoxon's test counts all signs; beyond it is normal."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What many rules say about players, from the best mean rank to the worst."""

    players: tuple[str, ...]
    ranks: tuple[float, ...]
    """The mean rank of each; 1 is best."""
    rules: int
    chi_square: float
    """Friedman's statistic, corrected for ties."""
    p_value: float
    """How probable ranks as different as these are, were all players equal."""
    critical_distance: float
    """Mean ranks that differ by more are different, all pairs taken together."""
    alpha: float
    pairs: tuple[Pair, ...] = ()
    exact: bool = False
    """Whether the p-value is exact, and not the approximation by Iman and Davenport's F."""

    @property
    def p_method(self) -> str:
        """Where the p-value is from."""
        return "exact" if self.exact else "Iman and Davenport"

    def cliques(self) -> list[tuple[int, int]]:
        """The longest runs of players (first and last index) whose mean ranks are not different."""
        runs: list[tuple[int, int]] = []
        for first, rank in enumerate(self.ranks):
            last = max(i for i, other in enumerate(self.ranks) if other - rank <= self.critical_distance)
            if last > first and (not runs or last > runs[-1][1]):
                runs.append((first, last))
        return runs


@dataclass(frozen=True, slots=True)
class Pair:
    """Two players over all rules, by Wilcoxon's signed ranks, with Holm's correction for all pairs."""

    better: str
    worse: str
    p_value: float
    corrected: float


def ranks_of(scores: Sequence[float]) -> list[float]:
    """The rank of each score, the highest first; equal ones share the mean of their ranks."""
    order = sorted(range(len(scores)), key=lambda i: -scores[i])
    ranks = [0.0] * len(scores)
    start = 0
    while start < len(order):
        end = start
        while end + 1 < len(order) and scores[order[end + 1]] == scores[order[start]]:
            end += 1
        for i in order[start : end + 1]:
            ranks[i] = (start + end) / 2.0 + 1.0
        start = end + 1
    return ranks


def compare(scores: Mapping[str, Mapping[str, float]], alpha: float = 0.05) -> Comparison | None:
    """Compare players by their score in each rule (`scores[rule][player]`).

    Rules that lack a player are left out; None where fewer than two players or two rules remain.
    """
    players = sorted({player for row in scores.values() for player in row})
    rows = [[row[player] for player in players] for row in scores.values() if len(row) == len(players)]
    if len(players) < 2 or len(rows) < 2:
        return None
    ranked = [ranks_of(row) for row in rows]
    means = [math.fsum(ranks[i] for ranks in ranked) / len(rows) for i in range(len(players))]
    chi_square, p_value, exact = _friedman(ranked, means)
    order = sorted(range(len(players)), key=lambda i: (means[i], players[i]))
    return Comparison(
        tuple(players[i] for i in order),
        tuple(means[i] for i in order),
        len(rows),
        chi_square,
        p_value,
        critical_distance(len(players), len(rows), alpha),
        alpha,
        _pairs(players, rows),
        exact,
    )


def critical_distance(players: int, rules: int, alpha: float = 0.05) -> float:
    """Nemenyi's: how far two mean ranks must be apart."""
    return range_quantile(1.0 - alpha, players) / math.sqrt(2.0) * math.sqrt(players * (players + 1) / (6.0 * rules))


def _friedman(ranked: Sequence[Sequence[float]], means: Sequence[float]) -> tuple[float, float, bool]:
    """Friedman's chi-square with its correction for ties, its p-value, and whether that is exact.

    Where all rules rank the players alike no larger statistic is possible, and the p-value is how rare that is.
    Otherwise it is that of the F that is made of the statistic.
    """
    n, k = len(ranked), len(means)
    ties = sum(count**3 - count for ranks in ranked for count in Counter(ranks).values())
    correction = 1.0 - ties / (n * k * (k * k - 1))
    if correction <= 1e-12:
        return 0.0, 1.0, True  # everybody is equal everywhere
    squares = math.fsum(mean * mean for mean in means)
    chi_square = 12.0 * n / (k * (k + 1)) * (squares - k * (k + 1) ** 2 / 4.0) / correction
    chi_square = max(0.0, chi_square)
    rest = n * (k - 1) - chi_square
    if rest <= 1e-9 * n * k:
        # All rules agree: F is infinite. Each rule but the first could have had any order of these ranks.
        orders = math.lgamma(k + 1) - math.fsum(math.lgamma(count + 1) for count in Counter(ranked[0]).values())
        return chi_square, math.exp(-(n - 1) * orders), True
    return chi_square, f_above((n - 1) * chi_square / rest, k - 1, (k - 1) * (n - 1)), False


def _pairs(players: Sequence[str], rows: Sequence[Sequence[float]]) -> tuple[Pair, ...]:
    tests: list[tuple[float, str, str]] = []
    for i, j in combinations(range(len(players)), 2):
        differences = [row[i] - row[j] for row in rows]
        p_value, sign = wilcoxon(differences)
        better, worse = (i, j) if sign >= 0 else (j, i)
        tests.append((p_value, players[better], players[worse]))
    tests.sort()
    found, highest = [], 0.0
    for index, (p_value, better_name, worse_name) in enumerate(tests):
        highest = max(highest, min(1.0, p_value * (len(tests) - index)))
        found.append(Pair(better_name, worse_name, p_value, highest))
    return tuple(found)


def wilcoxon(differences: Sequence[float]) -> tuple[float, float]:
    """The two-sided p-value of Wilcoxon's signed-rank test, and the sign of the difference. Zeros do not count.

    With few differences all signs are counted, ties or not; with many the normal distribution stands in.
    """
    sized = [difference for difference in differences if difference]
    n = len(sized)
    if not n:
        return 1.0, 0.0
    ranks = [n + 1 - rank for rank in ranks_of([abs(difference) for difference in sized])]
    total = n * (n + 1) / 2.0
    above = math.fsum(rank for rank, difference in zip(ranks, sized, strict=True) if difference > 0)
    extreme = max(above, total - above)
    sign = math.copysign(1.0, above - total / 2.0) if above != total / 2.0 else 0.0
    if n <= EXACT_RULES:
        return min(1.0, 2.0 * _sums_at_least(ranks, extreme)), sign
    ties = sum(count**3 - count for count in Counter(ranks).values())
    deviation = math.sqrt(n * (n + 1) * (2 * n + 1) / 24.0 - ties / 48.0)
    # Half a rank of continuity: the statistic is discrete.
    return min(1.0, 2.0 * normal_below(-max(0.0, extreme - total / 2.0 - 0.5) / deviation)), sign


def _sums_at_least(ranks: Sequence[float], least: float) -> float:
    """The part of all choices of signs whose positive ranks add up to at least so much."""
    ways: Counter[int] = Counter({0: 1})
    for rank in ranks:  # ranks are whole or half, so doubled they are whole
        step = round(2 * rank)
        more: Counter[int] = Counter(ways)
        for total, count in ways.items():
            more[total + step] += count
        ways = more
    good = sum(count for total, count in ways.items() if total >= round(2 * least))
    return float(good) / float(2 ** len(ranks))
