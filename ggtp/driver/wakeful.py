"""A selector that looks again before it sleeps, while a play is lively. For Linux.

Engines that answer at once do so within some tens of microseconds, and about as long a sleeping process takes to wake
up. So where the last answers came that fast, it pays to look a few times whether the next one has come. That is done
only as long as it succeeds, for a moment each time, and others have the processor in between; if they take it, looking
stops, soon for long. So nothing is spent where engines think, where nobody plays, or where the machine has other work.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from select import EPOLLIN, EPOLLOUT, epoll
from selectors import EVENT_READ, EVENT_WRITE, EpollSelector, SelectorKey
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import FileDescriptorLike

LIVELY_SECONDS = 300e-6
"""What has come within that time would have been worth looking for."""
LOOK_SECONDS = 200e-6
"""How long to look before sleeping."""
LIVELY_WAITS = 4
"""How many short waits in a row make a play lively."""
MOST_WAITS = 4096
"""How many it takes at most: after looking was in vain again and again, or while others wait for the processor."""
BUSY_SECONDS = 100e-6
"""How long one look may take: what takes longer has given way to somebody."""


class WakefulSelector(EpollSelector):
    """Waits for descriptors, and awake for a moment where that has paid."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, give_way: Callable[[], None] = os.sched_yield
    ) -> None:
        """A selector that waits for nothing yet.

        Args:
            clock: tells the time in seconds.
            give_way: lets others have the processor, between one look and the next.
        """
        super().__init__()
        self._clock = clock
        self._give_way = give_way
        self._epoll = epoll.fromfd(os.dup(self.fileno()))
        self._keys: dict[int, SelectorKey] = {}
        self._most = 1
        """How many events there may be at once."""
        self._short = 0
        """How many waits in a row were short."""
        self._needed = LIVELY_WAITS
        """How many there must be before it pays to look."""

    def register(self, fileobj: FileDescriptorLike, events: int, data: object = None) -> SelectorKey:
        """See `selectors.BaseSelector.register`."""
        key = super().register(fileobj, events, data)
        self._keys[key.fd] = key
        self._most = len(self._keys)
        return key

    def unregister(self, fileobj: FileDescriptorLike) -> SelectorKey:
        """See `selectors.BaseSelector.unregister`."""
        key = super().unregister(fileobj)
        self._keys.pop(key.fd, None)
        return key

    def modify(self, fileobj: FileDescriptorLike, events: int, data: object = None) -> SelectorKey:
        """See `selectors.BaseSelector.modify`."""
        key = super().modify(fileobj, events, data)
        self._keys[key.fd] = key
        return key

    def close(self) -> None:
        """See `selectors.BaseSelector.close`."""
        self._epoll.close()
        self._keys.clear()
        super().close()

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        """See `selectors.BaseSelector.select`."""
        if timeout is not None and timeout <= 0:
            return self._ready(self._epoll.poll(0, self._most))
        began = self._clock()
        if self._short < self._needed:
            events = self._epoll.poll(timeout, self._most)
            self._short = self._short + 1 if events and self._clock() - began < LIVELY_SECONDS else 0
            return self._ready(events)
        end = began + LOOK_SECONDS if timeout is None else began + min(timeout, LOOK_SECONDS)
        return self._ready(self._look(began, end) or self._epoll.poll(timeout, self._most))

    def _look(self, before: float, end: float) -> list[tuple[int, int]]:
        """Look again and again until something is there, the time is over, or others need the processor."""
        poll = self._epoll.poll
        while True:
            events = poll(0, self._most)
            now = self._clock()
            if now - before > BUSY_SECONDS:
                # Whoever sleeps is woken up sooner than who gives way.
                self._give_up(8)
                return events
            if events:
                self._needed = max(self._needed - 1, LIVELY_WAITS)
                return events
            if now >= end:
                self._give_up(2)
                return events
            before = now
            self._give_way()

    def _give_up(self, factor: int) -> None:
        """Look no more, until so many times as many waits as before were short."""
        self._short = 0
        self._needed = min(factor * self._needed, MOST_WAITS)

    def _ready(self, events: list[tuple[int, int]]) -> list[tuple[SelectorKey, int]]:
        ready = []
        for fd, event in events:
            key = self._keys.get(fd)
            if key is not None:
                # Errors and hang-ups wake up whoever waits, to read or to write.
                mask = (EVENT_READ if event & ~EPOLLOUT else 0) | (EVENT_WRITE if event & ~EPOLLIN else 0)
                ready.append((key, mask & key.events))
        return ready
