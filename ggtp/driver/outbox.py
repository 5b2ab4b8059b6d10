"""What is to be sent to each engine: all lines to one together, so that it wakes up once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from ggtp.driver.listeners import Listeners
from ggtp.referee.effects import LinkId

if TYPE_CHECKING:
    from ggtp.foreign.disguise import Disguise

NEWS_SECONDS = 0.002
"""How long a line that asks for nothing may wait for another one to the same engine."""


class Sender(Protocol):
    """An engine's link, as far as it sends."""

    def send(self, lines: Sequence[bytes]) -> None:
        """Send lines. An engine that is gone, or does not read, is reported in another way."""


class Outbox:
    """Lines that wait. News that asks for nothing waits a moment for the request that usually follows it."""

    def __init__(
        self,
        links: Mapping[LinkId, Sender],
        asked: Callable[[LinkId, float], None],
        listeners: Listeners = Listeners(),  # noqa: B008 - it never changes
        disguise: Disguise | None = None,
    ) -> None:
        """An empty one.

        Args:
            links: the engines that can be told something, whoever they are at the time.
            asked: is told when an engine was sent what it has to answer with a move.
            listeners: are told every line, and who was asked.
            disguise: other words in which engines are told the rules and moves.
        """
        self.lines: dict[LinkId, list[bytes]] = {}
        """To be filled by whoever has something to say."""
        self._links = links
        self._asked = asked
        self._listeners = listeners
        self._disguise = disguise
        self._timer: asyncio.TimerHandle | None = None

    def send(self, asked: list[LinkId], urgent: list[LinkId]) -> None:
        """Send what has to be sent now: to those who are asked, and what is urgent. Both lists are empty then."""
        listeners = self._listeners
        for number in (*asked, *urgent):
            lines = self.lines.pop(number, None)
            link = self._links.get(number)
            if lines is None or link is None:
                continue
            if listeners.wire is not None:
                now = time.monotonic()
                for line in lines:
                    listeners.wire(number, True, line, now)
            link.send(lines if self._disguise is None else list(map(self._disguise.to_engine, lines)))
        if asked:
            now = time.monotonic()
            for number in asked:
                self._asked(number, now)
                if listeners.asked is not None:
                    listeners.asked(number)
        asked.clear()
        urgent.clear()
        if self.lines and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(NEWS_SECONDS, self._send_news)

    def close(self) -> None:
        """Send nothing more by ourselves."""
        if self._timer is not None:
            self._timer.cancel()

    def _send_news(self) -> None:
        self._timer = None
        self.send([], list(self.lines))
