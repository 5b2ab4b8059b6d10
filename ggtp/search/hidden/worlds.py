"""The positions that a search of a game with secrets looks at: tables, and what each may be as well."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from ggtp.game import Player, Position, advice

SHARE = 0.3
"""How much of the time may go into finding positions, once there is one."""


class Worlds:
    """Positions that explain what a player has seen, more of them as time goes by.

    The first is there from the beginning. Others come from `more`, which may take its time: no more than a share of
    the time is given to it. A position that the rule can draw anew from what the player sees is drawn anew.
    """

    def __init__(
        self,
        player: Player,
        first: Position,
        more: Iterator[Position],
        most: int,
        rng: random.Random,
        clock: Callable[[], float] | None,
    ) -> None:
        """A pool of one position.

        Args:
            player: whose knowledge they explain.
            first: the position to begin with.
            more: others.
            most: how many to keep.
            rng: where chance comes from.
            clock: tells the time; None where any time may be taken, so that equal seeds make equal searches.
        """
        self.positions = [first]
        self.drawn = 0
        """How many positions were drawn anew."""
        self._player = player
        self._moves = frozenset(first.moves(player))
        self._more: Iterator[Position] | None = more
        self._most = most
        self._rng = rng
        self._sparing = clock is not None
        self._clock = clock or (lambda: 0.0)
        self._began = self._clock()
        self._spent = 0.0
        self._next = 0
        self._draws = True

    def grow(self) -> None:
        """Take one more position if there is time, room, and one to have."""
        if self._more is None or len(self.positions) >= self._most or not self._affordable():
            return
        before = self._clock()
        found = next(self._more, None)
        self._spent += self._clock() - before
        if found is None:
            self._more = None
        elif self._fits(found):
            self.positions.append(found)

    def next(self) -> tuple[int, Position]:
        """The table whose turn it is, and its position."""
        number = self._next = (self._next + 1) % len(self.positions)
        return number, self.positions[number]

    def fresh(self) -> Position:
        """The next position, drawn anew where the rule can do that and there is time."""
        number, position = self.next()
        if not self._draws or not self._affordable():
            return position
        before = self._clock()
        other = advice.determinize(position, self._player, self._rng)
        self._spent += self._clock() - before
        if other is None or other is position:
            self._draws = False
            return position
        if self._fits(other):
            self.drawn += 1
            self.positions[number] = position = other
        return position

    def _fits(self, position: Position) -> bool:
        """Whether the player can do there what it can do at the first: what it can't tell apart has the same moves."""
        return self._player in position.turn().players and self._moves == frozenset(position.moves(self._player))

    def _affordable(self) -> bool:
        return not self._sparing or self._spent <= SHARE * (self._clock() - self._began)
