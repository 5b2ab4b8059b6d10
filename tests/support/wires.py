"""An ear for what a wire tells, and a bare other end to talk to it byte by byte."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib import import_module
from types import SimpleNamespace

import pytest
from support.paths import FAKES

from ggtp.transport.lines import Framing, LineFraming
from ggtp.transport.zmtp import ZmtpFraming

SECONDS = 10.0


class Ear:
    """Hears what a wire and a process tell, and wakes whoever waits for it."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.times: list[float] = []
        self.lost: list[Exception] = []
        self.ready = 0
        self.exits: list[int] = []
        self.limits: list[str] = []
        self.calls: list[str] = []
        self._changed = asyncio.Event()

    def _hear(self, what: str) -> None:
        self.calls.append(what)
        self._changed.set()

    def on_line(self, line: bytes, at: float) -> None:
        self.lines.append(line)
        self.times.append(at)
        self._hear("line")

    def on_lost(self, error: Exception) -> None:
        self.lost.append(error)
        self._hear("lost")

    def on_ready(self) -> None:
        self.ready += 1
        self._hear("ready")

    def on_exit(self, status: int) -> None:
        self.exits.append(status)
        self._hear("exit")

    def on_limit(self, sentence: str) -> None:
        self.limits.append(sentence)
        self._hear("limit")

    async def until(self, condition: Callable[[], object], seconds: float = SECONDS) -> None:
        """Wait for something to be heard that makes the condition true."""
        async with asyncio.timeout(seconds):
            while not condition():
                self._changed.clear()
                await self._changed.wait()


class Peer:
    """The other end of a wire, in the same loop, as bare as can be."""

    def __init__(self, connection: socket.socket, framing: Framing) -> None:
        self.connection = connection
        self.framing = framing
        self.heard: list[bytes] = []
        connection.setblocking(False)

    async def write(self, data: bytes) -> None:
        await asyncio.wait_for(asyncio.get_running_loop().sock_sendall(self.connection, data), SECONDS)

    async def send(self, *lines: bytes) -> None:
        await self.write(self.framing.pack(lines))

    async def read(self) -> bytes:
        return await asyncio.wait_for(asyncio.get_running_loop().sock_recv(self.connection, 1 << 20), SECONDS)

    async def take(self) -> bool:
        """Read a piece; whether there was one."""
        data = await self.read()
        if data:
            self.heard += self.framing.feed(data)
        return bool(data)

    async def hear(self, count: int) -> list[bytes]:
        """The next lines from the referee."""
        while len(self.heard) < count:
            assert await self.take()
        lines, self.heard = self.heard[:count], self.heard[count:]
        return lines

    def close(self) -> None:
        self.connection.close()


async def call(transport: str, wire: object) -> Peer:
    """Connect to a wire, but do not introduce ourselves."""
    loop = asyncio.get_running_loop()
    endpoint = getattr(wire, "endpoint", "")
    if transport == "stdio":
        ours, theirs = socket.socketpair()
        wire.attach(os.dup(theirs.fileno()), os.dup(theirs.fileno()))  # type: ignore[attr-defined]
        theirs.close()
        return Peer(ours, LineFraming(1 << 30))
    if transport == "tcp":
        connection = socket.socket()
        connection.setblocking(False)
        await loop.sock_connect(connection, (wire.host, wire.port))  # type: ignore[attr-defined]
        return Peer(connection, LineFraming(1 << 30))
    connection = socket.socket(socket.AF_UNIX)
    connection.setblocking(False)
    await loop.sock_connect(connection, endpoint.removeprefix("ipc://"))
    return Peer(connection, ZmtpFraming(1 << 30))


@asynccontextmanager
async def connected(transport: str, limit: int = 1 << 20) -> AsyncIterator[tuple[object, Ear, Peer]]:
    """A wire with its other end, both ready."""
    ear = Ear()
    module = import_module(f"ggtp.transport.{transport}")
    wire = await module.open_wire(ear.on_line, ear.on_lost, ear.on_ready, limit=limit)
    try:
        peer = await call(transport, wire)
        try:
            if peer.framing.replies:
                await peer.write(peer.framing.replies)
                while not peer.framing.ready:
                    assert await peer.take()
            await ear.until(lambda: ear.ready)
            yield wire, ear, peer
        finally:
            peer.close()
    finally:
        wire.close()


@pytest.fixture
def ends() -> Callable[..., AbstractAsyncContextManager[tuple[object, Ear, Peer]]]:
    """`async with ends(transport) as (wire, ear, peer)`."""
    return connected


@pytest.fixture
def tools() -> SimpleNamespace:
    """Ear, Peer, `call` and the place of the fakes."""
    return SimpleNamespace(Ear=Ear, Peer=Peer, call=call, fakes=FAKES)


def open_descriptors() -> list[str]:
    """What this process has open."""
    found = []
    for name in os.listdir("/proc/self/fd"):
        try:
            found.append(os.readlink(f"/proc/self/fd/{name}"))
        except OSError:
            continue
    return found


@pytest.fixture
def descriptors() -> Callable[[], int]:
    """How many descriptors are open."""
    return lambda: len(open_descriptors())
