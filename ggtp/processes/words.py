"""What a program prints: always read, so that it never has to wait, and only the end of it kept."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re

CHUNK = 65536
BURST = 4 << 20
"""Bytes after which a writer has to wait for a moment: who prints without end has a small share of our time."""
PAUSE = 0.05
"""How long that is, in seconds; BURST in each pause is far more than anybody reads."""


class Tail:
    """The last bytes of what a descriptor brings, read whenever there are any."""

    def __init__(self, fd: int, size: int) -> None:
        self._fd = fd
        self._size = size
        self._bytes = bytearray()
        self._since_pause = 0
        self._pause: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()
        os.set_blocking(fd, False)
        self._loop.add_reader(fd, self._readable)

    def _readable(self) -> None:
        """Take in one chunk, and rest after many."""
        self._read()
        if self._since_pause > BURST and self._fd >= 0:
            self._since_pause = 0
            self._loop.remove_reader(self._fd)
            self._pause = self._loop.call_later(PAUSE, self._go_on)

    def _go_on(self) -> None:
        self._pause = None
        self._loop.add_reader(self._fd, self._readable)

    def _read(self) -> bool:
        """Take in one chunk; whether there may be more."""
        try:
            data = os.read(self._fd, CHUNK)
        except (BlockingIOError, InterruptedError):
            return False
        except OSError:
            data = b""
        if not data:
            self.close()
            return False
        self._since_pause += len(data)
        self._bytes += data[-self._size :]
        if len(self._bytes) > 2 * self._size:
            del self._bytes[: -self._size]
        return True

    def finish(self) -> None:
        """Take in what is there, which is no more than a pipe holds unless somebody goes on writing."""
        for _ in range(32):
            if self._fd < 0 or not self._read():
                return

    def close(self) -> None:
        """Close the descriptor; what was read is kept."""
        if self._pause is not None:
            self._pause.cancel()
            self._pause = None
        if self._fd >= 0:
            with contextlib.suppress(RuntimeError):  # the loop is closed already
                self._loop.remove_reader(self._fd)
            os.close(self._fd)
            self._fd = -1

    def text(self) -> str:
        """The last few lines, fit to be shown: no control characters, nothing that a terminal would obey."""
        return presentable(bytes(self._bytes[-self._size :]))


_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\^_])")
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def presentable(words: bytes, lines: int = 12, columns: int = 400) -> str:
    """The last lines of what a program said, as text that may be shown in any terminal."""
    text = _ESCAPES.sub("", words.decode("utf-8", "replace")).replace("\r\n", "\n").replace("\r", "\n")
    text = _CONTROLS.sub("", text.replace("\t", " "))
    kept = [line.rstrip() for line in text.split("\n") if line.strip()][-lines:]
    return "\n".join(line if len(line) <= columns else line[: columns - 1] + "…" for line in kept)
