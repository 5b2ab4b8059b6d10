"""The wire to another machine: a PAIR socket of ZeroMQ's library, with its CURVE security.

Here, and only here, the library speaks for us, since the security is its own and not ours to write again. Without it
everything else works. Both ends are the same: lines in both directions until one of them is lost.

    CurveWire      lines over such a socket, in the event loop
    call           connect to a referee on another machine, and wait until both ends know each other

A connection that breaks is not mended behind our back: what was said before would be heard after it. Whoever wants
another one makes a new wire.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from ggtp.errors import ConnectionLost, NotAdmitted, TransportError
from ggtp.transport.base import Backlogged, OnLine, OnLost, Wire
from ggtp.transport.secure.keys import KeyPair
from ggtp.transport.secure.room import need_room

if TYPE_CHECKING:
    from zmq import Context, Socket

BATCH = 64
"""Messages handed on before others get their turn."""
MOST_QUEUED = 64
"""Messages that the library may hold for an end that does not read; the others wait here."""
MOST_WAITING = 4 << 20
"""Bytes that may wait here."""
MOST_HEARD = 4
"""Messages that the library takes in beyond those that were handed on: each may be as long as a line."""
KINDLY_MS = 1000
"""How long what was sent last may take to get there."""
MOST_LINES = 1000
"""Lines in one message: most have one."""
FIRST_SECONDS = 10.0
"""How long both ends may take to know each other."""

LIBRARY_MISSING = "engines and people on other machines need the library pyzmq: pip install pyzmq"


def library() -> Any:
    """The module `zmq`. Any: it may not be there.

    Raises:
        TransportError: it is not installed, or was built without CURVE.
    """
    try:
        import zmq
    except ImportError as error:
        raise TransportError(LIBRARY_MISSING) from error
    if not zmq.has("curve"):
        raise TransportError("this build of pyzmq has no CURVE security; a wheel from PyPI has")
    return zmq


def new_key() -> KeyPair:
    """A key that nobody has yet.

    Raises:
        TransportError: the library is missing.
        OSError: there is no room for it.
    """
    need_room()
    zmq = library()
    from zmq.utils import z85

    public, secret = zmq.curve_keypair()
    return KeyPair(z85.decode(public), z85.decode(secret))


def pair_socket(context: Context[Socket[bytes]], limit: int, silence: float) -> Socket[bytes]:
    """A socket for one connection, bounded in all that it may hold.

    Args:
        context: the library's.
        limit: the most bytes of a message.
        silence: after so many seconds without a sign of life the connection is broken.
    """
    zmq = library()
    result = context.socket(zmq.PAIR)
    beat = max(1, int(silence * 1000))
    for option, value in (
        (zmq.LINGER, 0),
        (zmq.IPV6, 1),
        (zmq.MAXMSGSIZE, limit),
        (zmq.SNDHWM, MOST_QUEUED),
        (zmq.RCVHWM, MOST_HEARD),
        (zmq.RECONNECT_IVL, -1),
        (zmq.HEARTBEAT_IVL, max(1, beat // 4)),
        (zmq.HEARTBEAT_TIMEOUT, beat),
        (zmq.HEARTBEAT_TTL, beat),
        (zmq.HANDSHAKE_IVL, int(FIRST_SECONDS * 1000)),
    ):
        result.setsockopt(option, value)
    return result


class CurveWire(Wire):
    """Lines over a PAIR socket, which belongs to the wire from now on.

    Whoever sees the connection end calls `lose`: the library itself does not say so on the socket.
    """

    def __init__(self, socket: Socket[bytes]) -> None:
        self._zmq = library()
        self._socket = socket
        self._on_line: OnLine | None = None
        self._on_lost: OnLost | None = None
        self._loop = asyncio.get_running_loop()
        self._fd: int = socket.getsockopt(self._zmq.FD)  # type: ignore[assignment]  # of that option it is a number
        self._wanted = False
        self._looking = False
        self._losing = False
        self._closed = False
        self._waiting: deque[bytes] = deque()
        self._waiting_bytes = 0
        self._held: deque[bytes] = deque()
        """Lines of a message that were not handed on yet."""
        self._held_at = 0.0
        self._loop.add_reader(self._fd, self._look)

    def attend(self, on_line: OnLine, on_lost: OnLost) -> None:
        """From now on, tell of lines and of the loss; before, what is said waits."""
        self._on_line, self._on_lost = on_line, on_lost
        self.reading(True)

    def send(self, lines: Sequence[bytes]) -> None:
        if self._closed:
            raise ConnectionLost("the connection is closed")
        if self._waiting_bytes > MOST_WAITING:
            raise Backlogged(f"{self._waiting_bytes} bytes are waiting for one who does not read")
        self._waiting.extend(lines)
        self._waiting_bytes += sum(map(len, lines))
        self._flush()

    def _flush(self) -> None:
        """Hand the library what it takes."""
        waiting = self._waiting
        while waiting:
            try:
                self._socket.send(waiting[0], self._zmq.NOBLOCK)
            except self._zmq.Again:
                break
            self._waiting_bytes -= len(waiting.popleft())
        # The library's descriptor tells of changes only, and sending may have swallowed one.
        self._look_soon()

    def reading(self, on: bool) -> None:
        self._wanted = on
        if on:
            self._look_soon()

    def close(self) -> None:
        self._close(0)

    def close_kindly(self) -> None:
        """The same, but what was sent and is still on its way may get there."""
        self._close(KINDLY_MS)

    def _close(self, linger: int) -> None:
        if not self._closed:
            self._closed = True
            self._loop.remove_reader(self._fd)
            self._socket.close(linger)

    def lose(self, error: TransportError) -> None:
        """The connection is broken, or has to be: hand on what had come before, then tell it."""
        if self._losing:  # whoever hears those last lines has had enough of them
            self._wanted = False
            return
        self._losing = True
        while not self._closed and self._wanted and self._hear():
            pass
        if not self._closed:
            self.close()
            if self._on_lost is not None:
                self._on_lost(error)

    def _look_soon(self) -> None:
        if not self._looking and not self._closed:
            self._looking = True
            self._loop.call_soon(self._look_again)

    def _look_again(self) -> None:
        self._looking = False
        self._look()

    def _look(self) -> None:
        for _ in range(BATCH):
            if self._closed:
                return
            if not self._wanted or not self._hear():
                break
        else:
            self._look_soon()
            return
        if self.closed:  # by what was heard
            return
        # Asked for last, and once: receiving, sending and asking swallow what the descriptor tells, so that a change
        # that was taken in on the way is seen here or never.
        events = self._events()
        if events & self._zmq.POLLOUT:
            self._writable()
        if events & self._zmq.POLLIN and self._wanted:
            self._look_soon()

    def _writable(self) -> None:
        """Something can be sent."""
        if self._waiting and not self._closed:
            self._flush()

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._closed

    def _events(self) -> int:
        """What can be done with the socket now."""
        return int(self._socket.getsockopt(self._zmq.EVENTS))

    def _hear(self) -> bool:
        """Hand on a line; False where there is none."""
        if self._held:
            line = self._held.popleft()
            if self._on_line is not None:
                self._on_line(line, self._held_at)
            return True
        try:
            message = self._socket.recv(self._zmq.NOBLOCK)
        except self._zmq.Again:
            return False
        at = time.monotonic()
        lines = message.removesuffix(b"\n").split(b"\n", MOST_LINES)
        if len(lines) > MOST_LINES:
            self.lose(ConnectionLost(f"more than {MOST_LINES} lines in a message"))
            return False
        self._held.extend(line.removesuffix(b"\r") for line in lines)
        self._held_at = at
        return self._hear()


class CalledWire(CurveWire):
    """The wire of the end that has called."""

    def __init__(self, socket: Socket[bytes]) -> None:
        zmq = library()
        events = (
            zmq.EVENT_HANDSHAKE_SUCCEEDED
            | zmq.EVENT_HANDSHAKE_FAILED_AUTH
            | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
            | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL
            | zmq.EVENT_CONNECTED
            | zmq.EVENT_DISCONNECTED
            | zmq.EVENT_CLOSED
        )
        # A name of our own: the usual one is made of a descriptor's number, which the socket before may still have.
        self._monitor: Socket[bytes] = socket.get_monitor_socket(events, f"inproc://watch-{uuid4().hex}")
        self._monitor_fd: int = self._monitor.getsockopt(zmq.FD)  # type: ignore[assignment]  # a number
        super().__init__(socket)
        self._reached = False
        self.known: asyncio.Future[None] = self._loop.create_future()
        """Done when both ends know each other."""
        self._loop.add_reader(self._monitor_fd, self._watch)
        self._loop.call_soon(self._watch)

    def _close(self, linger: int) -> None:
        if not self._closed:
            self._loop.remove_reader(self._monitor_fd)
            self._socket.disable_monitor()
            super()._close(linger)
            self._monitor.close(0)
            if not self.known.done():
                self.known.cancel()

    def _watch(self) -> None:
        zmq = self._zmq
        while not self._closed:
            try:
                event, value = self._event()
            except zmq.Again:
                return
            if event == zmq.EVENT_HANDSHAKE_SUCCEEDED:
                if not self.known.done():
                    self.known.set_result(None)
            elif event == zmq.EVENT_HANDSHAKE_FAILED_AUTH:
                why = "that the key is not known there" if value == 400 else f"status {value}"
                self._refused(NotAdmitted(f"the referee does not let us in: it says {why}"))
            elif event == zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL:
                self._refused(NotAdmitted("whoever answers there is no referee, or has another key than was expected"))
            elif event == zmq.EVENT_CONNECTED:
                self._reached = True
            elif not self._reached:
                self._refused(ConnectionLost("no referee listens there"))
            elif not self.known.done():
                self._refused(
                    ConnectionLost(
                        "the connection ended before both ends knew each other: the server key may be another"
                    )
                )
            else:
                self.lose(ConnectionLost("the connection to the referee is lost"))

    def _event(self) -> tuple[int, int]:
        from zmq.utils.monitor import parse_monitor_message

        told = parse_monitor_message(self._monitor.recv_multipart(self._zmq.NOBLOCK))
        return int(told["event"]), int(told["value"])

    def _refused(self, error: TransportError) -> None:
        if not self.known.done():
            self.known.set_exception(error)
            self.known.exception()  # seen: nobody may be waiting any more
        else:
            self.lose(error)


async def call(address: str, own: KeyPair, referee: bytes, *, limit: int, silence: float, seconds: float) -> CalledWire:
    """Connect to a referee on another machine.

    Args:
        address: `tcp://host:port`.
        own: our key.
        referee: the public key that the referee must have.
        limit: the most bytes of a line.
        silence: after so many seconds without a sign of life the connection is lost.
        seconds: how long it may take.

    Raises:
        ConnectionLost: nobody is there.
        NotAdmitted: the referee does not know our key, or has not the key that it should have.
        TransportError: the library is missing.
    """
    try:
        need_room()
    except OSError as error:
        raise ConnectionLost(f"{address}: {error.strerror}") from error
    zmq = library()
    try:
        socket = pair_socket(zmq.Context.instance(), limit, silence)
    except zmq.ZMQError as error:
        raise ConnectionLost(f"{address}: {error.strerror}") from error
    try:
        socket.setsockopt(zmq.CURVE_PUBLICKEY, own.public)
        socket.setsockopt(zmq.CURVE_SECRETKEY, own.secret)
        socket.setsockopt(zmq.CURVE_SERVERKEY, referee)
        wire = CalledWire(socket)
    except BaseException:
        socket.close(0)
        raise
    try:
        socket.connect(address)
        async with asyncio.timeout(seconds):
            await asyncio.shield(wire.known)
    except TimeoutError:
        wire.close()
        raise ConnectionLost(f"nobody answers at {address}") from None
    except zmq.ZMQError as error:
        wire.close()
        raise ConnectionLost(f"{address}: {error.strerror}") from error
    except BaseException:
        wire.close()
        raise
    return wire
