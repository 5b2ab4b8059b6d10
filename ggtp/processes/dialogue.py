"""A program that we talk to in lines, and whose lines are waited for."""

from __future__ import annotations

import os
import selectors
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from ggtp.processes.spawn import PIPE, Apart, ended, spawn

CHUNK = 1 << 20
LET_GO = 1.0
"""Seconds in which a thread that talks or listens notices that the program has ended."""


class Silent(Exception):
    """The program has said no whole line in time, or one that is too long."""


class Dialogue:
    """A running program. One thread may talk to it while another one listens."""

    def __init__(
        self,
        argv: Sequence[str],
        *,
        stderr: int | None = None,
        env: Mapping[str, str] | None = None,
        cwd: str | os.PathLike[str] | None = None,
        apart: Apart = Apart.NOT,
        most_bytes: int = 1 << 30,
    ) -> None:
        """Start it; see `spawn`. A line of it may have `most_bytes`.

        Raises:
            OSError: it can't be started.
        """
        self._process = spawn(argv, stdin=PIPE, stdout=PIPE, stderr=stderr, env=env, cwd=cwd, apart=apart)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin, self._process.stdout
        self._most_bytes = most_bytes
        self._heard = bytearray()
        self._speaking, self._listening = threading.Lock(), threading.Lock()
        """Held while a pipe is used: its number may be another file's as soon as it is closed."""

    @property
    def pid(self) -> int:
        """Its process."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def tell(self, line: bytes) -> None:
        """Say a line; waits as long as the program does not read.

        Raises:
            OSError, ValueError: it does not listen any more, or has been ended.
        """
        left = memoryview(line + b"\n")
        with self._speaking:
            while left:
                left = left[os.write(self._in.fileno(), left) :]

    def hear(self, seconds: float | None = None) -> bytes:
        """The next line, with its end; where the program has ended, what is left of one.

        Raises:
            Silent: it did not come within these seconds, or is too long.
            OSError, ValueError: the program has been ended meanwhile.
        """
        with self._listening:
            return self._next(None if seconds is None else time.monotonic() + seconds)

    def _next(self, until: float | None) -> bytes:
        begin = 0
        while (end := self._heard.find(b"\n", begin)) < 0:
            begin = len(self._heard)
            if begin > self._most_bytes or (until is not None and not self._ready(until - time.monotonic())):
                raise Silent
            chunk = os.read(self._out.fileno(), CHUNK)
            if not chunk:
                end = begin
                break
            self._heard += chunk
        line = bytes(self._heard[: end + 1])
        del self._heard[: end + 1]
        return line

    def _ready(self, seconds: float) -> bool:
        """Whether there is something to read within these seconds."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._out, selectors.EVENT_READ)
            return seconds > 0 and bool(selector.select(seconds))

    def kill(self) -> None:
        """End it at once; `end` is still to be called."""
        self._process.kill()

    def end(self, grace: float) -> int:
        """Close its input, and see it to its end; kill it if it takes longer than the grace. Its exit status."""
        if self._speaking.acquire(timeout=grace):  # else it does not read what it is told
            with suppress(OSError):
                self._in.close()
            self._speaking.release()
            ended(self._process, grace)
        self._process.kill()
        status = self._process.wait()
        for lock, pipe in ((self._speaking, self._in), (self._listening, self._out)):
            if lock.acquire(timeout=LET_GO):  # else a process that it has started holds the other end
                with suppress(OSError):
                    pipe.close()
                lock.release()
        return status
