"""A cache of positions that never takes more memory than it may: when it is full, the oldest quarter goes."""

from __future__ import annotations

import sys
from collections.abc import Hashable
from itertools import islice
from typing import Generic, TypeVar

V = TypeVar("V")

GOES = 4
"""One part of so many is forgotten at a time."""
SHARED = 256
"""Numbers below this exist once, and cost nothing."""

_PAIR = sys.getsizeof((0, 0)) + sys.getsizeof(1 << 20)
"""The bytes of an entry's pair, and of the number in it."""


def weight(value: object) -> int:
    """The bytes of a value and of what it is made of; the members of sets belong to the rules."""
    if isinstance(value, tuple):
        heavy = sys.getsizeof(value)
        for part in value:
            # Small numbers are most of it, and this is asked for every position that is kept.
            if type(part) is not int or not -6 < part < SHARED:
                heavy += weight(part)
        return heavy
    if value is None or isinstance(value, bool) or (isinstance(value, int) and -6 < value < SHARED):
        return 0
    return sys.getsizeof(value)


class Cache(Generic[V]):
    """What is known of positions, by their keys, up to a number of bytes."""

    def __init__(self, ceiling: int) -> None:
        """An empty cache that takes no more than that many bytes, its own table included."""
        self.ceiling = ceiling
        self._entries: dict[Hashable, tuple[V, int]] = {}
        self._weights = 0
        self.hits = 0
        """How often something was found."""
        self.purges = 0
        """How often the oldest quarter went."""

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def used(self) -> int:
        """The bytes taken now, and those that making the table anew would take for a moment."""
        return self._weights + 2 * sys.getsizeof(self._entries)

    def find(self, key: Hashable) -> V | None:
        """What is known of a position."""
        found = self._entries.get(key)
        if found is None:
            return None
        self.hits += 1
        return found[0]

    def keep(self, key: Hashable, value: V) -> None:
        """Remember something of a position, as the newest. What has no place at all is not kept."""
        old = self._entries.pop(key, None)
        if old is not None:
            self._weights -= old[1]
        heavy = weight(key) + weight(value) + _PAIR
        while self._after(heavy) > self.ceiling:
            if not self._entries:
                return
            self._purge()
        self._entries[key] = (value, heavy)
        self._weights += heavy

    def _after(self, heavy: int) -> int:
        """The bytes taken once another entry is there: a table of Python is made anew, larger, when it is full."""
        table = sys.getsizeof(self._entries)
        count = len(self._entries)
        # Never more than 60 bytes an entry, as measured; old and new are there together while it is being made.
        grown = max(table, 240, 64 * (count + 1))
        return self._weights + heavy + 2 * grown

    def _purge(self) -> None:
        entries = self._entries
        for key in list(islice(entries, max(1, len(entries) // GOES))):
            self._weights -= entries.pop(key)[1]
        # A dictionary keeps the places of what was taken out; only a new one is really smaller.
        self._entries = dict(entries)
        self.purges += 1

    def clear(self) -> None:
        """Forget everything."""
        self._entries = {}
        self._weights = 0
