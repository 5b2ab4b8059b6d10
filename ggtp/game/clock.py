"""Time controls. Elapsed time is an argument; nothing here looks at a clock.

`move` caps every single move. A *bank* is one player's time for the whole play; `increment`
is added to it after each move. With both, a move may take the smaller of the two.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

AUTO_WINDOW = "auto"
"""The value of the options for the window of sealed turns with which it follows from the clocks."""
MOST_WINDOW_MS = 60_000
"""The milliseconds that it may be set to at most."""
WINDOW_SHARE = 0.25
"""Which part of the time for a move the window of a sealed turn is: a longer one costs time in every such turn, and a
shorter one leaves engines less time to decide about a claim."""
MOVES_OF_A_BANK = 60
"""Between how many moves a bank is shared, for this."""
SHORTEST_WINDOW, LONGEST_WINDOW = 0.01, 1.0
"""The seconds that such a window lasts at least and at most. The answers of fast engines fit into the shortest."""
SHORT_WINDOW = 0.02
"""The seconds that it lasts where there are no clocks, among engines alone."""
PEOPLES_WINDOW = 0.5
"""The same where people play along."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How much time there is, in seconds; 0 means without limit."""

    move: float = 0.0
    bank: float = 0.0
    increment: float = 0.0

    def limit(self, bank_left: float, turn_delay: float | None = None) -> float | None:
        """The time for the next move, or None where there is no limit. `turn_delay` is the rule's own."""
        if turn_delay is None and not self.move and not self.bank:
            return None
        limits = [self.move] if self.move else []
        if self.bank:
            limits.append(max(0.0, bank_left))
        if turn_delay is not None:
            limits.append(turn_delay)
        return min(limits, default=None)

    def window(self, turn_delay: float | None = None, *, people: bool = False) -> float:
        """Return the seconds after which others learn what was done in a sealed turn.

        Args:
            turn_delay: the rule's own time for the turn.
            people: whether people play along, who have time.
        """
        if not self.move and not self.bank:
            longest = PEOPLES_WINDOW if people else SHORT_WINDOW
        else:
            usual = [self.move] if self.move else []
            usual += [self.bank / MOVES_OF_A_BANK + self.increment] if self.bank else []
            longest = min(LONGEST_WINDOW, max(SHORTEST_WINDOW, min(usual) * WINDOW_SHARE))
        return longest if turn_delay is None else min(longest, turn_delay)

    def charge(self, bank_left: float, elapsed: float) -> float:
        """Return the bank after a move that took `elapsed`, whether or not it counts."""
        return max(0.0, bank_left - elapsed) if self.bank else bank_left

    def earn(self, bank_left: float) -> float:
        """Return the bank after a move that counts."""
        return bank_left + self.increment if self.bank else bank_left


@dataclass(frozen=True, slots=True)
class MoveTime:
    """The time of a move that an engine was asked for, in seconds; THE rule of who is to blame for a late one."""

    elapsed: float
    """From the request to the move, or until the move was given up."""
    limit: float
    """What the engine was given for this move: the least of its bank, the limit of a move and the turn's own."""
    margin: float = 0.0
    """How much longer than its limit every move may take."""
    waited: float = 0.0
    """How much of the elapsed time the engine waited for a processor."""

    @property
    def over(self) -> float:
        """How much longer than its limit the move took, margin or not."""
        return max(0.0, self.elapsed - self.limit)

    @property
    def blame(self) -> Literal["", "machine", "late"]:
        """The class of the fault; nothing for a move in time.

        The machine is to blame if the move would have been in time, limit and margin together, without the time in
        which the engine waited for a processor.
        """
        allowed = self.limit + self.margin
        if self.elapsed <= allowed:
            return ""
        return "machine" if self.elapsed - self.waited <= allowed else "late"
