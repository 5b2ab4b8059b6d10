"""The wire over an engine's standard input and output.

The pipes exist only once the process does, so the wire is opened first and `EngineProcess.start` attaches it.
"""

from __future__ import annotations

import os

from ggtp.transport.base import OnLine, OnLost, OnReady
from ggtp.transport.lines import LineFraming
from ggtp.transport.stream import StreamWire


async def open_wire(on_line: OnLine, on_lost: OnLost, on_ready: OnReady, *, limit: int) -> StdioWire:
    """A wire that waits to be attached to a process's pipes.

    Args:
        limit: the most bytes in a line from the engine, and the most that may wait for it before `send` refuses.
    """
    return StdioWire(on_line, on_lost, on_ready, LineFraming(limit), limit)


class StdioWire(StreamWire):
    """Two pipes: the engine's standard output to read from and its standard input to write to."""

    endpoint = "-"

    def attach(self, fd_in: int, fd_out: int) -> None:
        """Take over two descriptors; they belong to the wire from now on, and `on_ready` follows at once."""
        if self._closed:
            os.close(fd_in)
            os.close(fd_out)
            return
        os.set_blocking(fd_in, False)
        os.set_blocking(fd_out, False)
        self._in, self._out = fd_in, fd_out
        self._loop.call_soon(self._attached)

    def _attached(self) -> None:
        if not self._closed:
            self._begin(self._in, self._out)

    def _release(self) -> None:
        if self._in >= 0:
            os.close(self._in)
            os.close(self._out)
