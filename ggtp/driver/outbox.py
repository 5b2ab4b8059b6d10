"""What is to be sent to each engine: all lines to one together, so that it wakes up once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from ggtp.referee.effects import LinkId

NEWS_SECONDS = 0.002
"""How long a line that asks for nothing may wait for another one to the same engine."""


class Outbox:
    """Lines that wait. News that asks for nothing waits a moment for the request that usually follows it."""

    def __init__(self, deliver: Callable[[LinkId, list[bytes]], None], asked: Callable[[LinkId, float], None]) -> None:
        """An empty one.

        Args:
            deliver: sends lines to an engine.
            asked: is told when an engine was sent what it has to answer with a move.
        """
        self.lines: dict[LinkId, list[bytes]] = {}
        """To be filled by whoever has something to say."""
        self._deliver = deliver
        self._asked = asked
        self._timer: asyncio.TimerHandle | None = None

    def send(self, asked: list[LinkId], urgent: list[LinkId]) -> None:
        """Send what has to be sent now: to those who are asked, and what is urgent. Both lists are empty then."""
        if asked:
            for number in asked:
                self.send_to(number)
            now = time.monotonic()
            for number in asked:
                self._asked(number, now)
            asked.clear()
        if urgent:
            for number in urgent:
                self.send_to(number)
            urgent.clear()
        if self.lines and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(NEWS_SECONDS, self._send_news)

    def send_to(self, number: LinkId) -> None:
        """Send what waits for one engine."""
        lines = self.lines.pop(number, None)
        if lines is not None:
            self._deliver(number, lines)

    def close(self) -> None:
        """Send nothing more by ourselves."""
        if self._timer is not None:
            self._timer.cancel()

    def _send_news(self) -> None:
        self._timer = None
        for number in list(self.lines):
            self.send_to(number)
