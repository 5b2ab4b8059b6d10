"""Watches what engines use while they have nothing to do: while others are to move, and between games.

An engine is looked at when somebody else is asked, and again when it is asked itself, or the game
ends. That happens a few times a second at most, since each look asks the kernel about every process
of the engine, and what was too short to be measured is left out.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from ggtp.driver.lateness import processor_waits
from ggtp.driver.usage import usage_of
from ggtp.referee.effects import LinkId
from ggtp.transport.family import descendants

EVERY_SECONDS = 0.25
"""How often an engine is looked at, at most."""
SHORTEST_SECONDS = 0.02
"""What is shorter is not counted: the kernel counts in steps of 10 ms, and whoever has moved may tidy up."""


def wanted_seconds(pid: int) -> float:
    """The processor time that a process and all below it have used, and that they wanted and had to wait for.

    Together that does not depend on how busy the machine is: whoever sleeps neither uses a processor nor waits for one.
    """
    members = descendants(pid)
    used = sum(usage_of(member).cpu_ms for member in members) / 1000
    return used + sum(sum(processor_waits(member).values()) for member in members) / 1e9


class Watch:
    """What the engines of a table do while they are idle."""

    def __init__(
        self,
        process: Callable[[LinkId], int | None],
        clock: Callable[[], float] = time.monotonic,
        used: Callable[[int], float] = wanted_seconds,
    ) -> None:
        """A watch that has seen nothing.

        Args:
            process: an engine's process, while it has one.
            clock: tells the time.
            used: the processor time that a process has used or wanted.
        """
        self._process = process
        self._clock = clock
        self._used = used
        self._open: dict[LinkId, tuple[float, int, float]] = {}
        """Who is being watched: since when, which process, and what it had used by then."""
        self._looked: dict[LinkId, float] = {}
        self._sums: dict[LinkId, tuple[float, float]] = {}

    def asked(self, link: LinkId, idle: Iterable[LinkId]) -> None:
        """An engine was asked for a move, while these have nothing to do."""
        if link in self._open:
            self._close(link)
        self._begin(idle)

    def rest(self, links: Iterable[LinkId]) -> None:
        """A game is over: nobody has anything to do before the next."""
        self.wake()
        self._begin(links)

    def wake(self) -> None:
        """Everybody has something to do again."""
        for link in list(self._open):
            self._close(link)

    def take(self) -> dict[LinkId, tuple[float, float]]:
        """Each engine's seconds that it was watched, and the processor time it used in them, since the last time."""
        sums, self._sums = self._sums, {}
        return sums

    def forget(self) -> None:
        """The engines are gone."""
        self._open.clear()
        self._looked.clear()

    def _begin(self, links: Iterable[LinkId]) -> None:
        now = self._clock()
        for link in links:
            if link in self._open or now - self._looked.get(link, -EVERY_SECONDS) < EVERY_SECONDS:
                continue
            pid = self._process(link)
            if pid is not None:
                self._looked[link] = now
                self._open[link] = (now, pid, self._used(pid))

    def _close(self, link: LinkId) -> None:
        since, pid, before = self._open.pop(link)
        watched = self._clock() - since
        if watched < SHORTEST_SECONDS or self._process(link) != pid:
            return
        used = self._used(pid) - before
        if used < 0.0:
            return  # it, or a part of it, has ended meanwhile, and with it what is known of it
        sums = self._sums.get(link, (0.0, 0.0))
        self._sums[link] = (sums[0] + watched, sums[1] + used)
