"""What plain TCP has of its own: the port, and who may connect to it."""

from __future__ import annotations

import asyncio
import os
import socket
import struct
from pathlib import Path
from typing import Any

import pytest

from ggtp.transport import tcp


def test_the_endpoint(tools: Any) -> None:
    async def talk() -> None:
        ear = tools.Ear()
        wire = await tcp.open_wire(ear.on_line, ear.on_lost, ear.on_ready, limit=10)
        assert wire.host == "127.0.0.1"
        assert wire.port > 0
        assert wire.endpoint == f"127.0.0.1:{wire.port}"
        wire.close()

    asyncio.run(talk())


def test_one_connection_and_no_more(ends: Any, tools: Any) -> None:
    async def talk() -> None:
        async with ends("tcp") as (wire, ear, peer):
            with pytest.raises(ConnectionError):
                await tools.call("tcp", wire)
            await peer.send(b"still here")
            await ear.until(lambda: ear.lines)
            assert wire._connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)

    asyncio.run(talk())


def test_another_socket_that_listens_already_can_take_its_place(tools: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tcp, "owner_of_peer", lambda *_: os.geteuid() + 1)  # nobody of this network is let in

    async def talk() -> None:
        ear = tools.Ear()
        wire = await tcp.open_wire(ear.on_line, ear.on_lost, ear.on_ready, limit=10)
        port = wire.port
        other = socket.create_server(("127.0.0.1", 0))
        wire.listen_at(other)
        with pytest.raises(ConnectionError):
            socket.create_connection(("127.0.0.1", port))
        with socket.create_connection(other.getsockname()) as engine:
            await ear.until(lambda: ear.ready)
            engine.sendall(b"hello\n")
            await ear.until(lambda: ear.lines == [b"hello"])
        late = socket.create_server(("127.0.0.1", 0))
        wire.listen_at(late)
        assert late.fileno() == -1, "there is an engine already"
        wire.close()

    asyncio.run(talk())


@pytest.mark.skipif(not hasattr(socket, "TCP_QUICKACK"), reason="only Linux lets us acknowledge at once")
def test_what_an_engine_writes_is_acknowledged_at_once(ends: Any) -> None:
    """An engine without TCP_NODELAY does not send its next line before the last one is acknowledged."""

    def unacknowledged(connection: socket.socket) -> int:
        info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 28)
        return int(struct.unpack_from("I", info, 24)[0])  # tcpi_unacked

    async def talk() -> list[int]:
        seen = []
        async with ends("tcp") as (wire, ear, peer):
            for number in range(1, 41):  # a connection begins with some quick acknowledgements of its own
                wire.send([b"have_to_play"])
                await peer.hear(1)
                await peer.send(b"select_move A1")
                await ear.until(lambda number=number: len(ear.lines) == number)
                seen.append(unacknowledged(peer.connection))
        return seen

    assert asyncio.run(talk()) == [0] * 40


def test_another_user_is_sent_away(tools: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async def talk() -> None:
        ear = tools.Ear()
        wire = await tcp.open_wire(ear.on_line, ear.on_lost, ear.on_ready, limit=10)
        with monkeypatch.context() as patch:
            patch.setattr(os, "geteuid", lambda: os.getuid() + 1)
            stranger = await tools.call("tcp", wire)
            assert await stranger.read() == b""
            stranger.close()
        assert ear.calls == []
        peer = await tools.call("tcp", wire)
        await ear.until(lambda: ear.ready)
        peer.close()
        wire.close()

    asyncio.run(talk())


def test_the_owner_of_a_connection(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        connection, address = server.accept()
        with connection:
            ours = connection.getsockname()
            assert tcp.owner_of_peer(address, ours) == os.geteuid()
            assert tcp.owner_of_peer(address, ("127.0.0.2", 1)) is None
            assert tcp.owner_of_peer(address, ours, str(tmp_path / "nothing")) is None
            client.close()
            assert tcp.owner_of_peer(address, ours) in (None, os.geteuid())
