"""What ZeroMQ has of its own: its socket file, and that a real ZeroMQ library can talk to us."""

from __future__ import annotations

import asyncio
import os
import stat
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest
import zmq as library

from ggtp.errors import ConnectionLost, MessageTooLong
from ggtp.transport import zmq
from ggtp.transport.client import connect
from ggtp.transport.zmtp import ZmtpFraming

SECONDS = 10_000


@pytest.fixture
def context() -> Any:
    context = library.Context()
    yield context
    context.destroy(linger=0)


def exists(path: str) -> bool:
    return os.path.exists(path)


def pair(context: Any, kind: int = library.PAIR) -> Any:
    found = context.socket(kind)
    found.set(library.LINGER, 0)
    found.set(library.RCVTIMEO, SECONDS)
    found.set(library.SNDTIMEO, SECONDS)
    found.set(library.RECONNECT_IVL, -1)
    return found


def test_the_file_is_ours_alone_and_gone_once_connected(ends: Any, tools: Any) -> None:
    async def talk() -> None:
        ear = tools.Ear()
        wire = await zmq.open_wire(ear.on_line, ear.on_lost, ear.on_ready, limit=1000)
        path = wire.endpoint.removeprefix("ipc://")
        directory = os.path.dirname(path)
        assert stat.S_ISSOCK(os.stat(path).st_mode)
        assert stat.S_IMODE(os.stat(directory).st_mode) == 0o700
        assert (wire.host, wire.port) == ("", 0)
        wire.close()
        assert not exists(directory)
        async with ends("zmq") as (wire, _, _):
            assert not exists(os.path.dirname(wire.endpoint.removeprefix("ipc://")))

    asyncio.run(talk())


def test_another_user_is_sent_away(tools: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async def talk() -> None:
        ear = tools.Ear()
        wire = await zmq.open_wire(ear.on_line, ear.on_lost, ear.on_ready, limit=1000)
        monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
        stranger = await tools.call("zmq", wire)
        assert await stranger.read() == b""
        assert ear.calls == []
        stranger.close()
        wire.close()

    asyncio.run(talk())


def test_a_long_temporary_directory(tools: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 100)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))

    async def talk() -> None:
        ear = tools.Ear()
        wire = await zmq.open_wire(ear.on_line, ear.on_lost, ear.on_ready, limit=1000)
        assert wire.endpoint.startswith("ipc:///tmp/")
        wire.close()
        assert list(deep.iterdir()) == []

    asyncio.run(talk())


def test_where_there_are_no_socket_files(tools: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zmq, "_private_directory", lambda: "")

    async def talk() -> None:
        ear = tools.Ear()
        wire = await zmq.open_wire(ear.on_line, ear.on_lost, ear.on_ready, limit=1000)
        assert wire.endpoint == f"tcp://127.0.0.1:{wire.port}"
        channel = await asyncio.to_thread(connect, wire.endpoint)
        await ear.until(lambda: ear.ready)
        wire.send([b"ping"])
        assert await asyncio.to_thread(channel.receive, 5) == b"ping"
        channel.close()
        await ear.until(lambda: ear.lost)

    asyncio.run(talk())


@pytest.mark.parametrize("heartbeat", [0, 20])
def test_a_library_as_the_engine(tools: Any, context: Any, heartbeat: int, monkeypatch: pytest.MonkeyPatch) -> None:
    replies: list[bytes] = []
    reply = ZmtpFraming._reply

    def noted(framing: ZmtpFraming, data: bytes) -> None:
        replies.append(data)
        reply(framing, data)

    monkeypatch.setattr(ZmtpFraming, "_reply", noted)

    def engine(endpoint: str) -> None:
        wire = pair(context)
        wire.set(library.HEARTBEAT_IVL, heartbeat)
        wire.set(library.HEARTBEAT_TIMEOUT, SECONDS)
        wire.connect(endpoint)
        while (line := wire.recv()) != b"disconnect_engine":
            wire.send(line)
        time.sleep(0.1 if heartbeat else 0)  # some heartbeats
        wire.send_multipart([b"acknowledge", b"one\ntwo\n"])
        wire.close(linger=1000)

    async def talk() -> None:
        ear = tools.Ear()
        wire = await zmq.open_wire(ear.on_line, ear.on_lost, ear.on_ready, limit=1_000_000)
        thread = asyncio.ensure_future(asyncio.to_thread(engine, wire.endpoint))
        await ear.until(lambda: ear.ready)
        lines = [b"", b"a", b"b" * 255, b"c" * 256, b"d" * 1_000_000, *[b"%d" % number for number in range(3000)]]
        wire.send(lines)
        await ear.until(lambda: len(ear.lines) == len(lines))
        assert ear.lines == lines
        wire.send([b"disconnect_engine"])
        await ear.until(lambda: ear.lost)
        assert ear.lines[len(lines) :] == [b"acknowledge", b"one", b"two"]
        assert isinstance(ear.lost[0], ConnectionLost)
        await thread
        assert any(b"PONG" in data for data in replies) == bool(heartbeat)

    asyncio.run(talk())


def test_a_library_with_too_long_a_message(tools: Any, context: Any) -> None:
    async def talk() -> None:
        ear = tools.Ear()
        wire = await zmq.open_wire(ear.on_line, ear.on_lost, ear.on_ready, limit=1000)
        engine = pair(context)
        engine.connect(wire.endpoint)
        engine.send(b"x" * 1001)
        await ear.until(lambda: ear.lost)
        assert isinstance(ear.lost[0], MessageTooLong)

    asyncio.run(talk())


def test_a_library_with_the_wrong_socket(tools: Any, context: Any) -> None:
    async def talk() -> None:
        ear = tools.Ear()
        wire = await zmq.open_wire(ear.on_line, ear.on_lost, ear.on_ready, limit=1000)
        engine = pair(context, library.DEALER)
        engine.connect(wire.endpoint)
        await ear.until(lambda: ear.lost)
        assert "DEALER" in str(ear.lost[0])
        assert not ear.ready

    asyncio.run(talk())


def test_a_library_as_the_referee(context: Any, tmp_path: Path) -> None:
    for endpoint in (f"ipc://{tmp_path}/r", "tcp://127.0.0.1:*", "ipc://@ggtp-test-" + os.urandom(8).hex()):
        referee = pair(context)
        referee.bind(endpoint)
        channel = connect(referee.get_string(library.LAST_ENDPOINT).rstrip("\0"))
        for line in (b"", b"one", b"x" * 100_000):
            referee.send(line)
            assert channel.receive(5) == line
            channel.send(line)
            assert referee.recv() == line
        referee.close()
        assert channel.receive(5) is None
        channel.close()
