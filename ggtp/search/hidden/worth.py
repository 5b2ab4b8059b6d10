"""What results are worth to the players of a game with secrets, and positions of which the rule can tell."""

from __future__ import annotations

from collections.abc import Sequence

from ggtp.game import Player, Position, Result, Standing, advice
from ggtp.search.hidden.options import WIN
from ggtp.search.playouts.loop import LONGEST

BEST, EVEN = 100.0, 50.0
"""What a win and a draw count where the rule counts no points."""
TIE = 1e-5
"""What they count where it does: so little that points decide."""


def worth(result: Result, players: Sequence[Player], aim: str) -> list[float]:
    """What a result counts for each player: the rule's points, or who has won.

    Between equal points, who has won counts as well: whoever plays against a declarer gets the same whatever happens.
    """
    counts = {Standing.WIN: BEST, Standing.DRAW: EVEN, Standing.LOSS: 0.0}
    standings = [counts[result.standings[player]] for player in players]
    if aim == WIN or not all(player in result.scores for player in players):
        return standings
    return [result.scores[player] + TIE * won for player, won in zip(players, standings, strict=True)]


class Horizon:
    """Judges positions by the rule's estimate, once a playout has gone on for some turns."""

    def __init__(self, players: Sequence[Player], horizon: int, depth: int) -> None:
        """How many turns to play on first.

        Args:
            players: for whom to judge.
            horizon: the turns where the rule estimates and nobody has set a depth: so many more playouts find out
                more than longer ones do.
            depth: the turns that somebody has set; 0 where nobody has.
        """
        self._players, self._horizon, self._depth = players, horizon, depth

    def depth(self, position: Position) -> int:
        """How many turns to play on from a position; to the end, where the rule does not estimate."""
        return self._depth or (self._horizon if self.values(position) is not None else LONGEST)

    def values(self, position: Position) -> list[float] | None:
        """What the rule says that a position is worth to each player, if it says anything."""
        found = [advice.estimate(position, player) for player in self._players]
        known = [value for value in found if value is not None]
        return known if len(known) == len(found) else None
