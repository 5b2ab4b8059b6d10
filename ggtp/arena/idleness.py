"""Watches what engines use while they have nothing to do: while others are to move, and between games.

An engine is looked at when somebody else is asked, and again when it is asked itself, or the game
ends. That happens a few times a second at most, since each look asks the kernel about every process
of the engine, and what was too short to be measured is left out. How long it waited for a processor
is measured, too: who is woken for a moment on a busy machine may wait for long, and who spins never
gets all that it wants.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from ggtp.arena.lateness import family_waits, waited_seconds
from ggtp.arena.usage import usage_of
from ggtp.processes.family import descendants
from ggtp.referee.effects import LinkId
from ggtp.tournament.results import Idle

EVERY_SECONDS = 0.25
"""How often an engine is looked at, at most."""
SHORTEST_SECONDS = 0.02
"""What is shorter is not counted: the kernel counts in steps of 10 ms, and whoever has moved may tidy up."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What a process and all below it have had of the processors so far."""

    used: float
    """Seconds, of all threads."""
    waits: Mapping[str, int]
    """For each thread the nanoseconds in which it wanted a processor and had none."""


def taken_by(pid: int) -> Taken:
    """What a process and all below it have taken."""
    return Taken(sum(usage_of(member).cpu_ms for member in descendants(pid)) / 1000, family_waits(pid))


class Watch:
    """What the engines of a table do while they are idle."""

    def __init__(
        self,
        process: Callable[[LinkId], int | None],
        clock: Callable[[], float] = time.monotonic,
        taken: Callable[[int], Taken] = taken_by,
    ) -> None:
        """A watch that has seen nothing.

        Args:
            process: an engine's process, while it has one.
            clock: tells the time.
            taken: what a process has had of the processors.
        """
        self._process = process
        self._clock = clock
        self._taken = taken
        self._open: dict[LinkId, tuple[float, int, Taken]] = {}
        """Who is being watched: since when, which process, and what it had taken by then."""
        self._looked: dict[LinkId, float] = {}
        self._sums: dict[LinkId, Idle] = {}

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

    def take(self) -> dict[LinkId, Idle]:
        """What each engine did while it was watched, since the last time."""
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
                self._open[link] = (now, pid, self._taken(pid))

    def _close(self, link: LinkId) -> None:
        since, pid, before = self._open.pop(link)
        watched = self._clock() - since
        if watched < SHORTEST_SECONDS or self._process(link) != pid:
            return
        after = self._taken(pid)
        used = after.used - before.used
        if used < 0.0:
            return  # it, or a part of it, has ended meanwhile, and with it what is known of it
        waited = min(watched, waited_seconds(before.waits, after.waits))
        sums = self._sums.get(link, Idle(0.0, 0.0))
        self._sums[link] = Idle(sums.watched + watched, sums.used + used, sums.waited + waited)
