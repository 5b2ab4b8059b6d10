"""The engine's end of the channel: blocking calls, for engine programs.

    channel = connect(sys.argv[1])
    while (line := channel.receive()) is not None:
        channel.send(b"acknowledge")

One thread receives; any thread may send, also while another is in `receive`.
"""

from __future__ import annotations

import contextlib
import os
import select
import threading
import time
from abc import ABC, abstractmethod
from collections import deque

from ggtp.errors import ConnectionLost
from ggtp.transport.lines import Framing, LineFraming

CHUNK = 65536
CONNECT_SECONDS = 10.0
NO_LIMIT = 1 << 62  # the referee is trusted


class Channel(ABC):
    """A two-way channel of lines to the referee."""

    @abstractmethod
    def receive(self, timeout: float | None = None) -> bytes | None:
        """Wait for the next line and return it without LF or CR LF; None when the referee has hung up or `close`
        was called.

        Raises:
            TimeoutError: nothing came for `timeout` seconds.
        """

    @abstractmethod
    def send(self, line: bytes) -> None:
        """Send one line, given without LF; waits while the referee does not read. Any thread may call it.

        While lines of the referee are waiting that have arrived together, answers may be kept back
        until the last of them is answered, so that they travel together too; `flush` sends them now.

        Raises:
            ConnectionLost: the referee has hung up, or `close` was called.
        """

    def flush(self) -> None:  # noqa: B027 - a channel that keeps nothing back has nothing to do
        """Send what was kept back: for when the next answer may take a while.

        Raises:
            ConnectionLost: the referee has hung up, or `close` was called.
        """

    @abstractmethod
    def close(self) -> None:
        """Hang up; a `receive` under way in another thread returns None. May be called again."""


def connect(endpoint: str) -> Channel:
    """Connect to the referee.

    Args:
        endpoint: `ipc://...` or `tcp://...` for ZeroMQ, `host:port` for plain TCP, `-` for standard input and output.

    Raises:
        ConnectionLost: nobody is there.
        ValueError: this is no endpoint.
    """
    if endpoint == "-":
        return _connect_stdio()
    scheme, _, address = endpoint.rpartition("://")
    host, colon, port = address.rpartition(":")
    if scheme == "ipc" and address:
        return _connect_zmq(_open_ipc(address))
    if scheme in ("tcp", "") and colon and port.isdecimal():
        fd = _open_tcp(host.strip("[]"), int(port))
        return _connect_zmq(fd) if scheme else StreamChannel(fd, fd, LineFraming(NO_LIMIT))
    raise ValueError(f"{endpoint} is no endpoint: ipc://..., tcp://..., host:port or - is needed")


def _open_tcp(host: str, port: int) -> int:
    import socket  # the costliest import of this module, and not needed on standard input

    try:
        connection = socket.create_connection((host, port))
    except OSError as error:
        raise ConnectionLost(f"no referee at {host}:{port} ({error.strerror or error})") from error
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection.detach()


def _open_ipc(path: str) -> int:
    import socket

    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        # ZeroMQ writes an address of the abstract name space with an @ in front.
        connection.connect("\0" + path[1:] if path.startswith("@") else path)
    except OSError as error:
        connection.close()
        raise ConnectionLost(f"no referee at ipc://{path} ({error.strerror or error})") from error
    return connection.detach()


def _connect_zmq(fd: int) -> Channel:
    from ggtp.transport.zmtp import ZmtpFraming

    channel = StreamChannel(fd, fd, ZmtpFraming(NO_LIMIT))
    try:
        channel.introduce(CONNECT_SECONDS)
    except ConnectionLost:
        channel.close()
        raise
    return channel


def _connect_stdio() -> Channel:
    """Move standard input and output out of the way: a stray `print` of the engine goes to standard error instead of
    between our lines, and a library that reads standard input finds it empty."""
    fd_in, fd_out = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return StreamChannel(fd_in, fd_out, LineFraming(NO_LIMIT))


