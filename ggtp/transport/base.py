"""What every wire promises the referee.

Order of operations: `open_wire` of one of the transports; start an engine with the wire's `endpoint`;
`on_ready` once it has connected; then lines in both directions until `on_lost` or `close`.

All callbacks come from the event loop, never from inside a call of the wire's own methods, and none comes
after `close`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from ggtp.errors import Backlogged, ConnectionLost, MessageTooLong, TransportError

__all__ = ["Backlogged", "ConnectionLost", "MessageTooLong", "OnLine", "OnLost", "OnReady", "TransportError", "Wire"]

OnLine = Callable[[bytes, float], None]
"""A line without its LF or CR LF, and `time.monotonic()` as it was right after the bytes came in."""

OnLost = Callable[[TransportError], None]
"""Called at most once: the engine is gone (ConnectionLost) or sent an endless line (MessageTooLong)."""

OnReady = Callable[[], None]
"""Called at most once: the engine has connected, and from now on `send` works."""


class Wire(ABC):
    """The referee's end of one engine's two-way channel of lines."""

    endpoint: str = ""
    """What stands for {endpoint} on the engine's command line."""
    host: str = ""
    """What stands for {host}; empty where there is none."""
    port: int = 0
    """What stands for {port}; 0 where there is none."""
    sockets: tuple[str, ...] = ()
    """Folders with the socket files that the engine connects to; nothing else is in them."""

    @abstractmethod
    def send(self, lines: Sequence[bytes]) -> None:
        """Send lines, each without LF. Never blocks.

        Raises:
            ConnectionLost: the engine has not connected yet, or is gone.
            Backlogged: the engine does not read, and more is waiting for it than is allowed. Some of the lines may
                have been taken: such an engine can only be given up.
        """

    @abstractmethod
    def reading(self, on: bool) -> None:
        """Stop or go on taking in what the engine says; what it says meanwhile soon makes it wait."""

    @abstractmethod
    def close(self) -> None:
        """Give everything back. May be called at any time and again; no callback comes after it."""
