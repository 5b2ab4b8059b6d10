"""What can be forced in a game in which two take turns: whether one wins within so many moves, whatever the other does.

There are no heuristic values, and the answer is yes or no: one reply that holds is as good as all, so that far fewer
positions are looked at than by a search for the best move. What was found is kept by position, for each of the two.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence

from ggtp.search.cache import weight
from ggtp.search.minimax.plan import OutOfTime
from ggtp.search.minimax.walk import OVER, Walk

ENTRY_BYTES = 200
"""What a position takes in the tables, roughly, beside its key."""
ORDERED_FROM = 3
"""How many moves must be left to look ahead for it to be worth while to put moves in order."""
QUICK, STRIDE = 0.0002, 64
"""Where positions are made so fast, only each of up to so many asks whether to stop: asking takes as long as a move."""
FULL_SCORE = 100

OPEN = 0
"""Nothing is proven: not within so many moves."""
NEVER = -(1 << 20)
"""However long it takes, it is not won."""


class Proofs:
    """What is known of positions, up to a number of bytes: when it is full, all goes."""

    def __init__(self, ceiling: int) -> None:
        self.nodes = 0
        """How many positions were made, in all."""
        self.due = 0
        """At how many of them somebody is asked whether to stop."""
        self.known: tuple[dict[Hashable, int], ...] = ({}, {})
        """For each player, by position: within how many moves it wins; or, below zero, within how many it does not."""
        self.replies: dict[Hashable, int] = {}
        """The move that won, or held, when the position was last looked at."""
        self.cuts: dict[int, int] = {}
        """How often moves of either player have decided something: such are tried early."""
        self._ceiling = ceiling
        self._most = 0
        """How many positions each table may have, once it is known how large they are."""
        self._last, self._stride, self._asked = 0, 1, 0.0
        self._should_stop: Callable[[], bool] = lambda: False

    def __len__(self) -> int:
        return len(self.known[0]) + len(self.known[1])

    def begin(self, should_stop: Callable[[], bool], most: int | None = None) -> None:
        """Begin to look ahead, until somebody says stop, or so many positions were looked at."""
        self._should_stop = should_stop
        self._last = -1 if most is None else self.nodes + most
        self._stride, self.due = 1, self.nodes
        self._asked = time.monotonic()

    def ask(self) -> None:
        """Find out whether to stop, and when to ask again.

        Raises:
            OutOfTime: the search must end now.
        """
        if self._should_stop() or self.nodes == self._last:  # a number, so that equal searches end alike
            raise OutOfTime
        now = time.monotonic()
        self._stride = min(STRIDE, 2 * self._stride) if now - self._asked < QUICK else 1
        self._asked = now
        self.due = self.nodes + self._stride
        if self._last >= 0:
            self.due = min(self.due, self._last)

    def keep(self, attacker: int, key: Hashable, length: int) -> None:
        """Remember whether somebody wins in a position."""
        known = self.known[attacker]
        if len(known) >= self._most:
            if not self._most:
                self._most = max(1, self._ceiling // (2 * (weight(key) + ENTRY_BYTES)))
            else:
                known.clear()
                self.replies.clear()
        known[key] = length


class Attack:
    """Looks for what one of the two can force."""

    def __init__(self, walk: Walk, attacker: int, proofs: Proofs) -> None:
        """An attack from wherever the walk stands when it is asked.

        Args:
            walk: where it ends when the search is interrupted is not defined.
            attacker: the seat of who is to win.
            proofs: what is known already, and when to stop.
        """
        self._walk = walk
        self._attacker = attacker
        self._proofs = proofs
        self._threat = -1
        """The move that won at once where something was last won."""

    def length(self, depth: int) -> int:
        """How many positions lie on the way to where the attacker has won, this one and the last one counted.

        `OPEN` where it does not win within `depth` moves, as far as is known, and `NEVER` where it never does.

        Raises:
            OutOfTime: the search must end now.
        """
        walk = self._walk
        mover = walk.mover()
        if mover == OVER:
            return 1 if walk.scores()[self._attacker] >= FULL_SCORE else NEVER
        if depth <= 0 or (depth == 1 and mover != self._attacker):
            return OPEN  # who loses by a move of its own is seen to do so one level later
        proofs = self._proofs
        if proofs.nodes >= proofs.due:
            proofs.ask()
        proofs.nodes += 1
        key = walk.key()
        before = proofs.known[self._attacker].get(key)
        if before is not None and (before > OPEN or before <= -depth):
            return before if before > OPEN or before == NEVER else OPEN
        if mover == self._attacker:
            found = self._attacked(key, depth, looked=before is not None)
        else:
            found = self._defended(key, depth)
        proofs.keep(self._attacker, key, -depth if found == OPEN else found)
        return found

    def _attacked(self, key: Hashable, depth: int, *, looked: bool) -> int:
        """One move that wins is enough."""
        walk, attacker, proofs = self._walk, self._attacker, self._proofs
        moves = walk.moves()
        if not looked:
            for move in moves:
                if proofs.nodes >= proofs.due:
                    proofs.ask()
                proofs.nodes += 1
                walk.play(move)
                won = walk.mover() == OVER and walk.scores()[attacker] >= FULL_SCORE
                walk.undo()
                if won:
                    self._threat = move
                    return 2
        if depth == 1:
            return OPEN
        never = True
        for move in self._ordered(key, moves, depth):
            walk.play(move)
            found = self.length(depth - 1)
            walk.undo()
            if found > OPEN:
                self._decided(key, move, depth)
                return found + 1
            never = never and found == NEVER
        return NEVER if never else OPEN

    def _defended(self, key: Hashable, depth: int) -> int:
        """One move that holds is enough."""
        walk = self._walk
        longest = 0
        left = list(self._ordered(key, walk.moves(), depth))
        self._threat = -1
        while left:
            # What would win at once is often held by whoever makes that very move first.
            place = left.index(self._threat) if self._threat in left else 0
            move = left.pop(place)
            self._threat = -1
            walk.play(move)
            found = self.length(depth - 1)
            walk.undo()
            if found <= OPEN:
                self._decided(key, move, depth)
                return found
            longest = max(longest, found)
        return longest + 1

    def _ordered(self, key: Hashable, moves: Sequence[int], depth: int) -> Sequence[int]:
        hint = self._proofs.replies.get(key)
        if depth >= ORDERED_FROM:
            cuts = self._proofs.cuts
            moves = sorted(moves, key=lambda move: -cuts.get(move, 0))
        if hint is not None and hint in moves:
            return [hint, *(move for move in moves if move != hint)]
        return moves

    def _decided(self, key: Hashable, move: int, depth: int) -> None:
        proofs = self._proofs
        proofs.replies[key] = move
        proofs.cuts[move] = proofs.cuts.get(move, 0) + depth
