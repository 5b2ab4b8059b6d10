"""The door: where engines and people on other machines connect.

The library that does the security accepts whoever comes, and as many. So it does not stand at the door itself: we
accept, look at the first bytes, and only then let the library have the connection, through a socket file of its own,
one socket for each connection.

    waiting   accepted; has not yet said the 64 bytes with which one begins who wants CURVE
    shaking   the library exchanges keys with it, and asks us whether the key may come in
    admitted  its wire was handed to whoever opened the door

Each stage has room for so many, and those who wait or shake hands have so much time. Where there is no room, one of
those from the address with the most has to go, the oldest first: who comes alone is not pushed aside by a crowd.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import shutil
import socket
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ggtp.errors import ConnectionLost, MessageTooLong, TransportError
from ggtp.transport.secure.curve import FIRST_SECONDS, MOST_HEARD, CurveWire, library, pair_socket
from ggtp.transport.secure.frames import FrameGauge
from ggtp.transport.secure.keys import KeyPair
from ggtp.transport.secure.relay import CHUNK, Relay
from ggtp.transport.secure.room import need_room

if TYPE_CHECKING:
    from zmq import Context, Socket

SIGNATURE = b"\xff" + bytes(7) + b"\x01\x7f"
ANSWER = SIGNATURE + b"\x03"
"""What we say first in the library's name: its signature and the version; it goes on from there."""
GREETING_BYTES = 64
MECHANISM = b"CURVE".ljust(20, b"\0")
ACCEPTS, ACCEPT_SECONDS = 4, 0.004
"""So many connections are accepted at once, and then none for so long: a crowd takes little of the processor."""
SHAKE_SECONDS = 0.01
"""From one exchange of keys to the next, which costs ten times as much."""
BACKLOG = 1024  # who finds it full tries again only after a second
SWEEP_SECONDS = 0.5
SMALL = 256
"""Bytes that come together and are nothing to look at."""
UNHEARD = 1 << 20
"""Bytes that may be in the buffers between a caller and the library."""


@dataclass(frozen=True, slots=True)
class Room:
    """How many may be where, and how long they may take."""

    waiting: int = 128
    shaking: int = 24
    admitted: int = 64
    seconds: float = FIRST_SECONDS


class AdmittedWire(CurveWire):
    """The wire to somebody who was let in."""

    def __init__(self, socket: Socket[bytes], caller: Caller) -> None:
        super().__init__(socket)
        self._caller = caller
        self.name = ""
        """What whoever has this key is called."""
        self.address = caller.host
        self._on_open: Callable[[], None] | None = None

    def when_open(self, tell: Callable[[], None]) -> None:
        """Call this once the keys are exchanged and lines can be sent."""
        self._on_open = tell
        self._look_soon()

    def _writable(self) -> None:
        if self._on_open is not None and not self._closed:
            tell, self._on_open = self._on_open, None
            tell()
        super()._writable()

    def _close(self, linger: int) -> None:
        if not self._closed:
            super()._close(linger)
            self._caller.leave()

    def cut(self, error: TransportError) -> None:
        """The connection has ended, or has to."""
        self.lose(error)

    def _hear(self) -> bool:
        heard = super()._hear()
        if heard:
            self._caller.carried = 0
        return heard


