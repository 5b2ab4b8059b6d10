"""A generator of random numbers that can be copied and compared: the 48-bit one of the recorded games.

It is the linear congruential generator that Java specifies, so that a recorded game with
chance can be replayed number for number.
"""

from __future__ import annotations

MULTIPLIER = 0x5DEECE66D
INCREMENT = 0xB
MASK = (1 << 48) - 1


class Chance:
    """Draws numbers; `calls` counts the steps of the generator."""

    __slots__ = ("calls", "state")

    def __init__(self, seed: int) -> None:
        """A generator that draws the same numbers for the same seed."""
        self.state = scramble(seed)
        self.calls = 0

    def copy(self) -> Chance:
        """Another generator that will draw the same."""
        other = Chance.__new__(Chance)
        other.state, other.calls = self.state, self.calls
        return other

    def bits(self, count: int) -> int:
        """That many random bits."""
        self.state = (self.state * MULTIPLIER + INCREMENT) & MASK
        self.calls += 1
        return self.state >> (48 - count)

    def below(self, limit: int) -> int:
        """A whole number from 0 to below the limit."""
        if limit & (limit - 1) == 0:
            return (limit * self.bits(31)) >> 31
        while True:
            drawn = self.bits(31)
            value = drawn % limit
            # Of the numbers that are left over at the end of the range none may be taken: some would be likelier.
            if drawn - value + limit - 1 < 1 << 31:
                return value

    def fraction(self) -> float:
        """A number from 0 to below 1, of 53 bits."""
        return ((self.bits(26) << 27) + self.bits(27)) / (1 << 53)

    def short_fraction(self) -> float:
        """A number from 0 to below 1, of 24 bits."""
        return self.bits(24) / (1 << 24)


def scramble(seed: int) -> int:
    """The state of a generator that has drawn nothing yet."""
    return (seed ^ MULTIPLIER) & MASK


def spread(seed: int) -> int:
    """Another seed, far from those of the neighbouring ones: this generator's first draws are alike for near seeds."""
    value = (seed + 0x9E3779B97F4A7C15) & (1 << 64) - 1
    value = ((value ^ value >> 30) * 0xBF58476D1CE4E5B9) & (1 << 64) - 1
    value = ((value ^ value >> 27) * 0x94D049BB133111EB) & (1 << 64) - 1
    return (value ^ value >> 31) & MASK
