"""THE loop of playouts over positions: from a leaf to the end, or to where a position can be judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from ggtp.game import CHANCE, Move, Position, Searcher, TurnKind, advice
from ggtp.search.playouts.policy import Context, Mover, Values

LONGEST = 5000
"""A playout longer than this is given up."""


class Interrupted(Exception):
    """Time was over in the middle of a playout."""


class Judge(Protocol):
    """Says what a position is worth before the end."""

    def depth(self, position: Position) -> int:
        """How many turns to play on from a position before judging."""

    def values(self, position: Position) -> Values | None:
        """What a position is worth to each player; None where that can't be said."""


class Playouts:
    """Plays games on. Which moves each player has made is noted where somebody wants to know."""

    def __init__(
        self, context: Context, mover: Mover, *, unfinished: float, judge: Judge | None = None, searchers: bool = False
    ) -> None:
        """Playouts of a game.

        Args:
            context: who plays, with which chance, and what results are worth.
            mover: chooses the moves.
            unfinished: what a playout that is given up is worth to every player.
            judge: judges positions before the end; None where all is played to the end.
            searchers: whether the rule's fast path may be taken, whose values are from 0 to 1; it has no chance.
        """
        self._context, self._mover = context, mover
        self._unfinished = (unfinished,) * len(context.players)
        self._judge = judge
        self._searchers = searchers and mover.on_searchers
        self._seats = {player: seat for seat, player in enumerate(context.players)}
        self._alone = len(context.players) == 1

    def play(
        self, position: Position, should_stop: Callable[[], bool], later: Sequence[set[Move]], played: list[Move]
    ) -> Values:
        """Play on from a position.

        Args:
            position: where to begin.
            should_stop: is asked before every move.
            later: for each seat, where its moves are noted; empty where nobody wants to know.
            played: where the moves of a player who plays alone are noted in their order.

        Returns:
            What each player got.

        Raises:
            Interrupted: somebody said stop.
        """
        mover, rng = self._mover, self._context.rng
        mover.start(position)
        note = bool(later) or self._alone
        if self._searchers and position.turn().kind is TurnKind.SINGLE:
            searcher = advice.searcher(position)
            if searcher is not None:
                return self._run(searcher, should_stop, later, played)
        depth = LONGEST if self._judge is None else self._judge.depth(position)
        for turns in range(LONGEST):
            if should_stop():
                raise Interrupted
            turn = position.turn()
            kind = turn.kind
            if kind is TurnKind.OVER:
                result = position.result()
                assert result is not None
                return self._context.worth(result)
            if kind is TurnKind.CHANCE:
                position = position.play({CHANCE: position.draw(rng)}).position
                continue
            if turns >= depth and self._judge is not None and (values := self._judge.values(position)) is not None:
                return values
            moves, position = mover.step(position, turn)
            if note:
                for player, move in moves.items():
                    self._note(self._seats[player], move, later, played)
        return self._unfinished

    def _run(
        self, searcher: Searcher, should_stop: Callable[[], bool], later: Sequence[set[Move]], played: list[Move]
    ) -> Values:
        """The same by the rule's fast path."""
        note = bool(later) or self._alone
        random, pick = self._context.rng.random, self._mover.pick if self._mover.picks else None
        for _ in range(LONGEST):
            seat = searcher.to_move()
            if seat < 0:
                return tuple(score / 100 for score in searcher.scores())
            if should_stop():
                raise Interrupted
            legal = searcher.legal()
            number = legal[int(random() * len(legal))] if pick is None else pick(searcher, seat, legal)
            if note:
                self._note(seat, searcher.text(number), later, played)
            searcher.play(number)
        return self._unfinished

    def _note(self, seat: int, move: Move, later: Sequence[set[Move]], played: list[Move]) -> None:
        if later:
            later[seat].add(move)
        if self._alone:
            played.append(move)
