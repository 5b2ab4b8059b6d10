"""Lines of an input, for an event loop: read by a thread, so that engines are heard meanwhile."""

from __future__ import annotations

import asyncio
import os
import threading
from collections import deque

from ggtp.errors import MessageTooLong

MOST_BYTES = 16 * 2**20
"""The longest line of a supervisor."""
MOST_WAITING = 1000
CHUNK = 65536


class LineReader:
    """Answers lines one after the other, without their ends. The thread dies with the program.

    It reads from the bare descriptor: a thread that waits inside Python's own buffered stream
    holds a lock that the interpreter needs in order to end.
    """

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._loop = asyncio.get_running_loop()
        self._lines: deque[bytes | None] = deque()
        self._arrived = asyncio.Event()
        self._room = threading.Semaphore(MOST_WAITING)
        self._encoding = "utf-8-sig"  # a file may begin with a byte order mark
        threading.Thread(target=self._read, daemon=True, name="supervisor's lines").start()

    async def next(self) -> str | None:
        """The next line; None at the end.

        Raises:
            MessageTooLong: it has more than `MOST_BYTES`; the one after it can be asked for.
        """
        while not self._lines:
            self._arrived.clear()
            await self._arrived.wait()
        line = self._lines[0]
        if line is None:
            return None
        self._lines.popleft()
        self._room.release()
        if len(line) > MOST_BYTES:
            raise MessageTooLong(MOST_BYTES)
        encoding, self._encoding = self._encoding, "utf-8"
        return line.decode(encoding, "replace").rstrip("\r\n")

    def _read(self) -> None:
        rest = bytearray()
        try:
            while chunk := os.read(self._fd, CHUNK):
                first, *more = chunk.split(b"\n")
                if len(rest) <= MOST_BYTES:  # of a longer line it is enough to know that it is too long
                    rest += first
                for line in more:
                    self._hand_on(bytes(rest))
                    rest = bytearray(line)
            if rest:
                self._hand_on(bytes(rest))
            self._loop.call_soon_threadsafe(self._put, None)
        except (OSError, RuntimeError):
            return  # the input, or the loop, was closed under us: the program is ending

    def _hand_on(self, line: bytes) -> None:
        self._room.acquire()
        self._loop.call_soon_threadsafe(self._put, line)

    def _put(self, line: bytes | None) -> None:
        self._lines.append(line)
        self._arrived.set()