class Caller:
    """One connection, from its beginning to its end."""

    def __init__(self, door: Door, connection: socket.socket, host: str, due: float) -> None:
        self._door = door
        self._connection = connection
        self.host = host
        self.due = due
        """When it must be admitted."""
        self.wire: AdmittedWire | None = None
        self.carried = 0
        """Bytes that it sent since a line was last heard."""
        self._said = bytearray()
        self._frames = FrameGauge()
        self._relay: Relay | None = None
        self._gone = False
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(connection, self._greeted)

    def _greeted(self) -> None:
        """Take in the first bytes; with all of them, let the library go on."""
        try:
            data = self._connection.recv(GREETING_BYTES - len(self._said))
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        said = self._said
        first = not said
        said += data
        if not data or not fits(bytes(said)):
            self.leave()
            return
        if first:
            with contextlib.suppress(OSError):  # eleven bytes always fit into an empty buffer
                self._connection.send(ANSWER)
        if len(said) == GREETING_BYTES:
            self._loop.remove_reader(self._connection)
            self._door.greeted(self)

    def shake(self, backend: socket.socket, wire: AdmittedWire) -> None:
        """Let the library exchange keys with it."""
        self.wire = wire
        self._relay = Relay(self._connection, backend, bytes(self._said), len(ANSWER), self._carried, self._broken)

    def _carried(self, data: bytes) -> None:
        """See what is too long by its own word; and what is no line at all, however much comes."""
        most = self._door.limit + CHUNK
        too_long = self._frames.longest(data) > most
        if len(data) > SMALL:  # less are signs of life, which add up while it thinks, or short lines, heard soon
            self.carried += len(data)
        # Many short lines may be on their way through the library at once, and as many long ones as it holds.
        too_much = self.carried > (MOST_HEARD + 1) * most + UNHEARD
        if self.wire is not None and (too_long or too_much):
            self._ended(MessageTooLong(self._door.limit))

    def _broken(self) -> None:
        self._ended(ConnectionLost("the connection is lost"))

    def _ended(self, error: TransportError) -> None:
        wire = self.wire
        if wire is not None and self._door.is_admitted(self):
            wire.cut(error)
        self.leave()

    def leave(self) -> None:
        """Nothing more of it."""
        if self._gone:
            return
        self._gone = True
        if self._relay is not None:
            self._relay.close()
        else:
            self._loop.remove_reader(self._connection)
        self._connection.close()
        self._door.gone(self)
        if self.wire is not None:
            self.wire.close()


def fits(said: bytes) -> bool:
    """Whether this is the beginning of a greeting that asks for CURVE, version 3, and not as the server."""
    # signature = %xFF 8OCTET %x7F; version = %x03 OCTET; mechanism = 20 octets; as-server = %x00; filler = 31 octets
    if said[:1] != b"\xff" or (len(said) > 9 and said[9] != 0x7F) or (len(said) > 10 and said[10] < 3):
        return False
    if not MECHANISM.startswith(said[12:32]):
        return False
    return len(said) <= 32 or said[32] == 0


