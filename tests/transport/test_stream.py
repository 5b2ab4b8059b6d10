"""What every real wire promises, over ZeroMQ, TCP and pipes alike."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time
from importlib import import_module
from typing import Any

import pytest

from ggtp.errors import Backlogged, ConnectionLost, MessageTooLong
from ggtp.transport.stream import BATCH

pytestmark = pytest.mark.parametrize("transport", ["zmq", "tcp", "stdio"])


def test_lines_in_both_directions(ends: Any, transport: str) -> None:
    async def talk() -> None:
        async with ends(transport) as (wire, ear, peer):
            assert ear.calls == ["ready"]
            wire.send([b"connect_engine", b"list_options"])
            wire.send([])
            wire.send([b"x" * 100_000])
            assert await peer.hear(3) == [b"connect_engine", b"list_options", b"x" * 100_000]
            before = time.monotonic()
            await peer.send(b"acknowledge", b"reply a, b")
            await peer.send("reply é\0".encode())
            await ear.until(lambda: len(ear.lines) == 3)
            assert ear.lines == [b"acknowledge", b"reply a, b", "reply é\0".encode()]
            assert before <= min(ear.times) <= max(ear.times) <= time.monotonic()

    asyncio.run(talk())


def test_byte_by_byte(ends: Any, transport: str) -> None:
    async def talk() -> None:
        async with ends(transport) as (_, ear, peer):
            for byte in peer.framing.pack([b"select_move A1", b"acknowledge"]):
                await peer.write(bytes([byte]))
                await asyncio.sleep(0)
            await ear.until(lambda: len(ear.lines) == 2)
            assert ear.lines == [b"select_move A1", b"acknowledge"]

    asyncio.run(talk())


def test_a_line_over_the_limit(ends: Any, transport: str) -> None:
    async def talk() -> None:
        async with ends(transport, limit=1000) as (wire, ear, peer):
            await peer.send(b"x" * 1000, b"before")
            with pytest.raises((ConnectionError, TimeoutError)):
                await peer.write(peer.framing.pack([b"y" * 50_000_000])[:-1])
            await ear.until(lambda: ear.lost)
            assert ear.lines == [b"x" * 1000, b"before"]
            assert isinstance(ear.lost[0], MessageTooLong)
            with pytest.raises(ConnectionLost):
                wire.send([b"hello"])

    asyncio.run(talk())


def test_a_flood_leaves_room_for_others(ends: Any, transport: str) -> None:
    async def talk() -> None:
        loop = asyncio.get_running_loop()
        async with ends(transport) as (_, ear, peer):
            seen = [0]

            def tick() -> None:
                seen.append(len(ear.lines))
                if seen[-1] < 20_000:
                    loop.call_soon(tick)

            tick()
            await asyncio.gather(peer.send(*[b"x"] * 20_000), ear.until(lambda: len(ear.lines) == 20_000))
            seen.append(len(ear.lines))
            assert max(after - before for before, after in itertools.pairwise(seen)) <= 2 * BATCH

    asyncio.run(talk())


def test_reading_can_be_put_off(ends: Any, transport: str) -> None:
    async def talk() -> None:
        async with ends(transport) as (wire, ear, peer):
            wire.reading(False)
            flood = asyncio.ensure_future(peer.send(*[b"x" * 1000] * 10_000))
            done, _ = await asyncio.wait([flood], timeout=0.2)
            assert not done, "a flood has to wait when nobody reads"
            assert ear.lines == []
            wire.reading(True)
            wire.reading(True)
            await flood
            await ear.until(lambda: len(ear.lines) == 10_000)

    asyncio.run(talk())


def test_reading_can_be_put_off_from_within(ends: Any, transport: str) -> None:
    async def talk() -> None:
        async with ends(transport) as (wire, ear, peer):
            hear = ear.on_line

            def on_line(line: bytes, at: float) -> None:
                hear(line, at)
                if len(ear.lines) == 3:
                    wire.reading(False)

            wire._on_line = on_line
            await peer.send(*[b"x"] * 200)
            await ear.until(lambda: len(ear.lines) == 3)
            peer.close()
            for _ in range(20):
                await asyncio.sleep(0)
            assert len(ear.lines) == 3
            wire.reading(True)
            await ear.until(lambda: ear.lost)
            assert len(ear.lines) == 200

    asyncio.run(talk())


def test_an_engine_that_does_not_read(ends: Any, transport: str) -> None:
    async def talk() -> None:
        async with ends(transport, limit=10_000) as (wire, _, peer):
            line = b"x" * 999
            sent = 0

            def send_on() -> None:
                nonlocal sent
                while sent < 100_000:
                    wire.send([line])
                    sent += 1

            with pytest.raises(Backlogged):
                send_on()
            assert 10_000 <= len(wire._waiting) <= 11_100
            # It was only slow: all of it arrives, in order, and then there is room again.
            assert await peer.hear(sent) == [line] * sent
            wire.send([b"last"])
            assert await peer.hear(1) == [b"last"]

    asyncio.run(talk())


def test_one_thing_to_say_may_be_longer_than_the_limit(ends: Any, transport: str) -> None:
    async def talk() -> None:
        async with ends(transport, limit=1000) as (wire, _, peer):
            wire.send([b"r" * 5_000_000, b"next"])
            assert await peer.hear(2) == [b"r" * 5_000_000, b"next"]

    asyncio.run(talk())


@pytest.mark.parametrize("rest", [b"", b"\0"])
def test_hanging_up(ends: Any, transport: str, rest: bytes) -> None:
    async def talk() -> None:
        async with ends(transport) as (wire, ear, peer):
            await peer.write(peer.framing.pack([b"line"] * 500) + rest)
            peer.close()
            await ear.until(lambda: ear.lost)
            assert ear.lines == [b"line"] * 500, "what was said before comes before"
            assert isinstance(ear.lost[0], ConnectionLost)
            assert ("middle of a line" in str(ear.lost[0])) == bool(rest)
            with pytest.raises(ConnectionLost):
                wire.send([b"hello"])
            await asyncio.sleep(0.01)
            assert len(ear.lost) == 1

    asyncio.run(talk())


def test_hanging_up_while_much_is_waiting(ends: Any, transport: str) -> None:
    async def talk() -> None:
        async with ends(transport, limit=10_000) as (wire, ear, peer):
            wire.send([b"x" * 5_000_000])
            wire.reading(False)
            peer.close()
            await ear.until(lambda: ear.lost)
            assert isinstance(ear.lost[0], ConnectionLost)

    asyncio.run(talk())


def test_no_callback_after_close(ends: Any, transport: str) -> None:
    async def talk() -> None:
        async with ends(transport) as (wire, ear, peer):
            hear = ear.on_line

            def on_line(line: bytes, at: float) -> None:
                hear(line, at)
                if len(ear.lines) == 2:
                    wire.close()

            wire._on_line = on_line
            await peer.send(*[b"x"] * 300)
            await ear.until(lambda: len(ear.lines) == 2)
            with contextlib.suppress(ConnectionError):
                while await peer.read():
                    pass
            assert ear.calls == ["ready", "line", "line"]
            wire.close()
            wire.reading(False)
            wire.reading(True)
            with pytest.raises(ConnectionLost):
                wire.send([b"hello"])

    asyncio.run(talk())


def test_not_yet_connected(tools: Any, transport: str) -> None:
    async def talk() -> None:
        ear = tools.Ear()
        wire = await import_module(f"ggtp.transport.{transport}").open_wire(
            ear.on_line, ear.on_lost, ear.on_ready, limit=10
        )
        with pytest.raises(ConnectionLost):
            wire.send([b"hello"])
        wire.reading(False)
        wire.reading(True)
        wire.close()
        wire.close()
        await asyncio.sleep(0)
        assert ear.calls == []

    asyncio.run(talk())


@pytest.mark.slow
def test_nothing_stays_open(ends: Any, descriptors: Any, transport: str) -> None:
    async def talk() -> None:
        async with ends(transport):
            pass
        before = descriptors()
        for _ in range(100):
            async with ends(transport) as (wire, _, peer):
                wire.send([b"ping"])
                await peer.hear(1)
        assert descriptors() == before

    asyncio.run(talk())
