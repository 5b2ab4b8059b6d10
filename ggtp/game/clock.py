"""Time controls. Elapsed time is an argument; nothing here looks at a clock.

`move` caps every single move. A *bank* is one player's time for the whole play; `increment`
is added to it after each move. With both, a move may take the smaller of the two.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


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

    def charge(self, bank_left: float, elapsed: float) -> float:
        """What is left in the bank after a move that took `elapsed`."""
        if not self.bank:
            return bank_left
        return max(0.0, bank_left - elapsed) + self.increment


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
