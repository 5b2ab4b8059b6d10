"""Wires as an engine has them, written by hand where a library could not misbehave."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator

CHUNK = 65536


class Stream:
    """Lines ended by LF over a pair of descriptors."""

    def __init__(self, fd_in: int, fd_out: int) -> None:
        self.fd_in, self.fd_out = fd_in, fd_out
        self._rest = b""

    def lines(self) -> Iterator[str]:
        """What the referee says."""
        while data := os.read(self.fd_in, CHUNK):
            *lines, self._rest = (self._rest + data).split(b"\n")
            for line in lines:
                yield line.decode("utf-8", "replace").rstrip("\r")

    def frame(self, data: bytes) -> bytes:
        """A line as it goes over the wire."""
        return data + b"\n"

    def endless(self) -> bytes:
        """How a line of 1 GiB begins."""
        return b""

    def write(self, data: bytes) -> None:
        """Write bytes as they are."""
        left = memoryview(data)
        while left:
            left = left[os.write(self.fd_out, left) :]

    def send(self, data: bytes) -> None:
        """Say a line."""
        self.write(self.frame(data))

    def close(self) -> None:
        """Hang up."""
        os.close(self.fd_in)
        if self.fd_out != self.fd_in:
            os.close(self.fd_out)


class RawZmtp(Stream):
    """ZeroMQ's protocol byte by byte: a greeting, a READY, then frames with their lengths."""

    GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)

    def __init__(self, fd: int, kind: bytes = b"PAIR") -> None:
        """Greet, as a socket of this kind."""
        super().__init__(fd, fd)
        self.write(self.GREETING)
        self._read(64)
        ready = b"\x05READY\x0bSocket-Type" + len(kind).to_bytes(4, "big") + kind
        self.write(b"\x04" + bytes([len(ready)]) + ready)
        self._read(self._read(2)[1])

    def _read(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            part = os.read(self.fd_in, size - len(data))
            if not part:
                raise SystemExit(0)
            data += part
        return data

    def lines(self) -> Iterator[str]:
        """What the referee says."""
        while True:
            long = self._read(1)[0] & 2
            size = int.from_bytes(self._read(8 if long else 1), "big")
            yield self._read(size).decode("utf-8", "replace").rstrip("\r\n")

    def frame(self, data: bytes) -> bytes:
        """A line as it goes over the wire."""
        if len(data) < 256:
            return bytes([0, len(data)]) + data
        return b"\x02" + len(data).to_bytes(8, "big") + data

    def endless(self) -> bytes:
        """How a line of 1 GiB begins."""
        return b"\x02" + (1 << 30).to_bytes(8, "big")


class Pyzmq:
    """A PAIR socket of pyzmq, as most engines have it."""

    def __init__(self, endpoint: str) -> None:
        import importlib

        self._zmq = zmq = importlib.import_module("zmq")  # a program of its own may; no module of the project does
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.PAIR)
        self._socket.set(zmq.RECONNECT_IVL, -1)
        self._socket.set(zmq.LINGER, 1000)
        self._monitor = self._socket.get_monitor_socket(zmq.EVENT_DISCONNECTED)
        self._socket.connect(endpoint)

    def lines(self) -> Iterator[str]:
        """What the referee says."""
        poller = self._zmq.Poller()
        poller.register(self._socket, self._zmq.POLLIN)
        poller.register(self._monitor, self._zmq.POLLIN)
        while self._socket in (ready := dict(poller.poll())) or self._monitor not in ready:
            yield self._socket.recv().decode("utf-8", "replace")

    def send(self, data: bytes) -> None:
        """Say a line."""
        while not self._socket.poll(100, self._zmq.POLLOUT):
            if self._monitor.poll(0):
                raise SystemExit(0)
        self._socket.send(data)

    def close(self) -> None:
        """Hang up."""
        self._context.destroy(linger=1000)


def dialled(endpoint: str) -> socket.socket:
    """A connection to an endpoint, on which nothing was said yet."""
    scheme, _, address = endpoint.rpartition("://")
    if scheme == "ipc":
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(address)
        return connection
    host, _, port = address.rpartition(":")
    connection = socket.create_connection((host, int(port)))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def connect(endpoint: str, *, raw: bool, greet: bool = True) -> Stream | Pyzmq:
    """The channel to an endpoint; with `raw` not through pyzmq, without `greet` not even in ZeroMQ's protocol."""
    if endpoint == "-":
        return Stream(0, 1)
    zeromq = "://" in endpoint
    if zeromq and not raw:
        return Pyzmq(endpoint)
    fd = dialled(endpoint).detach()
    return RawZmtp(fd) if zeromq and greet else Stream(fd, fd)
