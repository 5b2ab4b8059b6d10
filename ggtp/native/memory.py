"""Memory that machine code reads and writes: words at an address that stays, with nothing loaded to compute with them.

A kernel whose code is kept plays its first games sooner than numpy is loaded; whoever computes with
whole arrays of lanes gets them from `Slots.array`.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from ctypes import addressof, c_char
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

ALIGNED = 512
"""Bytes to a multiple of which memory is aligned: vectors like it."""

_WORD = 8


class Slots:
    """Slots of a few 64-bit words each, all zero at first. It must live as long as its address is used."""

    def __init__(self, slots: int, words: int) -> None:
        """So many slots of so many words."""
        self.words = words
        self._raw = bytearray(_WORD * slots * words + ALIGNED)
        start = addressof(c_char.from_buffer(self._raw))
        skip = -start % ALIGNED
        self._address = start + skip
        # As long as there is a view of it, Python neither moves nor resizes the memory.
        self._view = memoryview(self._raw)[skip : skip + _WORD * slots * words].cast("Q")

    def __len__(self) -> int:
        return len(self._view) // self.words

    def address(self, slot: int = 0) -> int:
        """Where a slot begins."""
        return self._address + _WORD * self.words * slot

    def get(self, slot: int) -> list[int]:
        """The words of a slot."""
        return self._view[slot * self.words : (slot + 1) * self.words].tolist()

    def some(self, slot: int) -> bool:
        """Whether any bit of a slot is set."""
        return any(self.get(slot))

    def put(self, slot: int, numbers: Sequence[int]) -> None:
        """Writes words, those of as many slots as they fill, from this slot on."""
        first = slot * self.words
        self._view[first : first + len(numbers)] = memoryview(array("Q", numbers))

    def fill(self, slot: int, value: int, count: int = 1) -> None:
        """Writes the same word everywhere in so many slots, from this one on."""
        self.put(slot, array("Q", [value]) * (count * self.words))

    def array(self) -> npt.NDArray[np.uint64]:
        """The same memory as an array, a row for each slot."""
        import numpy as np

        return np.frombuffer(self._view, np.uint64).reshape(len(self), self.words)


class Longs:
    """Signed 64-bit numbers in a row, which machine code reads or writes."""

    def __init__(self, numbers: Sequence[int]) -> None:
        """These numbers."""
        self.numbers = array("q", numbers)

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def address(self) -> int:
        """Where they begin, as long as this object lives."""
        return self.numbers.buffer_info()[0]
