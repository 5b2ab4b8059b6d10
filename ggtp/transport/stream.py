"""A wire over descriptors of a byte stream: what ZeroMQ, plain TCP and standard input and output have in common.

It works on bare descriptors with the loop's readiness callbacks. asyncio's transports and streams would add a layer
or two to every line, and their write buffers know no limit.
"""

from __future__ import annotations

import asyncio
import os
import socket
import time
from abc import abstractmethod
from collections import deque
from collections.abc import Sequence

from ggtp.transport.base import Backlogged, ConnectionLost, OnLine, OnLost, OnReady, TransportError, Wire
from ggtp.transport.lines import Framing

CHUNK = 65536  # bytes taken in at once: enough for speed, little enough that a flood does not hold up the loop
BATCH = 64  # lines handed on before other engines get their turn


class StreamWire(Wire):
    """Lines over one descriptor to read from and one to write to (they may be the same)."""

    def __init__(self, on_line: OnLine, on_lost: OnLost, on_ready: OnReady, framing: Framing, limit: int) -> None:
        self._on_line = on_line
        self._on_lost = on_lost
        self._on_ready = on_ready
        self._framing = framing
        self._limit = limit
        self._loop = asyncio.get_running_loop()
        self._in = -1
        self._out = -1
        self._waiting = bytearray()  # what the engine has not read yet
        self._held: deque[bytes] = deque()  # lines that came in but were not handed on yet
        self._held_at = 0.0
        self._ready = False  # whether `on_ready` was told
        self._wanted = True  # what `reading` asked for
        self._listening = False  # whether the loop watches `_in`
        self._pumping = False
        self._closed = False

    # -- for the transports -------------------------------------------------------------------------------------

    def _begin(self, fd_in: int, fd_out: int) -> None:
        """Start with these non-blocking descriptors; from the loop, since it may tell that we are ready."""
        self._in, self._out = fd_in, fd_out
        self._attend()
        self._listen()

    @abstractmethod
    def _release(self) -> None:
        """Close the descriptors (and whatever else there is); called once."""

    def _taken_in(self) -> None:
        """Do what has to be done once bytes were read, before anybody hears of them."""

    # -- Wire ---------------------------------------------------------------------------------------------------

    def send(self, lines: Sequence[bytes]) -> None:
        if not self._ready or self._closed:
            raise ConnectionLost("the engine is not connected")
        if lines:
            self._write(self._framing.pack(lines))

    def reading(self, on: bool) -> None:
        self._wanted = on
        if not on:
            self._deafen()
        elif self._held or self._framing.fault:
            self._pump_soon()
        else:
            self._listen()

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._deafen()
        if self._waiting:
            self._loop.remove_writer(self._out)
            self._waiting.clear()
        self._held.clear()
        self._release()
        self._in = self._out = -1

    # -- inside -------------------------------------------------------------------------------------------------

    def _listen(self) -> None:
        if self._wanted and not self._listening and self._in >= 0:
            self._listening = True
            self._loop.add_reader(self._in, self._readable)

    def _deafen(self) -> None:
        if self._listening:
            self._listening = False
            self._loop.remove_reader(self._in)

    def _readable(self) -> None:
        try:
            data = os.read(self._in, CHUNK)
            at = time.monotonic()
        except (BlockingIOError, InterruptedError):
            return
        except OSError as error:
            self._lose(_hung_up(error))
            return
        if not data:
            when = "" if self._ready else " before it was ready"
            when = " in the middle of a line" if self._ready and self._framing.unfinished else when
            self._lose(ConnectionLost(f"the engine has hung up{when}"))
            return
        self._taken_in()
        lines = self._framing.feed(data)
        if self._framing.news:
            self._attend()
        elif not self._held and len(lines) <= BATCH:  # nearly always
            on_line = self._on_line
            for number, line in enumerate(lines, 1):
                on_line(line, at)
                if not self._listening:  # that line was enough, or the last
                    if not self._closed:
                        self._held.extend(lines[number:])
                        self._held_at = at
                    return
            return
        self._held.extend(lines)
        self._held_at = at
        self._pump()

    def _attend(self) -> None:
        """See to what the framing wants besides handing out lines, but for a fault, which comes after them."""
        framing = self._framing
        framing.news = False
        if framing.replies:
            replies, framing.replies = framing.replies, b""
            try:
                self._write(replies)
            except TransportError as error:
                self._lose(error)
                return
        if framing.ready and not self._ready:
            self._ready = True
            self._on_ready()

    def _pump_soon(self) -> None:
        if not self._pumping:
            self._pumping = True
            self._loop.call_soon(self._pump_again)

    def _pump_again(self) -> None:
        self._pumping = False
        self._pump()

    def _pump(self) -> None:
        """Hand on a batch of the held lines; with the last of them, go back to listening or tell of the loss."""
        held = self._held
        left = BATCH
        while held and left and self._wanted and not self._closed:
            left -= 1
            self._on_line(held.popleft(), self._held_at)
        if self._closed or not self._wanted:
            return
        if held:
            self._deafen()
            self._pump_soon()
        elif self._framing.fault:
            self._lose(self._framing.fault)
        else:
            self._listen()

    def _write(self, data: bytes) -> None:
        if self._waiting:
            if len(self._waiting) >= self._limit:
                raise Backlogged(f"{len(self._waiting)} bytes are waiting for an engine that does not read")
            self._waiting += data
            return
        try:
            written = os.write(self._out, data)
        except (BlockingIOError, InterruptedError):
            written = 0
        except OSError as error:
            raise _hung_up(error) from error
        if written < len(data):
            self._waiting += memoryview(data)[written:]
            self._loop.add_writer(self._out, self._writable)

    def _writable(self) -> None:
        try:
            written = os.write(self._out, self._waiting)
        except (BlockingIOError, InterruptedError):
            return
        except OSError as error:
            self._lose(_hung_up(error))
            return
        del self._waiting[:written]
        if not self._waiting:
            self._loop.remove_writer(self._out)

    def _lose(self, error: TransportError) -> None:
        if not self._closed:
            self.close()
            self._on_lost(error)


