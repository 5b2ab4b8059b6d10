"""How much of a clock one move may take. Seconds in, seconds out; nothing here looks at a clock."""

from __future__ import annotations

EXPECTED_MOVES = 30
"""How many more moves a game is thought to have."""
MOST_SHARE = 0.4
"""Of what is left, one move takes no more."""
OVERHEAD = 0.05
"""What is kept back of every move for the way there and back."""
LEAST = 0.002


def allot(left: float, increment: float = 0.0, moves_to_go: int = 0) -> float:
    """The time for a move where so much is left for many.

    Args:
        left: what is left.
        increment: what is added after each move.
        moves_to_go: for how many moves it must last; 0 for the rest of the game.
    """
    if moves_to_go == 1:
        return limited(left)
    share = left / (min(moves_to_go, EXPECTED_MOVES) or EXPECTED_MOVES) + 0.8 * increment
    return max(LEAST, min(share, MOST_SHARE * left) - OVERHEAD)


def limited(seconds: float) -> float:
    """The time for a move that may take so long and no longer."""
    return max(LEAST, seconds - max(OVERHEAD, 0.02 * seconds))


class GoClock:
    """The clock of one colour, as the Go Text Protocol tells it: a main time, then overtime for some stones each.

    Order of operations: `set`, then `left` whenever the controller tells it and `used` after each move.
    """

    def __init__(self) -> None:
        """No limit."""
        self._main = self._overtime = 0.0
        self._stones = 0
        self._left: tuple[float, int] | None = None
        """What is left, and for how many stones; 0 stones is main time."""

    def set(self, main: float, overtime: float, stones: int) -> None:
        """> `time_settings main_time byo_yomi_time byo_yomi_stones`; overtime for no stones is no limit at all."""
        self._main, self._overtime, self._stones = main, overtime, stones
        limited = not (overtime > 0 and stones == 0) and (main > 0 or overtime > 0)
        self._left = (main, 0) if limited else None
        if limited and main <= 0:
            self._left = (overtime, stones)

    def restart(self) -> None:
        """A new game with the same settings."""
        self.set(self._main, self._overtime, self._stones)

    def left(self, seconds: float, stones: int) -> None:
        """> `time_left color time stones`: the controller knows better."""
        self._left = (seconds, stones)

    def used(self, seconds: float) -> None:
        """A move has taken so long."""
        if self._left is None:
            return
        left, stones = self._left
        left -= seconds
        if stones > 1 and left > 0:
            self._left = (left, stones - 1)
        elif (stones or left <= 0) and self._stones:
            self._left = (self._overtime, self._stones)  # the next period
        else:
            self._left = (max(left, 0.0), stones)

    def move_seconds(self) -> float | None:
        """The time for the next move; None where there is no limit."""
        if self._left is None:
            return None
        left, stones = self._left
        if stones:
            return allot(left, moves_to_go=stones)
        if self._stones and self._overtime:
            # Overtime is there to be used: main time may run out.
            return max(allot(left), limited(self._overtime / self._stones))
        return allot(left)
