"""How long the frames are in a stream of ZMTP, seen from outside: their lengths are not encrypted.

frame = flags (octet) length (octet, or 8 octets where flags say so) body (as many octets)

https://rfc.zeromq.org/spec/37/
"""

from __future__ import annotations

LONG = 0x02
"""The flag of a frame whose length has eight octets."""
SHORT_HEAD, LONG_HEAD = 2, 9


class FrameGauge:
    """Follows a stream that begins with a frame, in pieces however cut, and holds at most a head of it."""

    def __init__(self) -> None:
        self._head = bytearray()
        self._rest = 0
        """Octets of the frame that are still to come."""

    def longest(self, data: bytes) -> int:
        """The most octets of those frames whose heads end in this piece; zero where none does."""
        longest = at = 0
        while at < len(data):
            if self._rest:
                taken = min(self._rest, len(data) - at)
                self._rest -= taken
                at += taken
                continue
            head = self._head
            head.append(data[at])
            at += 1
            if len(head) == (LONG_HEAD if head[0] & LONG else SHORT_HEAD):
                self._rest = int.from_bytes(head[1:])
                longest = max(longest, self._rest)
                head.clear()
        return longest