class ListeningWire(StreamWire):
    """Takes exactly one connection, then nobody listens any more."""

    def __init__(
        self, on_line: OnLine, on_lost: OnLost, on_ready: OnReady, framing: Framing, limit: int, listener: socket.socket
    ) -> None:
        """Start to listen on a bound socket, which belongs to the wire from now on."""
        super().__init__(on_line, on_lost, on_ready, framing, limit)
        self._connection: socket.socket | None = None
        self._listener: socket.socket | None = listener
        listener.setblocking(False)
        listener.listen(8)
        self._loop.add_reader(listener, self._accept)

    @abstractmethod
    def _admit(self, connection: socket.socket) -> bool:
        """Whether this may be our engine; if so, set the connection up."""

    def _accept(self) -> None:
        if self._listener is None:
            return
        try:
            connection, _ = self._listener.accept()
        except OSError:  # it went away while it waited
            return
        try:
            connection.setblocking(False)
            admitted = self._admit(connection)
        except OSError:
            admitted = False
        if not admitted:
            connection.close()
            return
        self._stop_listening()
        self._connection = connection
        self._begin(connection.fileno(), connection.fileno())

    def listen_at(self, listener: socket.socket) -> None:
        """Wait for the engine at another socket that listens already, which belongs to the wire from now on."""
        if self._closed or self._connection is not None:
            listener.close()
            return
        self._stop_listening()
        listener.setblocking(False)
        self._listener = listener
        self._loop.add_reader(listener, self._accept)

    def _stop_listening(self) -> None:
        if self._listener is not None:
            self._loop.remove_reader(self._listener)
            self._listener.close()
            self._listener = None

    def _release(self) -> None:
        self._stop_listening()
        if self._connection is not None:
            self._connection.close()


def _hung_up(error: OSError) -> ConnectionLost:
    return ConnectionLost(f"the engine has hung up ({error.strerror})")
