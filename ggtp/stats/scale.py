"""Ratings on one scale from the results of pairs, in little time: for tables that are shown while games are played.

The scale is that of the joint ratings (`ggtp.stats.ratings`): the mean of the players is 0, and the difference of two
is how much better one is than the other. Ratings are those whose differences fit those of the pairs best, by weighted
least squares. Players that no chain of games joins have means of their own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from ggtp.stats.distributions import Z95
from ggtp.stats.elo import ELO_SCALE, Estimate, bounded_elo, elo
from ggtp.stats.sample import Sample

ANCHOR: Final = "the mean of the players is 0"
"""What ratings are measured from, in every table."""

FEW: Final = 16
"""Up to so many players are rated in plain arithmetic."""

_Matrix: TypeAlias = list[list[float]]


class Met(NamedTuple):
    """What two players made of each other."""

    sample: Sample
    """Blocks, from the first one's side: 1 where it was ahead in all games."""
    table: float = 2.0
    """How many players sat at their tables, on average: the pairs of one table share its luck."""


def on_one_scale(players: Sequence[str], pairs: Mapping[tuple[str, str], Met]) -> dict[str, Estimate]:
    """Return each player's rating with its 95 % error; unknown for those who met nobody."""
    found = dict.fromkeys(players, Estimate(None, None, None))
    known = {pair: met for pair, met in pairs.items() if met.sample.units}
    for group in _joined(players, known):
        if len(group) == 2:
            pair = next(pair for pair in known if set(pair) == set(group))
            found |= _of_two(pair, known[pair].sample)
        elif len(group) > 2:
            found |= _fitted(group, {pair: met for pair, met in known.items() if pair[0] in group})
    return found


def bounded_ratings(players: Sequence[str], pairs: Mapping[tuple[str, str], Met]) -> dict[str, float]:
    """The same as numbers, also where everything was won: each pair has one more block imagined, half of it won."""
    known = {pair: met for pair, met in pairs.items() if met.sample.units}
    found = dict.fromkeys(players, 0.0)
    for group in _joined(players, known):
        rated = _fitted(group, {pair: met for pair, met in known.items() if pair[0] in group})
        found |= {player: estimate.value or 0.0 for player, estimate in rated.items()}
    return found


def _of_two(pair: tuple[str, str], sample: Sample) -> dict[str, Estimate]:
    """Half of the difference each, with all that is known of it: of a perfect score only one bound."""
    estimate = elo(sample)
    value, low, high = (None if x is None else x / 2.0 for x in (estimate.value, estimate.low, estimate.high))
    turned = (None if x is None else -x for x in (value, high, low))
    return {pair[0]: Estimate(value, low, high), pair[1]: Estimate(*turned)}


def _fitted(group: Sequence[str], pairs: Mapping[tuple[str, str], Met]) -> dict[str, Estimate]:
    place = {player: index for index, player in enumerate(group)}
    size = len(group)
    # The Laplacian of the pairs' weights. What is added to each entry makes the mean of the ratings 0.
    matrix = [[1.0 / size] * size for _ in group]
    right = [0.0] * size
    for (one, other), met in pairs.items():
        i, j = place[one], place[other]
        weight = 1.0 / _variance(met)
        difference = bounded_elo(met.sample)
        matrix[i][i] += weight
        matrix[j][j] += weight
        matrix[i][j] -= weight
        matrix[j][i] -= weight
        right[i] += weight * difference
        right[j] -= weight * difference
    inverse = _inverted(matrix)
    values = [math.fsum(x * y for x, y in zip(row, right, strict=True)) for row in inverse]
    errors = [Z95 * math.sqrt(max(0.0, inverse[i][i] - 1.0 / size)) for i in range(size)]
    return {
        player: Estimate(value, value - error, value + error)
        for player, value, error in zip(group, values, errors, strict=True)
    }


def _variance(met: Met) -> float:
    """Of the difference, by the slope of Elo over the score, with one imagined block as everywhere."""
    sample = met.sample
    units = sample.units + 1.0
    mean = (sample.mean * sample.units + 0.5) / units
    return ELO_SCALE**2 * sample.spread() / (units * mean * (1.0 - mean)) * met.table / 2.0


def _joined(players: Sequence[str], pairs: Mapping[tuple[str, str], Met]) -> list[list[str]]:
    """The players in groups, each joined by games."""
    groups = {player: [player] for player in players}
    for one, other in pairs:
        if groups[one] is not groups[other]:
            groups[one] += groups[other]
            for player in groups[other]:
                groups[player] = groups[one]
    found: list[list[str]] = []
    for player in players:
        if groups[player] not in found:
            found.append(groups[player])
    return found


def _inverted(matrix: Sequence[Sequence[float]]) -> _Matrix:
    """The inverse of a symmetric matrix that is positive definite, by elimination."""
    size = len(matrix)
    if size > FEW:
        import numpy as np  # takes a moment to load, which few players do not need

        inverse: _Matrix = np.linalg.inv(np.array(matrix)).tolist()
        return inverse
    rows = [[*map(float, row), *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        top = [x / rows[column][column] for x in rows[column]]
        rows[column] = top
        for index, row in enumerate(rows):
            if index != column and row[column]:
                factor = row[column]
                rows[index] = [x - factor * y for x, y in zip(row, top, strict=True)]
    return [row[size:] for row in rows]
