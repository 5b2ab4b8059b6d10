"""Random games from positions of rules in Python, and what their results are worth."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from ggtp.game import CHANCE, Move, Player, Position, Result, Standing, TurnKind, advice
from ggtp.search.mcts.positions.tree import Values

LONGEST = 5000
"""A playout longer than that is given up, and worth nothing to nobody."""


class Interrupted(Exception):
    """Time was over in the middle of a playout."""


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


class RandomPlay:
    """Plays at random to the end."""

    def __init__(self, players: Sequence[Player], rng: random.Random, *, closed: bool) -> None:
        """Who plays, the one source of chance, and whether the rules have no chance of their own."""
        self._players = players
        self._seats = {player: seat for seat, player in enumerate(players)}
        self._rng = rng
        self._closed = closed

    def play(
        self, position: Position, should_stop: Callable[[], bool], later: list[set[Move]], played: list[Move]
    ) -> Values:  # fmt: skip
        """Play to the end.

        Args:
            position: where to begin.
            should_stop: is asked before every move.
            later: for each seat, where its moves are noted; empty where nobody wants to know.
            played: where one player's moves are noted in their order; those of several are not.

        Returns:
            What each player got.

        Raises:
            Interrupted: somebody said stop.
        """
        rng = self._rng
        note = bool(later) or len(self._players) == 1
        searcher = advice.searcher(position) if self._closed and position.turn().kind is TurnKind.SINGLE else None
        if searcher is not None:
            for _ in range(LONGEST):
                seat = searcher.to_move()
                if seat < 0:
                    return tuple(score / 100 for score in searcher.scores())
                if should_stop():
                    raise Interrupted
                legal = searcher.legal()
                number = legal[int(rng.random() * len(legal))]
                if note:
                    self._note(seat, searcher.text(number), later, played)
                searcher.play(number)
            return (0.0,) * len(self._players)
        for _ in range(LONGEST):
            if should_stop():
                raise Interrupted
            turn = position.turn()
            if turn.kind is TurnKind.OVER:
                result = position.result()
                assert result is not None
                return result_values(result, self._players)
            if turn.kind is TurnKind.CHANCE:
                position = position.play({CHANCE: position.draw(rng)}).position
                continue
            moves = {player: rng.choice(position.moves(player)) for player in turn.players}
            if note:
                for player, move in moves.items():
                    self._note(self._seats[player], move, later, played)
            position = position.play(moves).position
        return (0.0,) * len(self._players)

    def _note(self, seat: int, move: Move, later: list[set[Move]], played: list[Move]) -> None:
        if later:
            later[seat].add(move)
        if len(self._players) == 1:
            played.append(move)
