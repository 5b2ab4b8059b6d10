"""What follows from what in the states of a game, as far as random games show: so that features need not say it.

Literals are those of `features.features`. That one follows from another is believed if it was so in every state
seen, and there were many with the other.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

ENOUGH = 50
"""States in which a literal must have held before anything is concluded from it."""


class Implied:
    """Grows with the states that it is shown."""

    def __init__(self, facts: int) -> None:
        self._facts = facts
        self._bits: list[npt.NDArray[np.uint8]] = []
        self._follows: npt.NDArray[np.bool_] | None = None
        self.states = 0

    def see(self, bits: npt.NDArray[np.uint8]) -> None:
        """States in which a game went on, as rows of facts."""
        self._bits.append(bits)
        self._follows = None
        self.states += len(bits)

    def follows(self, literal: int, other: int) -> bool:
        """Whether a literal holds wherever the other one does."""
        return bool(self._table()[other, literal])

    def always(self, literal: int) -> bool:
        """Whether it held in all states."""
        return bool(self._table()[literal ^ 1, literal ^ 1])

    def _table(self) -> npt.NDArray[np.bool_]:
        """Whether the literal of the column follows from that of the row; on the diagonal, whether it never holds."""
        if self._follows is None:
            facts = self._facts
            bits = np.concatenate([np.zeros((0, facts), np.uint8), *self._bits]).astype(np.float32)
            both = bits.T @ bits
            count = both.diagonal().copy()
            together = np.empty((2 * facts, 2 * facts), np.float32)
            together[0::2, 0::2] = both
            together[0::2, 1::2] = count[:, None] - both
            together[1::2, 0::2] = count[None, :] - both
            together[1::2, 1::2] = self.states - count[:, None] - count[None, :] + both
            often = together.diagonal()
            found = np.empty_like(together, np.bool_)
            found[:, 0::2], found[:, 1::2] = together[:, 1::2] == 0, together[:, 0::2] == 0
            found &= (often >= ENOUGH)[:, None]
            np.fill_diagonal(found, (often == 0) & (self.states >= ENOUGH))
            self._follows = found
        return self._follows

    def needed(self, literals: Iterable[int], given: Iterable[int]) -> frozenset[int]:
        """Those of the literals that do not follow from others of them, or from what is given.

        Literals that something must not hold are dropped first: they say less, and cost as much.
        """
        left = set(literals)
        known = set(given)
        follows = self._table()
        for literal in sorted(left, key=lambda literal: (-(literal & 1), literal)):
            others = list((left | known) - {literal})
            if follows[literal ^ 1, literal ^ 1] or follows[others, literal].any():
                left.remove(literal)
        return frozenset(left)
