"""A game played on from a position to its end, or to where the rule can say what it is worth."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from ggtp.game import CHANCE, Move, Player, Position, Result, Standing, Turn, TurnKind, advice
from ggtp.search.hidden.options import WIN, Settings

LONGEST = 5000
"""A playout longer than that is given up, and is a draw."""
TRIED = 3
"""How many moves the greedy policy compares."""
BEST, EVEN = 100.0, 50.0
"""What a win and a draw count where the rule counts no points."""
TIE = 1e-5
"""What they count where it does: so little that points decide."""


class Interrupted(Exception):
    """Time was over in the middle of a playout."""


def worth(result: Result, players: Sequence[Player], aim: str) -> list[float]:
    """What a result counts for each player: the rule's points, or who has won.

    Between equal points, who has won counts as well: whoever plays against a declarer gets the same whatever happens.
    """
    counts = {Standing.WIN: BEST, Standing.DRAW: EVEN, Standing.LOSS: 0.0}
    standings = [counts[result.standings[player]] for player in players]
    if aim == WIN or not all(player in result.scores for player in players):
        return standings
    return [result.scores[player] + TIE * won for player, won in zip(players, standings, strict=True)]


def movers(turn: Turn, rng: random.Random, first: Player | None = None) -> tuple[Player, ...]:
    """Who moves: all, or in a race one of them, whoever is the first."""
    if turn.kind is not TurnKind.RACE:
        return turn.players
    return (first if first in turn.players and first is not None else rng.choice(turn.players),)


class Playouts:
    """Plays games on. What every player has played is noted where somebody wants to know."""

    def __init__(
        self,
        players: Sequence[Player],
        settings: Settings,
        rng: random.Random,
        should_stop: Callable[[], bool],
        horizon: int = advice.HORIZON,
    ) -> None:
        """Playouts of a game.

        Args:
            players: who plays.
            settings: how to play.
            rng: where chance comes from.
            should_stop: whether it is time to stop.
            horizon: after how many turns the rule is asked for its estimate, where it has one and nobody has set a
                depth: so many more playouts find out more than longer ones do.
        """
        self._players = players
        self._horizon = horizon
        self._seats = {player: seat for seat, player in enumerate(players)}
        self._settings = settings
        self._rng = rng
        self._should_stop = should_stop

    def run(self, position: Position, later: list[set[Move]]) -> list[float]:
        """What each player gets; moves that are made on the way are added to `later`, if that is not empty.

        Raises:
            Interrupted: it is time to stop.
        """
        settings, rng = self._settings, self._rng
        estimates = self.estimate(position) is not None
        depth = settings.depth or (self._horizon if estimates else LONGEST)
        for turns in range(LONGEST):
            if self._should_stop():
                raise Interrupted
            turn = position.turn()
            if turn.kind is TurnKind.OVER:
                result = position.result()
                assert result is not None
                return worth(result, self._players, settings.aim)
            if turns >= depth and turn.kind is not TurnKind.CHANCE:
                guess = self.estimate(position)
                if guess is not None:
                    return guess
            if turn.kind is TurnKind.CHANCE:
                position = position.play({CHANCE: position.draw(rng)}).position
                continue
            if estimates and settings.greedy and turn.kind is TurnKind.SINGLE:
                move, position = self._greedy(position, turn.players[0])
                moves: Mapping[Player, Move] = {turn.players[0]: move}
            else:
                moves = {player: advice.casual(position, player, rng) for player in movers(turn, rng)}
                position = position.play(moves).position
            if later:
                for player, move in moves.items():
                    later[self._seats[player]].add(move)
        return [EVEN] * len(self._players)

    def estimate(self, position: Position) -> list[float] | None:
        """What the rule says that a position is worth to each player, if it says anything."""
        found = [advice.estimate(position, player) for player in self._players]
        known = [guess for guess in found if guess is not None]
        return known if len(known) == len(found) else None

    def _greedy(self, position: Position, player: Player) -> tuple[Move, Position]:
        """Of a few moves the one after which things look best."""
        listed = advice.likely(position, player)
        few = self._rng.sample(listed, TRIED) if len(listed) > TRIED else listed
        found: tuple[Move, Position] | None = None
        best = 0.0
        for move in few:
            after = position.play({player: move}).position
            result = after.result()
            if result is not None:
                value = worth(result, (player,), self._settings.aim)[0]
            else:
                value = advice.estimate(after, player) or 0.0
            if found is None or value > best:
                found, best = (move, after), value
        assert found is not None
        return found
