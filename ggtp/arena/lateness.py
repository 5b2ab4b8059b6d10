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
from typing import NamedTuple

from ggtp.processes.family import descendants


class Punctual(selectors.DefaultSelector):
    """A selector that remembers since when what it brings may have been there."""

    def __init__(self) -> None:
        super().__init__()
        self._returned = self._earliest = time.monotonic()
        self.worst = 0.0
        """The greatest lateness that was asked for since it was last set to 0."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """As usual; first without waiting, since what is there already may have been there for long."""
        found = super().select(0)
        waits = not found and (timeout is None or timeout > 0)
        if waits:
            found = super().select(timeout)
        ended = time.monotonic()
        self._earliest = ended if waits else self._returned
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


ENDED = "ended of "
"""How the entry of a process is called that has the times of threads and children of it that have ended."""
LEAST_ENDED = 20_000_000
"""Nanoseconds of that which may come of rounding."""


class ThreadTime(NamedTuple):
    """What a thread has had of the processors so far, in nanoseconds."""

    ran: int
    waited: int
    """How long it wanted a processor and had none."""


def thread_times(pid: int) -> dict[str, ThreadTime]:
    """Return the times of each thread of a process; empty where nobody counts."""
    times = {}
    try:
        threads = os.listdir(f"/proc/{pid}/task")
        for thread in threads:
            with open(f"/proc/{pid}/task/{thread}/schedstat", encoding="ascii") as file:
                ran, waited = file.read().split()[:2]
                times[thread] = ThreadTime(int(ran), int(waited))
    except (OSError, ValueError):
        return times
    return times


def family_times(pid: int) -> dict[str, ThreadTime]:
    """The same of a process and all below it: an engine may think in another process than the one that it began as."""
    times: dict[str, ThreadTime] = {}
    for member in descendants(pid):
        threads = thread_times(member)
        ended = _counted(member) - sum(time.ran for time in threads.values())
        times |= threads
        times[f"{ENDED}{member}"] = ThreadTime(max(0, ended), 0)
    return times


def _counted(pid: int) -> int:
    """Nanoseconds that a process has had, with threads and children of it that have ended; in steps of 10 ms."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
        return sum(map(int, fields[11:15])) * (1_000_000_000 // os.sysconf("SC_CLK_TCK"))
    except (OSError, ValueError):
        return 0


def processor_waits(pid: int) -> dict[str, int]:
    """For each thread of a process, the nanoseconds that it has waited for a processor; empty where nobody counts."""
    return {thread: time.waited for thread, time in thread_times(pid).items()}


def family_waits(pid: int) -> dict[str, int]:
    """The same of a process and all below it."""
    return {thread: time.waited for thread, time in family_times(pid).items() if not thread.startswith(ENDED)}


def kept_waiting(before: Mapping[str, ThreadTime], after: Mapping[str, ThreadTime], elapsed: float) -> float:
    """Return for how many of the elapsed seconds an engine was kept from a processor that it wanted.

    That is the longest wait of one of its threads. But an engine that used a processor's worth of time was not kept
    from it, however many of its threads wait for each other's processors, and whether or not they run still.
    """
    none = ThreadTime(0, 0)
    waited = max((time.waited - before.get(thread, none).waited for thread, time in after.items()), default=0)
    used = {thread: max(0, time.ran - before.get(thread, none).ran) for thread, time in after.items()}
    ended = sum(ran for thread, ran in used.items() if thread.startswith(ENDED))
    ran = sum(used.values()) - (ended if ended <= LEAST_ENDED else 0)
    return max(0.0, min(waited / 1e9, elapsed - ran / 1e9))


def waited_seconds(before: Mapping[str, int], after: Mapping[str, int]) -> float:
    """How long the thread that was kept waiting most was kept waiting between the two."""
    return max((count - before.get(thread, 0) for thread, count in after.items()), default=0) / 1e9
