"""The rule's own points: what a player has in a game on average, and how sure that is.

Scores from 0 to 1 say who was ahead, and by that alone who wins many small pots and loses a great one is the better
player. Where a rule counts chips or points, their mean says what there is to say.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ggtp.stats.distributions import student_quantile
from ggtp.tournament.results import Game

CONFIDENCE = 0.95
FEWEST = 2
"""Fewer blocks tell nothing of how much blocks differ."""
BY_STANDING = {"win": 100, "draw": 50, "loss": 0}
"""Points that say no more than who has won."""


@dataclass(slots=True)
class Purse:
    """One player's points a game, over complete blocks; sums only, so that it does not grow with their number."""

    blocks: int = 0
    distinct: int = 0
    """How many blocks differ move by move: so many are evidence."""
    mean: float = 0.0
    _squares: float = 0.0
    """The sum of the squares of the distances from the mean."""

    def add(self, points: float, *, repeated: bool = False) -> None:
        """A block with so many points a game, and whether one like it was there before."""
        self.blocks += 1
        self.distinct += not repeated
        before = points - self.mean
        self.mean += before / self.blocks
        self._squares += before * (points - self.mean)

    @property
    def error(self) -> float | None:
        """How far the true mean may be from the mean, with 95 % confidence by Student's distribution; None: unknown."""
        if self.distinct < FEWEST:
            return None
        deviation = math.sqrt(self._squares / (self.blocks - 1))
        return student_quantile(CONFIDENCE, self.distinct - 1) * deviation / math.sqrt(self.distinct)

    def text(self) -> str:
        """`+1.24 ± 0.48`."""
        error = self.error
        return f"{self.mean:+.2f}" if error is None else f"{self.mean:+.2f} ± {error:.2f}"


def player_points(game: Game) -> dict[str, float]:
    """Player to its points, the mean over its seats; empty where the rule gave no points, or only some."""
    if not game.counts or not all(seat in game.points for seat in game.plan.seats):
        return {}
    found: dict[str, list[float]] = {}
    for seat, player in game.plan.seats.items():
        found.setdefault(player, []).append(float(Fraction(game.points[seat])))
    return {player: math.fsum(points) / len(points) for player, points in found.items()}


def telling(game: Game) -> bool:
    """Whether the points of a game say more than who has won it."""
    return any(Fraction(text) != BY_STANDING.get(game.standings.get(seat, "")) for seat, text in game.points.items())


def block_points(games: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Each player's points a game in a block; empty where a game has none."""
    if not all(games):
        return {}
    found: dict[str, list[float]] = {}
    for points in games:
        for player, own in points.items():
            found.setdefault(player, []).append(own)
    return {player: math.fsum(own) / len(own) for player, own in found.items()}