class Waker:
    """Lets one thread wake another out of `poll`."""

    def __init__(self) -> None:
        self.fd, self._write = os.pipe()
        os.set_blocking(self.fd, False)
        os.set_blocking(self._write, False)

    def wake(self) -> None:
        """Make `fd` readable."""
        with contextlib.suppress(BlockingIOError):  # it is readable already
            os.write(self._write, b"!")

    def clear(self) -> None:
        """Make `fd` unreadable again."""
        with contextlib.suppress(BlockingIOError):
            os.read(self.fd, 4096)

    def close(self) -> None:
        """Close both descriptors."""
        os.close(self.fd)
        os.close(self._write)


class StreamChannel(Channel):
    """Lines over descriptors; both belong to the channel and may be the same."""

    def __init__(self, fd_in: int, fd_out: int, framing: Framing) -> None:
        self._in = fd_in
        self._out = fd_out
        self._lines: deque[bytes] = deque()
        self._kept: list[bytes] = []
        self._framing = framing
        self._waker = Waker()
        self._poll = select.poll()
        self._poll.register(fd_in, select.POLLIN)
        self._poll.register(self._waker.fd, select.POLLIN)
        self._receiving = threading.Lock()
        self._sending = threading.Lock()
        self._ended = False
        self._closed = False

    def receive(self, timeout: float | None = None) -> bytes | None:
        if self._lines and not self._closed:
            return self._lines.popleft()
        if self._kept:
            with contextlib.suppress(ConnectionLost):  # that there is no more to come says it, too
                self.flush()
        with self._receiving:
            deadline = None if timeout is None else time.monotonic() + timeout
            while not self._lines and not self._ended:
                left = None if deadline is None else max(0.0, deadline - time.monotonic()) * 1000
                if not self._poll.poll(left):
                    raise TimeoutError
                self._take()
            return None if self._closed or not self._lines else self._lines.popleft()

    def _take(self) -> None:
        """Take in what has come, or that there will be no more."""
        if self._closed:
            self._ended = True
            return
        try:
            data = os.read(self._in, CHUNK)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        if data:
            self._lines.extend(self._framing.feed(data))
        if self._framing.news:
            self._framing.news = False
            self._reply()
        self._ended = not data or self._framing.fault is not None

    def _reply(self) -> None:
        with self._sending, contextlib.suppress(ConnectionLost):
            replies, self._framing.replies = self._framing.replies, b""
            self._write(replies)

    def introduce(self, seconds: float) -> None:
        """Wait until both ends have introduced themselves.

        Raises:
            ConnectionLost: there is no referee at the other end.
        """
        self._reply()
        deadline = time.monotonic() + seconds
        while not self._framing.ready:
            left = deadline - time.monotonic()
            if self._ended or left <= 0 or not self._poll.poll(left * 1000):
                raise ConnectionLost("the other end does not behave like a referee on ZeroMQ")
            self._take()

    def send(self, line: bytes) -> None:
        with self._sending:
            self._kept.append(line)
            if not self._lines:
                self._write_kept()

    def flush(self) -> None:
        if self._kept:
            with self._sending:
                self._write_kept()

    def _write_kept(self) -> None:
        lines, self._kept = self._kept, []
        if lines:
            self._write(self._framing.pack(lines))

    def _write(self, data: bytes) -> None:
        if self._closed:
            raise ConnectionLost("the channel is closed")
        try:
            written = os.write(self._out, data)
            while written < len(data):
                data = data[written:]
                written = os.write(self._out, data)
        except OSError as error:
            raise ConnectionLost(f"the referee has hung up ({error.strerror})") from error

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._waker.wake()
        # Only once nobody uses them may the numbers of the descriptors be given back. A thread in `send` is freed by
        # the referee, which reads or hangs up.
        with self._receiving, self._sending:
            self._ended = True
            os.close(self._in)
            if self._out != self._in:
                os.close(self._out)
            self._waker.close()
