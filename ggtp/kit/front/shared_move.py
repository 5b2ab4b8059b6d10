"""A slate that two processes share: one notes the best move so far on it, the other reads it when time is over.

Neither waits for the other, wherever in the middle of something it is held up: there are two sides, and what is
written is turned up only when it is complete.
"""

from __future__ import annotations

import mmap
import struct
import threading
from zlib import crc32

SIDE = 8192
"""Bytes of a side; longer moves are not noted."""
_HEAD = struct.Struct("<QII")  # for which request, how long the move is, and a sum over all of it
_FIRST = 64
NOTHING = ""
"""What is noted where what was noted before does not hold any more."""
LOOKS = 4
"""How often to look again where a side was written over while it was read."""


class Slate:
    """Made before the processes part. One process notes, from any of its threads; the other reads."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, _FIRST + 2 * SIDE)
        self._writing = threading.Lock()
        self._noted = 0

    def note(self, request: int, move: str) -> None:
        """Note a move for a request, or `NOTHING`; what is for a request before the last one is too late."""
        data = move.encode()
        if len(data) > SIDE - _HEAD.size:
            data = b""
        with self._writing:
            if request < self._noted:
                return
            self._noted = request
            memory = self._memory
            side = 1 - memory[0]
            at = _FIRST + side * SIDE
            memory[at : at + _HEAD.size] = _HEAD.pack(request, len(data), _sum(request, data))
            memory[at + _HEAD.size : at + _HEAD.size + len(data)] = data
            memory[0] = side

    def read(self, request: int) -> str | None:
        """What is noted for a request; None where there is nothing."""
        memory = self._memory
        for _ in range(LOOKS):
            at = _FIRST + memory[0] * SIDE
            found, length, total = _HEAD.unpack(memory[at : at + _HEAD.size])
            data = memory[at + _HEAD.size : at + _HEAD.size + min(length, SIDE - _HEAD.size)]
            if total == _sum(found, data):
                return data.decode() or None if found == request else None
        return None


def _sum(request: int, data: bytes) -> int:
    return crc32(data, crc32(request.to_bytes(8, "little")))
