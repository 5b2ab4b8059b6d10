"""How late we are ourselves: what an engine said may have waited for us, and that is not its doing.

Two things make a move look late that was not. Our loop may have been busy while the line was
there already: `Punctual`, the loop's selector, knows since when it may have been. And the engine
may have wanted to think and not been given a processor: the kernel counts that for each thread.
"""

from __future__ import annotations

import asyncio
import os
import selectors
import time
from collections.abc import Mapping

AT_ONCE = 0.0002
"""A wait that is over within so many seconds was none: what it brought may have been there before."""


class Punctual(selectors.DefaultSelector):
    """A selector that remembers since when what it brings may have been there."""

    def __init__(self) -> None:
        super().__init__()
        self._returned = self._earliest = time.monotonic()
        self.worst = 0.0
        """The greatest lateness that was asked for since it was last set to 0."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """As usual, and looks at the clock before and after."""
        began = time.monotonic()
        found = super().select(timeout)
        ended = time.monotonic()
        self._earliest = self._returned if ended - began < AT_ONCE else ended
        self._returned = ended
        return found

    def late(self) -> float:
        """By how many seconds at most we are late with what is handled now."""
        late = max(0.0, time.monotonic() - self._earliest)
        self.worst = max(self.worst, late)
        return late


def punctual_loop() -> tuple[asyncio.AbstractEventLoop, Punctual]:
    """A loop of asyncio, and the selector that knows how late it is."""
    selector = Punctual()
    return asyncio.SelectorEventLoop(selector), selector


def processor_waits(pid: int) -> dict[str, int]:
    """For each thread of a process, the nanoseconds that it has waited for a processor; empty where nobody counts."""
    waits = {}
    try:
        threads = os.listdir(f"/proc/{pid}/task")
        for thread in threads:
            with open(f"/proc/{pid}/task/{thread}/schedstat", encoding="ascii") as file:
                waits[thread] = int(file.read().split()[1])
    except (OSError, ValueError, IndexError):
        return waits
    return waits


def waited_seconds(before: Mapping[str, int], after: Mapping[str, int]) -> float:
    """How long the thread that was kept waiting most was kept waiting between the two."""
    return max((count - before.get(thread, 0) for thread, count in after.items()), default=0) / 1e9