class Door:
    """Listens at an address. Order of operations: make it, then `close`; `on_admitted` is called in between."""

    def __init__(
        self,
        address: str,
        own: KeyPair,
        admit: Callable[[bytes], str | None],
        on_admitted: Callable[[AdmittedWire], None],
        on_refused: Callable[[str, bytes], None],
        *,
        limit: int,
        silence: float,
        room: Room | None = None,
    ) -> None:
        """Begin to listen.

        Args:
            address: `host:port`, with `*` for every interface and 0 for any port; `tcp://` may stand before it.
            own: the key that callers must expect.
            admit: what to call whoever has this public key; None for one who may not come in.
            on_admitted: called for everybody who was let in.
            on_refused: called with address and key of one whose key was not.
            limit: the most bytes of a line.
            silence: after so many seconds without a sign of life a connection is lost.
            room: for how many there is room.

        Raises:
            TransportError: the library is missing, or the address can't be had.
        """
        need_room()
        self._zmq = zmq = library()
        self._own = own
        self._admit = admit
        self._on_admitted = on_admitted
        self._on_refused = on_refused
        self.limit = limit
        """The most bytes of a line."""
        self._silence = silence
        self._room = room or Room()
        self._loop = asyncio.get_running_loop()
        self._waiting: dict[Caller, None] = {}
        self._greeted: dict[Caller, None] = {}
        """Of those who wait, who have said what they should."""
        self._shaking: dict[Caller, None] = {}
        self._admitted: dict[Caller, None] = {}
        self._by_number: dict[str, Caller] = {}
        self._count = 0
        self._hurried = False
        """Whether more came than are accepted at once."""
        self._pause: asyncio.TimerHandle | None = None
        self._shaker: asyncio.TimerHandle | None = None
        self._sweeper: asyncio.TimerHandle | None = None
        self._closed = False
        self.turned_away = 0
        """How many had to go because there was no room, or no time."""
        self._listener = _listener(address)
        host, port = self._listener.getsockname()[:2]
        self.address = f"tcp://[{host}]:{port}" if ":" in host else f"tcp://{host}:{port}"
        """Where it listens."""
        self._directory = ""
        self._context: Context[Socket[bytes]] = zmq.Context()
        try:
            self._directory = tempfile.mkdtemp(prefix="ggtp-door-")  # for us alone: mode 0700
            self._zap: Socket[bytes] = self._context.socket(zmq.REP)
            self._zap.setsockopt(zmq.LINGER, 0)
            self._zap.bind("inproc://zeromq.zap.01")
        except (zmq.ZMQError, OSError) as error:  # no descriptor is left, or no memory, or no room
            self._listener.close()
            self._context.destroy(0)
            shutil.rmtree(self._directory, ignore_errors=True)
            raise OSError(error.errno, error.strerror) from error
        self._zap_fd: int = self._zap.getsockopt(zmq.FD)
        self._loop.add_reader(self._zap_fd, self._asked)
        self._loop.add_reader(self._listener, self._accept)

    @property
    def counts(self) -> tuple[int, int, int]:
        """How many wait, shake hands, and are in."""
        return len(self._waiting), len(self._shaking), len(self._admitted)

    def is_admitted(self, caller: Caller) -> bool:
        """Whether it was let in."""
        return caller in self._admitted

    def close(self) -> None:
        """Close it, with everybody who came through it."""
        if self._closed:
            return
        self._closed = True
        self._loop.remove_reader(self._listener)
        self._listener.close()
        for timer in (self._sweeper, self._pause, self._shaker):
            if timer is not None:
                timer.cancel()
        for caller in (*self._waiting, *self._shaking, *self._admitted):
            caller.leave()
        self._loop.remove_reader(self._zap_fd)
        self._zap.close(0)
        self._context.destroy(0)
        shutil.rmtree(self._directory, ignore_errors=True)

    # Coming in.

    def _accept(self) -> None:
        self._accept_some()
        if not self._closed and self._hurried:
            self._loop.remove_reader(self._listener)
            self._pause = self._loop.call_later(ACCEPT_SECONDS, self._accept_again)

    def _accept_again(self) -> None:
        self._pause = None
        self._loop.add_reader(self._listener, self._accept)

    def _accept_some(self) -> None:
        self._hurried = False
        for _ in range(ACCEPTS):
            try:
                connection, peer = self._listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionError):
                return
            except OSError as error:
                # No descriptor is left: somebody has to go, or the same connection would wake us for ever.
                if error.errno in (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM) and self._waiting:
                    self._turn_away(self._waiting)
                return
            self._come(connection, str(peer[0]))
        self._hurried = True

    def _come(self, connection: socket.socket, host: str) -> None:
        if len(self._waiting) >= self._room.waiting:
            self._turn_away(self._waiting)
        connection.setblocking(False)
        # A line is small and somebody waits for it: never hold it back for company.
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._waiting[Caller(self, connection, host, self._loop.time() + self._room.seconds)] = None
        self._sweep_later()

    def _turn_away(self, stage: dict[Caller, None]) -> None:
        """Make room: the oldest of those from the address with the most."""
        self.turned_away += 1
        crowd = Counter(caller.host for caller in stage).most_common(1)[0][0]
        next(caller for caller in stage if caller.host == crowd).leave()

    def greeted(self, caller: Caller) -> None:
        """It has said what it should: it is its turn with the library soon."""
        self._greeted[caller] = None
        if self._shaker is None:
            self._shake_next()

    def _shake_next(self) -> None:
        """Exchange keys with one of those who have greeted: of those whose address has the fewest, the first."""
        self._shaker = None
        if not self._greeted:
            return
        self._shaker = self._loop.call_later(SHAKE_SECONDS, self._shake_next)
        crowds = Counter(caller.host for caller in self._greeted)
        caller = min(self._greeted, key=lambda it: crowds[it.host])
        del self._greeted[caller]
        self._waiting.pop(caller, None)
        self._shake(caller)

    def _shake(self, caller: Caller) -> None:
        if len(self._shaking) >= self._room.shaking:
            self._turn_away(self._shaking)
        self._shaking[caller] = None
        self._count += 1
        number = str(self._count)
        zmq = self._zmq
        wire: AdmittedWire | None = None
        backend = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        backend.setblocking(False)
        try:
            path = os.path.join(self._directory, number)
            wire = AdmittedWire(self._inner_socket(number, path), caller)
            backend.connect(path)
        except (zmq.ZMQError, OSError):  # no descriptor is left, or no memory
            backend.close()
            caller.leave()
            if wire is not None:
                wire.close()
            return
        self._by_number[number] = caller
        caller.shake(backend, wire)

    def _inner_socket(self, number: str, path: str) -> Socket[bytes]:
        """A socket of the library for one connection, at a socket file."""
        zmq = self._zmq
        # More than may be said, so that it is we who see what is too long and can tell why the connection ends.
        inner = pair_socket(self._context, 2 * self.limit + 16 * CHUNK, self._silence)
        try:
            inner.setsockopt(zmq.CURVE_SERVER, 1)
            inner.setsockopt(zmq.CURVE_SECRETKEY, self._own.secret)
            inner.setsockopt(zmq.ZAP_DOMAIN, number.encode())
            inner.bind(f"ipc://{path}")
        except BaseException:
            inner.close(0)
            raise
        return inner

    def _asked(self) -> None:
        """The library asks whether keys may come in: https://rfc.zeromq.org/spec/27/."""
        zmq = self._zmq
        while not self._closed:
            try:
                version, request, domain, _, _, mechanism, *credentials = self._zap.recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                return
            caller = self._by_number.get(domain.decode("ascii", "replace"))
            key = credentials[0] if mechanism == b"CURVE" and credentials else b""
            name = self._admit(key) if caller is not None and key else None
            status = (b"200", b"OK") if name is not None else (b"400", b"this key is not known here")
            self._zap.send_multipart([version, request, *status, b"", b""])
            if caller is None:
                continue
            if name is None:
                self._on_refused(caller.host, key)
            else:
                self._let_in(caller, name)

    def _let_in(self, caller: Caller, name: str) -> None:
        wire = caller.wire
        assert wire is not None
        wire.name = name
        wire.when_open(lambda: self._opened(caller, wire))

    def _opened(self, caller: Caller, wire: AdmittedWire) -> None:
        if len(self._admitted) >= self._room.admitted:
            self.turned_away += 1
            caller.leave()
            return
        self._shaking.pop(caller, None)
        self._admitted[caller] = None
        self._on_admitted(wire)

    # Going.

    def gone(self, caller: Caller) -> None:
        """It has left."""
        for stage in (self._waiting, self._greeted, self._shaking, self._admitted):
            stage.pop(caller, None)
        for number in [number for number, other in self._by_number.items() if other is caller]:
            del self._by_number[number]

    def _sweep_later(self) -> None:
        if self._sweeper is None:
            self._sweeper = self._loop.call_later(SWEEP_SECONDS, self._sweep)

    def _sweep(self) -> None:
        self._sweeper = None
        now = self._loop.time()
        for caller in [caller for caller in (*self._waiting, *self._shaking) if now >= caller.due]:
            self.turned_away += 1
            caller.leave()
        if self._waiting or self._shaking:
            self._sweep_later()


def _listener(address: str) -> socket.socket:
    host, colon, port = address.removeprefix("tcp://").rpartition(":")
    if not colon or not (port.isascii() and port.isdigit() and int(port) < 65536):
        raise TransportError(f"{address} is no address to listen at: host:port is needed, as in *:9150")
    host = host.strip("[]")
    try:
        if host in ("", "*"):
            found = socket.create_server(("", int(port)), backlog=BACKLOG)
        else:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            found = socket.create_server((host, int(port)), family=family, backlog=BACKLOG)
    except OSError as error:
        raise TransportError(f"{address}: {os.strerror(error.errno or 0)}") from error
    found.setblocking(False)
    return found
