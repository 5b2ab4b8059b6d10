"""Lines of an input, for an event loop: read by a thread, so that engines are heard meanwhile."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from typing import BinaryIO

MOST_BYTES = 16 * 2**20
"""The longest line of a supervisor; what is longer is cut, and then refused as what it has become."""
MOST_WAITING = 1000


class LineReader:
    """Answers lines one after the other, without their ends. The thread dies with the program."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self._loop = asyncio.get_running_loop()
        self._lines: deque[bytes | None] = deque()
        self._arrived = asyncio.Event()
        self._room = threading.Semaphore(MOST_WAITING)
        threading.Thread(target=self._read, daemon=True, name="supervisor's lines").start()

    async def next(self) -> str | None:
        """The next line; None at the end."""
        while not self._lines:
            self._arrived.clear()
            await self._arrived.wait()
        line = self._lines[0]
        if line is None:
            return None
        self._lines.popleft()
        self._room.release()
        return line.decode("utf-8", "replace").rstrip("\r\n")

    def _read(self) -> None:
        try:
            while line := self._source.readline(MOST_BYTES):
                self._room.acquire()
                self._loop.call_soon_threadsafe(self._put, line)
            self._loop.call_soon_threadsafe(self._put, None)
        except (OSError, ValueError, RuntimeError):
            return  # the input, or the loop, was closed under us: the program is ending

    def _put(self, line: bytes | None) -> None:
        self._lines.append(line)
        self._arrived.set()
