"""Time controls. Elapsed time is an argument; nothing here looks at a clock.

`move` caps every single move. A *bank* is one player's time for the whole play; `increment`
is added to it after each move. With both, a move may take the smaller of the two.
"""

from __future__ import annotations

from dataclasses import dataclass


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
