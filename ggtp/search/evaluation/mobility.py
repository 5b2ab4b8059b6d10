"""What mobility is worth in a game of two that nobody has explained: learned from random games.

From positions of random games, many games are played on: how often they are won is compared with how much both can do
there. In many games the one has nothing to do with the other, and then nothing is changed. Where it has, good players
make more of a lead than random ones, so that it counts several times: a search that weighs heuristic values against
playouts would overlook differences of a point or two, which decide between equals.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence

import numpy as np
import numpy.typing as npt

from ggtp.gdl.kernel.playouts import PlayoutKernel
from ggtp.gdl.network.network import RANDOM
from ggtp.search.evaluation.samples import Played

EACH = 16
"""Games that are played on from a position."""
CERTAIN = 3.0
"""How many times its own error a slope must be to be believed."""
STRETCHED = 5.0
"""How many times as much a lead is worth among good players as among random ones."""
MOST = 8.0
"""How many times a lead counts, at most."""

Reals = npt.NDArray[np.float64]
Indexes = npt.NDArray[np.int64]


def learn_mobility_weight(games: Sequence[Played], kernel: PlayoutKernel) -> Generator[bool, None, float]:
    """How many times a lead in mobility counts, at least once; the work is done in small pieces, and yields False.

    Args:
        games: whose positions are played on from.
        kernel: plays.
    """
    players = [role for role, name in enumerate(kernel.program.network.roles) if name != RANDOM]
    if len(players) != 2:
        return 1.0
    states = np.concatenate([game.states for game in games])
    choices = np.concatenate([game.choices for game in games])[:, players]
    results = np.zeros(len(states))
    together = max(1, kernel.lanes // EACH)
    for start in range(0, len(states), together):
        some = states[start : start + together]
        goals = kernel.run_from(np.repeat(some, EACH, axis=0)).goals[:, players[0]]
        results[start : start + together] = goals.reshape(len(some), EACH).mean(axis=1)
        yield False
    game = np.repeat(np.arange(len(games)), [len(each.states) for each in games])
    moments = np.concatenate([each.moments for each in games])
    return min(MOST, max(1.0, STRETCHED * slope(choices, results, game, moments)))


def slope(choices: Indexes, results: Reals, games: Indexes, moments: Indexes) -> float:
    """How many points the first of two gets more with a point more of all that both can do; 0 where it is uncertain.

    Args:
        choices: how many moves both have, position after position; 0 where that is not known.
        results: the points of the first of them.
        games: which game each position is of: those of one game err together.
        moments: how far its game has come: positions are compared with others that have come as far. In Quarto, where
            a turn is two moves with many choices and few, whoever is to place a piece can do more and wins more often,
            but no move of its own makes it so.
    """
    known = (choices > 0).all(axis=1)
    if not known.any():
        return 0.0
    lead = _beside_others(100.0 * choices[known, 0] / choices[known].sum(axis=1), moments[known])
    result = _beside_others(results[known], moments[known])
    size = float((lead * lead).sum())
    if size <= 0.0:
        return 0.0
    found = float((lead * result).sum()) / size
    wrong = np.bincount(games[known], weights=lead * (result - found * lead))
    error = float((wrong * wrong).sum()) ** 0.5 / size
    return found if found > CERTAIN * error else 0.0


def _beside_others(numbers: Reals, groups: Indexes) -> Reals:
    """By how much each differs from the mean of its group."""
    means = np.bincount(groups, weights=numbers) / np.maximum(1, np.bincount(groups))
    return np.asarray(numbers - means[groups])
