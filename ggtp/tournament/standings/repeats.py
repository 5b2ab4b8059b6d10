"""Which games and blocks were played before, move by move: they are no new evidence.

What was seen is kept in a table of a fixed size, so that a tournament does not grow with its games.
When it is full the oldest of a few is forgotten: then a repetition of something that was played very
long ago may be missed, and one that comes again and again is not.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable
from dataclasses import dataclass
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


@dataclass(slots=True)
class _Meeting:
    """What those who meet at a rule have played so far."""

    starts: int
    """How many start positions they have in turn."""
    distinct: int = 0
    """How many of their blocks differ from one another."""
    streak: int = 0
    """How many of their latest blocks repeat earlier ones, one after the other."""

    def only_repeats(self, times: int) -> bool:
        return self.streak >= max(self.starts, times * max(1, self.distinct // self.starts))


class Repetition:
    """Whether those who meet play nothing but what they have played before, as engines without chance do.

    Blocks are looked at in the order of their numbers, so that the verdict does not depend on who was faster.
    """

    def __init__(self) -> None:
        self._waiting: dict[int, tuple[Hashable, int, str] | None] = {}
        self._next = 1
        self._seen = Seen()
        self._meetings: dict[Hashable, _Meeting] = {}

    def block(self, number: int, meeting: Hashable, starts: int, key: str) -> None:
        """A block is complete.

        Args:
            number: the block's.
            meeting: who met, and at which rule.
            starts: how many start positions the rule has in turn.
            key: the same for blocks that are the same move by move; empty where that is not known.
        """
        self._waiting[number] = (meeting, starts, key)
        self._go_on()

    def left_out(self, number: int) -> None:
        """A block will never be complete here; this may be said more than once."""
        if number >= self._next:
            self._waiting[number] = None
            self._go_on()

    def only(self, times: int) -> bool:
        """Return whether every meeting plays only repeats.

        A meeting does if its latest blocks repeat earlier ones `times` times as often as it has different blocks from
        a start position, and at least once from each: engines with chance at a small game repeat themselves, too.
        """
        return bool(self._meetings) and all(meeting.only_repeats(times) for meeting in self._meetings.values())

    @property
    def streak(self) -> int:
        """How many blocks in a row every meeting has repeated."""
        return min((meeting.streak for meeting in self._meetings.values()), default=0)

    def _go_on(self) -> None:
        while self._next in self._waiting:
            block = self._waiting.pop(self._next)
            self._next += 1
            if block is None:
                continue
            who, starts, key = block
            meeting = self._meetings.setdefault(who, _Meeting(starts))
            if key and self._seen.add(key):
                meeting.streak += 1
            else:
                meeting.distinct += 1
                meeting.streak = 0
