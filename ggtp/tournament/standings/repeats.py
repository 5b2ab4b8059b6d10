"""Which games and blocks were played before, move by move: they are no new evidence.

What was seen is kept in a table of a fixed size, so that a tournament does not grow with its games.
When it is full the oldest of a few is forgotten: then a repetition of something that was played very
long ago may be missed, and one that comes again and again is not.
"""

from __future__ import annotations

from array import array
from hashlib import blake2b

BUCKETS = 2**15
WAYS = 4
"""How many digests a bucket holds."""
ENTRY_BYTES = 8


class Seen:
    """Digests of what was played."""

    __slots__ = ("_slots",)

    def __init__(self) -> None:
        self._slots = array("Q", bytes(ENTRY_BYTES * BUCKETS * WAYS))

    def add(self, text: str) -> bool:
        """One more; whether it was there before."""
        digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=ENTRY_BYTES).digest()
        number = int.from_bytes(digest, "big") or 1
        first = number % BUCKETS * WAYS
        kept = self._slots[first : first + WAYS]
        known = number in kept
        if known:
            kept.remove(number)
        else:
            kept.pop()
        kept.insert(0, number)
        self._slots[first : first + WAYS] = kept
        return known
