"""Ending a game before its rule does: what engines agree on, and what an exact search can prove."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from ggtp.game import Position, Result, Standing, TurnKind
from ggtp.tournament.plan.plan import Adjudication

VALUE = "value"
"""The fact of a report that holds the score, from 0 to 100, that the engine expects for itself."""


class TooManyNodes(Exception):
    """The search was not done when its nodes were."""


def solve(position: Position, seats: Sequence[str], nodes: int) -> Result | None:
    """The result of perfect play from here, or None where it is not known after so many positions.

    Only for two players who know everything, move one after the other, and have opposite
    interests; dice are not looked through.
    """
    if len(seats) != 2:
        return None
    search = _Search(seats, nodes)
    try:
        value = search.value(position)
    except TooManyNodes:
        return None
    if value is None:
        return None
    words = {1: (Standing.WIN, Standing.LOSS), 0: (Standing.DRAW, Standing.DRAW), -1: (Standing.LOSS, Standing.WIN)}
    reason = "a draw with best play" if value == 0 else f"{seats[0] if value > 0 else seats[1]} wins with best play"
    return Result(dict(zip(seats, words[value], strict=True)), {}, f"adjudicated: {reason}")


@dataclass(slots=True)
class _Search:
    """Alpha-beta over win, draw and loss for the first seat, with all exact values remembered."""

    seats: Sequence[str]
    nodes: int
    known: dict[Hashable, int] = field(default_factory=dict)

    def value(self, position: Position, low: int = -1, high: int = 1) -> int | None:
        """1, 0 or -1 for the first seat; None where a position is not of the kind that can be searched."""
        result = position.result()
        if result is not None:
            standing = result.standings.get(self.seats[0], Standing.DRAW)
            return 1 if standing is Standing.WIN else -1 if standing is Standing.LOSS else 0
        turn = position.turn()
        if turn.kind is not TurnKind.SINGLE:
            return None
        key = (turn.players[0], position.key())
        if key in self.known:
            return self.known[key]
        if self.nodes <= 0:
            raise TooManyNodes
        self.nodes -= 1
        first = turn.players[0] == self.seats[0]
        best = -1 if first else 1
        a, b = low, high
        for move in position.moves(turn.players[0]):
            value = self.value(position.play({turn.players[0]: move}).position, a, b)
            if value is None:
                return None
            best = max(best, value) if first else min(best, value)
            a, b = (max(a, best), b) if first else (a, min(b, best))
            if a >= b:
                break
        # A cut leaves a bound. A win or a loss is exact all the same, since there is nothing beyond it.
        if best or low < 0 < high:
            self.known[key] = best
        return best


@dataclass(slots=True)
class Agreement:
    """What the engines of a game for two have said of their chances, move by move."""

    rules: Adjudication
    seats: Sequence[str]
    said: dict[str, list[float]] = field(default_factory=dict)

    def hear(self, seat: str, report: Mapping[str, str]) -> Result | None:
        """One more report; a result where all agree on it for long enough."""
        if len(self.seats) != 2:
            return None
        try:
            value = float(report.get(VALUE, ""))
        except ValueError:
            self.said.pop(seat, None)  # it does not say: nothing is agreed on
            return None
        self.said.setdefault(seat, []).append(value)
        return self._resigned() or self._drawn()

    def _resigned(self) -> Result | None:
        limit, count = self.rules.resign_score, self.rules.resign_moves
        if not limit:
            return None
        for loser, winner in (self.seats, tuple(reversed(self.seats))):
            lost, won = self.said.get(loser, [])[-count:], self.said.get(winner, [])[-count:]
            if (
                len(lost) == len(won) == count
                and all(value <= limit for value in lost)
                and all(value >= 100 - limit for value in won)
            ):
                standings = {seat: Standing.LOSS if seat == loser else Standing.WIN for seat in self.seats}
                return Result(standings, {}, f"adjudicated: both engines agree that {loser} has lost")
        return None

    def _drawn(self) -> Result | None:
        limit, count = self.rules.draw_score, self.rules.draw_moves
        if not limit:
            return None
        latest = [self.said.get(seat, [])[-count:] for seat in self.seats]
        if all(len(values) == count and all(abs(value - 50) <= limit for value in values) for values in latest):
            return Result(dict.fromkeys(self.seats, Standing.DRAW), {}, "adjudicated: both engines agree on a draw")
        return None
