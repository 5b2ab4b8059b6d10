"""Who knocks, what they can't do, and that the others do not notice."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from support.network import LIMIT, Ears, Keys, until, visit

from ggtp.errors import ConnectionLost, MessageTooLong, TransportError
from ggtp.transport.secure.curve import new_key
from ggtp.transport.secure.door import ANSWER, GREETING_BYTES, MECHANISM, SIGNATURE, AdmittedWire, Door, Room, fits
from ggtp.transport.secure.keys import name_of, read_known

GREETING = SIGNATURE + b"\x03\x01" + MECHANISM + bytes(32)


class Host:
    """A door with little room, and who came in."""

    def __init__(self, keys: Keys, **keywords: object) -> None:
        known = read_known(keys.ring.known)
        self.came: list[AdmittedWire] = []
        self.refused: list[bytes] = []
        settings: dict[str, object] = {"limit": LIMIT, "silence": 30.0} | keywords
        self.door = Door(
            "127.0.0.1:0",
            keys.referee,
            lambda key: name_of(key, known, anyone=False),
            self.came.append,
            lambda _host, key: self.refused.append(key),
            **settings,  # type: ignore[arg-type]
        )
        self.place = ("127.0.0.1", int(self.door.address.rpartition(":")[2]))

    async def knock(self, data: bytes = b"") -> socket.socket:
        connection = socket.socket()
        connection.setblocking(False)
        await asyncio.get_running_loop().sock_connect(connection, self.place)
        if data:
            with contextlib.suppress(ConnectionError):  # it may have been sent away already
                connection.send(data)
        return connection


def run(tmp_path: Path, script: Callable[[Host, Keys], Awaitable[None]], **keywords: object) -> None:
    async def main() -> None:
        keys = Keys(tmp_path, "alice", "bob")
        before = len(os.listdir("/proc/self/fd"))
        host = Host(keys, **keywords)
        try:
            await script(host, keys)
        finally:
            host.door.close()
        host.door.close()
        await until(lambda: len(os.listdir("/proc/self/fd")) <= before + 8)  # the library's own context stays

    asyncio.run(main())


async def hung_up(connection: socket.socket) -> bytes:
    """What the other end said before it hung up."""
    loop = asyncio.get_running_loop()
    said = b""
    async with asyncio.timeout(30):
        with contextlib.suppress(ConnectionError):
            while data := await loop.sock_recv(connection, 4096):
                said += data
    connection.close()
    return said


@pytest.mark.parametrize("size", range(1, GREETING_BYTES + 1))
def test_a_greeting_fits_from_its_first_byte_to_its_last(size: int) -> None:
    assert fits(GREETING[:size])


@pytest.mark.parametrize(
    "said",
    [
        b"G",
        b"GET / HTTP/1.1\r\n",
        b"SSH-2.0-x\r\n",
        b"\x16\x03\x01",
        b"\xff" + bytes(9),
        SIGNATURE + b"\x01",
        SIGNATURE + b"\x03\x00" + b"NULL".ljust(20, b"\0"),
        SIGNATURE + b"\x03\x00" + b"PLAIN",
        GREETING[:32] + b"\x01",
    ],
)
def test_what_is_no_greeting_does_not_fit(said: bytes) -> None:
    assert not fits(said)


@pytest.mark.parametrize("said", [b"GET / HTTP/1.1\r\n\r\n", bytes(64), SIGNATURE + b"\x03\x00NULL" + bytes(60)])
def test_who_speaks_something_else_is_hung_up_on(tmp_path: Path, said: bytes) -> None:
    async def script(host: Host, keys: Keys) -> None:
        assert await hung_up(await host.knock(said)) in (b"", ANSWER)
        assert host.door.counts == (0, 0, 0)

    run(tmp_path, script)


def test_garbage_after_a_good_greeting_is_hung_up_on_and_nobody_is_let_in(tmp_path: Path) -> None:
    async def script(host: Host, keys: Keys) -> None:
        for garbage in (b"\x00" * 500, b"\x04\xc8\x05HELLO" + b"x" * 300, os.urandom(2000)):
            assert (await hung_up(await host.knock(GREETING + garbage))).startswith(ANSWER)
        await until(lambda: host.door.counts == (0, 0, 0))
        assert not host.came

    run(tmp_path, script, room=Room(seconds=1.0))


def test_who_says_nothing_is_sent_away_in_time(tmp_path: Path) -> None:
    async def script(host: Host, keys: Keys) -> None:
        silent = [await host.knock(said) for said in (b"", GREETING[:20], GREETING)]
        for connection in silent:
            await hung_up(connection)
        assert host.door.turned_away == 3

    run(tmp_path, script, room=Room(seconds=0.2))


def test_a_crowd_does_not_push_aside_who_comes_from_elsewhere(tmp_path: Path) -> None:
    async def script(host: Host, keys: Keys) -> None:
        alone = socket.socket()
        alone.bind(("127.0.0.2", 0))
        alone.connect(host.place)
        alone.setblocking(False)
        await until(lambda: host.door.counts[0] == 1)
        crowd = []
        for count in range(1, 30):
            crowd.append(await host.knock())
            await until(lambda: host.door.turned_away + host.door.counts[0] == count + 1)  # noqa: B023 - at once
        assert host.door.counts[0] == 8
        with pytest.raises(BlockingIOError):  # still there, and nothing was said to it
            alone.recv(1)
        for connection in (alone, *crowd):
            connection.close()
        await until(lambda: host.door.counts == (0, 0, 0))

    run(tmp_path, script, room=Room(waiting=8))


def test_half_open_connections_change_nothing_for_others(tmp_path: Path) -> None:
    async def script(host: Host, keys: Keys) -> None:
        alice, heard = await visit(host.door.address, keys.pairs["alice"], keys.referee.public)
        await until(lambda: host.came)
        said = Ears()
        host.came[0].attend(said.line, said.gone)
        knocks = []
        for number in range(400):
            knocks.append(await host.knock((b"", GREETING[:11], GREETING)[number % 3]))
            if number % 40 == 39:
                alice.send([b"%d" % number])
                host.came[0].send([b"%d" % number])
                await until(lambda: len(said.lines) == len(heard.lines) == (number + 1) // 40)  # noqa: B023
        waiting, shaking, admitted = host.door.counts
        assert waiting <= 128
        assert shaking <= 24
        assert admitted == 1
        # One who knows how to behave still gets in, from the same address as all of them.
        bob, _ = await visit(host.door.address, keys.pairs["bob"], keys.referee.public)
        await until(lambda: len(host.came) == 2)
        assert not said.lost
        assert not heard.lost
        for connection in knocks:
            connection.close()
        alice.close()
        bob.close()

    run(tmp_path, script)


def test_everybody_who_has_exchanged_keys_is_let_in_however_it_falls(tmp_path: Path) -> None:
    """News of the library that comes while it is asked for other news must not be missed."""

    async def script(host: Host, keys: Keys) -> None:
        for count in range(1, 61):
            wire, _ = await visit(host.door.address, keys.pairs["alice"], keys.referee.public)
            await until(lambda: len(host.came) == count)  # noqa: B023 - at once
            wire.close()
        await until(lambda: host.door.counts == (0, 0, 0))

    run(tmp_path, script)


def test_there_is_room_for_so_many(tmp_path: Path) -> None:
    async def script(host: Host, keys: Keys) -> None:
        first, heard = await visit(host.door.address, keys.pairs["alice"], keys.referee.public)
        await until(lambda: host.came)
        with contextlib.suppress(TransportError):  # let in by its key, sent away for want of room
            _, told = await visit(host.door.address, keys.pairs["bob"], keys.referee.public)
            await until(lambda: told.lost)
        assert host.door.counts[2] == 1
        assert not heard.lost
        first.close()

    run(tmp_path, script, room=Room(admitted=1))


def test_a_line_that_is_too_long_is_the_end_of_it(tmp_path: Path) -> None:
    async def script(host: Host, keys: Keys) -> None:
        alice, heard = await visit(host.door.address, keys.pairs["alice"], keys.referee.public)
        bob, bob_heard = await visit(host.door.address, keys.pairs["bob"], keys.referee.public)
        await until(lambda: len(host.came) == 2)
        said = Ears()
        by_name = {wire.name: wire for wire in host.came}
        by_name["alice"].attend(said.line, said.gone)
        alice.send([b"x" * (LIMIT + LIMIT // 2)])
        await until(lambda: said.lost and heard.lost)
        assert isinstance(said.lost[0], MessageTooLong)
        assert said.lines == []
        by_name["bob"].send([b"still here"])
        await until(lambda: bob_heard.lines)
        bob.close()

    run(tmp_path, script)


def test_many_short_lines_at_once_are_not_a_long_one(tmp_path: Path) -> None:
    async def script(host: Host, keys: Keys) -> None:
        alice, heard = await visit(host.door.address, keys.pairs["alice"], keys.referee.public)
        await until(lambda: host.came)
        lines = [b"acknowledge"] * 20_000
        alice.send(lines)
        for _ in range(100):  # they pile up, as where whoever should hear them has other things to do
            await asyncio.sleep(0.002)
        said = Ears()
        host.came[0].attend(said.line, said.gone)
        await until(lambda: len(said.lines) == len(lines) or said.lost)
        assert not said.lost
        assert said.lines == lines
        assert not heard.lost
        alice.close()

    run(tmp_path, script, limit=1024)


def test_a_flood_of_one_who_was_let_in_waits_or_is_cut(tmp_path: Path) -> None:
    async def script(host: Host, keys: Keys) -> None:
        alice, heard = await visit(host.door.address, keys.pairs["alice"], keys.referee.public)
        await until(lambda: host.came)  # and nobody asks it anything
        sent = 0
        with contextlib.suppress(TransportError):
            while not heard.lost and sent < 100_000:
                alice.send([b"x" * 4096])
                sent += 1
                await asyncio.sleep(0)
        assert sent < 100_000  # far less than that was taken in: it has to wait, or was cut
        said = Ears()
        host.came[0].attend(said.line, said.gone)
        host.came[0].cut(ConnectionLost("enough"))
        assert host.door.counts == (0, 0, 0)
        alice.close()

    run(tmp_path, script)


def test_a_cut_is_told_after_what_was_said_before(tmp_path: Path) -> None:
    async def script(host: Host, keys: Keys) -> None:
        _, heard = await visit(host.door.address, keys.pairs["alice"], keys.referee.public)
        await until(lambda: host.came)
        said = Ears()
        host.came[0].attend(said.line, said.gone)
        host.came[0].cut(ConnectionLost("enough"))
        assert [str(error) for error in said.lost] == ["enough"]
        await until(lambda: heard.lost)
        assert host.door.counts == (0, 0, 0)

    run(tmp_path, script)


@pytest.mark.parametrize("address", ["nowhere", "127.0.0.1", "127.0.0.1:70000", "127.0.0.1:x", "198.51.100.1:9000"])
def test_an_address_that_can_not_be_had_is_told(tmp_path: Path, address: str) -> None:
    async def main() -> None:
        with pytest.raises(TransportError):
            Door(address, new_key(), lambda _k: None, lambda _w: None, lambda _h, _k: None, limit=LIMIT, silence=1)

    asyncio.run(main())
