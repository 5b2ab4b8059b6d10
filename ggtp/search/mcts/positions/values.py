"""What results are worth in a tree search over positions: values from 0 to 1."""

from __future__ import annotations

from collections.abc import Sequence

from ggtp.game import Player, Result, Standing
from ggtp.search.playouts.policy import Values


def result_values(result: Result, players: Sequence[Player]) -> Values:
    """What a result is worth to each player: points on the scale to 100, else who has won."""
    points = [float(score) for player in players if (score := result.scores.get(player)) is not None]
    if len(points) == len(players) and all(0 <= point <= 100 for point in points):
        if len(players) == 1 or max(points) > 0 or set(result.standings.values()) == {Standing.LOSS}:
            return tuple(point / 100 for point in points)
    elif len(points) == 1 == len(players):
        return (0.5 + 0.5 * points[0] / (abs(points[0]) + 100),)  # any score has its place on the scale
    worth = {Standing.WIN: 1.0, Standing.DRAW: 0.5, Standing.LOSS: 0.0}
    return tuple(worth[result.standings[player]] for player in players)
