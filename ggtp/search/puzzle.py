"""Best-first search for a plan over positions of one player without chance: what is nearest to a win first.

The value of a position is what the rule would give for it, if it gives anything before the end,
less the steps to it. Equal positions are looked at once.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable

from ggtp.game import Move, Player, Position, Result, Standing, TurnKind, advice

MOST = 200_000
"""How many positions are remembered."""
PERFECT = 100.0
"""Points beyond which nobody looks, where points are from 0 to 100."""


def worth(result: Result, player: Player) -> float:
    """What a result is worth, from 0 to 100 where the rule counts so; a win is worth more than any loss."""
    points = result.scores.get(player)
    won = result.standings.get(player) is Standing.WIN
    if points is None:
        return PERFECT if won else 0.0
    return float(points) if 0 <= points <= PERFECT else (PERFECT if won else 0.0)


class PuzzleSearch:
    """A search that can be interrupted: `run` as often as wanted, until it is `over`."""

    def __init__(self, root: Position, player: Player, score_weight: float = 1.0, most: int = MOST) -> None:
        """From a position in which the player moves; with a weight of nothing it is breadth-first."""
        self.root = root
        self._player, self._weight, self._most = player, score_weight, most
        self._heap: list[tuple[float, int, Position, int]] = []
        self._ways: list[tuple[int, Move]] = [(-1, "")]
        self._seen: set[Hashable] = {root.key()}
        self.expanded = 0
        self.best: tuple[float, list[Move]] | None = None
        """The best end that was found, and the way to it."""
        heapq.heappush(self._heap, (0.0, 0, root, 0))

    @property
    def over(self) -> bool:
        """Whether nothing better can be found, or there is no more room."""
        perfect = self.best is not None and self.best[0] >= PERFECT
        return perfect or not self._heap or len(self._seen) >= self._most

    def run(self, should_stop: Callable[[], bool]) -> None:
        """Searches until it is over, or somebody says stop."""
        while not self.over and not should_stop():
            _, number, position, depth = heapq.heappop(self._heap)
            self.expanded += 1
            for move in position.moves(self._player):
                after = position.play({self._player: move}).position
                key = after.key()
                if key in self._seen:
                    continue
                self._seen.add(key)
                self._ways.append((number, move))
                child = len(self._ways) - 1
                result = after.result()
                if result is not None:
                    value = worth(result, self._player)
                    if self.best is None or value > self.best[0]:
                        self.best = (value, self._way(child))
                    continue
                if after.turn().kind is TurnKind.SINGLE and self._player in after.turn().players:
                    heapq.heappush(self._heap, (depth + 1 - self._weight * self._hope(after), child, after, depth + 1))

    def _hope(self, position: Position) -> float:
        """What the rule would give already now, where it tells."""
        estimate = advice.estimate(position, self._player)
        return float(estimate) if estimate is not None else 0.0

    def _way(self, number: int) -> list[Move]:
        moves: list[Move] = []
        while number > 0:
            number, move = self._ways[number]
            moves.append(move)
        return moves[::-1]
