"""Both ends of a wire in one process, for tests and examples.

It keeps every promise of a real wire: callbacks come from the loop, lines arrive in order, and what waits is bounded.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import deque
from collections.abc import Callable, Sequence

from ggtp.transport.base import (
    Backlogged,
    ConnectionLost,
    MessageTooLong,
    OnLine,
    OnLost,
    OnReady,
    TransportError,
    Wire,
)

_numbers = itertools.count(1)


async def open_wire(on_line: OnLine, on_lost: OnLost, on_ready: OnReady, *, limit: int) -> MemoryWire:
    """A wire whose other end is `wire.peer`; `on_ready` comes after `wire.peer.connect`."""
    return MemoryWire(on_line, on_lost, on_ready, limit)


class MemoryPeer:
    """The engine's end: it hears through `listen` and speaks through `send`."""

    def __init__(self, wire: MemoryWire) -> None:
        self._wire = wire
        self._hear: Callable[[bytes], None] | None = None
        self.closed = False
        """Whether either end has hung up."""

    def connect(self) -> None:
        """Connect to the referee."""
        self._wire._later(self._wire._connected)

    def listen(self, hear: Callable[[bytes], None] | None) -> None:
        """Have this called with each line from the referee; with None, stop reading, so that lines wait."""
        self._hear = hear
        self._wire._later(self._wire._flush)

    def send(self, *lines: bytes) -> None:
        """Send lines to the referee; nobody hears them once the wire is closed."""
        for line in lines:
            self._wire._later(self._wire._arrive, line)

    def close(self) -> None:
        """Hang up."""
        self.closed = True
        self._wire._later(self._wire._lose, ConnectionLost("the engine has hung up"))


class MemoryWire(Wire):
    """The referee's end."""

    def __init__(self, on_line: OnLine, on_lost: OnLost, on_ready: OnReady, limit: int) -> None:
        self.endpoint = f"memory:{next(_numbers)}"
        self.peer = MemoryPeer(self)
        self._on_line = on_line
        self._on_lost = on_lost
        self._on_ready = on_ready
        self._limit = limit
        self._loop = asyncio.get_running_loop()
        self._out: deque[bytes] = deque()
        self._out_bytes = 0
        self._in: deque[tuple[bytes, float]] = deque()
        self._ready = False
        self._wanted = True
        self._closed = False

    def send(self, lines: Sequence[bytes]) -> None:
        if self._closed or not self._ready or self.peer.closed:
            raise ConnectionLost("the engine is not connected")
        if self._out_bytes >= self._limit:
            raise Backlogged(f"{self._out_bytes} bytes are waiting for an engine that does not read")
        self._out.extend(lines)
        self._out_bytes += sum(len(line) + 1 for line in lines)
        self._later(self._flush)

    def reading(self, on: bool) -> None:
        self._wanted = on
        if on:
            self._later(self._deliver)

    def close(self) -> None:
        self._closed = True
        self.peer.closed = True
        self._in.clear()
        self._out.clear()

    def _later(self, call: Callable[..., None], *arguments: object) -> None:
        self._loop.call_soon(call, *arguments)

    def _connected(self) -> None:
        if not self._closed and not self._ready:
            self._ready = True
            self._on_ready()

    def _flush(self) -> None:
        while self._out and self.peer._hear is not None and not self._closed:
            line = self._out.popleft()
            self._out_bytes -= len(line) + 1
            self.peer._hear(line)

    def _arrive(self, line: bytes) -> None:
        self._in.append((line, time.monotonic()))
        self._deliver()

    def _deliver(self) -> None:
        while self._in and self._wanted and not self._closed:
            line, at = self._in.popleft()
            if len(line) > self._limit:
                self._lose(MessageTooLong(self._limit))
            else:
                self._on_line(line, at)

    def _lose(self, error: TransportError) -> None:
        if not self._closed:
            self.close()
            self._on_lost(error)
