"""The wire inside one process keeps the promises of the real ones."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ggtp.errors import Backlogged, ConnectionLost, MessageTooLong
from ggtp.transport import memory


def test_a_talk(tools: Any) -> None:
    async def talk() -> None:
        ear = tools.Ear()
        wire = await memory.open_wire(ear.on_line, ear.on_lost, ear.on_ready, limit=100)
        with pytest.raises(ConnectionLost):
            wire.send([b"too early"])
        wire.peer.connect()
        assert ear.calls == []
        await ear.until(lambda: ear.ready)
        heard: list[bytes] = []
        wire.peer.listen(heard.append)
        wire.send([b"one", b"two"])
        wire.peer.send(b"three", b"four")
        await ear.until(lambda: len(ear.lines) == 2)
        assert heard == [b"one", b"two"]
        assert ear.lines == [b"three", b"four"]
        wire.reading(False)
        wire.peer.send(b"five")
        await asyncio.sleep(0)
        assert ear.lines == [b"three", b"four"]
        wire.reading(True)
        await ear.until(lambda: len(ear.lines) == 3)
        wire.peer.close()
        with pytest.raises(ConnectionLost):
            wire.send([b"too late"])
        await ear.until(lambda: ear.lost)
        wire.peer.close()
        await asyncio.sleep(0)
        assert len(ear.lost) == 1

    asyncio.run(talk())


def test_its_limits(tools: Any) -> None:
    async def talk() -> None:
        ear = tools.Ear()
        wire = await memory.open_wire(ear.on_line, ear.on_lost, ear.on_ready, limit=100)
        wire.peer.connect()
        await ear.until(lambda: ear.ready)
        wire.send([b"x" * 99])
        with pytest.raises(Backlogged):
            wire.send([b"y"])
        heard: list[bytes] = []
        wire.peer.listen(heard.append)
        await asyncio.sleep(0)
        assert heard == [b"x" * 99]
        wire.send([b"y"])
        wire.peer.send(b"z" * 101)
        await ear.until(lambda: ear.lost)
        assert isinstance(ear.lost[0], MessageTooLong)
        assert wire.peer.closed

    asyncio.run(talk())


def test_no_callback_after_close(tools: Any) -> None:
    async def talk() -> None:
        ear = tools.Ear()
        wire = await memory.open_wire(ear.on_line, ear.on_lost, ear.on_ready, limit=100)
        wire.peer.connect()
        wire.peer.send(b"one")
        wire.close()
        wire.close()
        await asyncio.sleep(0)
        assert ear.calls == []

    asyncio.run(talk())
