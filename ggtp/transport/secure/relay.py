"""Bytes from one socket to another and back, with little of them on the way."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable

CHUNK = 65536
LAST_SECONDS = 1.0
"""How long the back may take to end after the front has."""


class _Way:
    """One direction: what was read is written before more is read."""

    def __init__(self, source: socket.socket, sink: socket.socket, first: bytes, skip: int, relay: Relay) -> None:
        self._source = source
        self._sink = sink
        self._skip = skip
        self._relay = relay
        self._loop = asyncio.get_running_loop()
        self._held = bytearray(first)
        if first:
            self._loop.add_writer(sink, self._writable)
        else:
            self._loop.add_reader(source, self._readable)
        self._writing = bool(first)

    def close(self) -> None:
        self._loop.remove_reader(self._source)
        self._loop.remove_writer(self._sink)

    def _readable(self) -> None:
        try:
            data = self._source.recv(CHUNK)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        if not data:
            self._loop.remove_reader(self._source)
            self._relay.dried_up(self, self._sink)
            return
        self._relay.came(self, data)
        if self._skip:
            skipped = min(self._skip, len(data))
            self._skip -= skipped
            data = data[skipped:]
        self._held += data
        self._write()

    def _write(self) -> None:
        try:
            sent = self._sink.send(self._held) if self._held else 0
        except (BlockingIOError, InterruptedError):
            sent = 0
        except OSError:
            self._relay.end()
            return
        del self._held[:sent]
        if self._held and not self._writing:
            self._writing = True
            self._loop.remove_reader(self._source)
            self._loop.add_writer(self._sink, self._writable)
        elif not self._held and self._writing:
            self._writing = False
            self._loop.remove_writer(self._sink)
            self._loop.add_reader(self._source, self._readable)

    def _writable(self) -> None:
        self._write()


class Relay:
    """Two non-blocking sockets joined. `back` belongs to the relay; both are left open for their owner but that."""

    def __init__(
        self,
        front: socket.socket,
        back: socket.socket,
        first: bytes,
        skip: int,
        on_bytes: Callable[[bytes], None],
        on_end: Callable[[], None],
    ) -> None:
        """Begin.

        Args:
            front: one end.
            back: the other.
            first: bytes of `front` that were read already.
            skip: how many of the first bytes of `back` are not handed on.
            on_bytes: called with the bytes that came from `front`.
            on_end: called once when either end is gone.
        """
        self._back = back
        self._on_bytes = on_bytes
        self._on_end = on_end
        self._closed = False
        self._ending: asyncio.TimerHandle | None = None
        self._there = _Way(front, back, first, 0, self)
        self._here = _Way(back, front, b"", skip, self)

    def came(self, way: _Way, data: bytes) -> None:
        """Bytes have come in."""
        if way is self._there:
            self._on_bytes(data)

    def dried_up(self, way: _Way, sink: socket.socket) -> None:
        """Nothing more comes from one end: the back may still have something to do with what came before."""
        if way is self._here:
            self.end()
            return
        try:
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            self.end()
            return
        self._ending = asyncio.get_running_loop().call_later(LAST_SECONDS, self.end)

    def end(self) -> None:
        """Either end is gone."""
        if not self._closed:
            self.close()
            self._on_end()

    def close(self) -> None:
        """Join them no longer."""
        if not self._closed:
            self._closed = True
            if self._ending is not None:
                self._ending.cancel()
            self._there.close()
            self._here.close()
            self._back.close()
