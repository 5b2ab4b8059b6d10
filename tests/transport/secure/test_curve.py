"""Lines between two machines, with keys; the real library at both ends."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest
from support.network import LIMIT, Ears, Keys, until, visit

from ggtp.errors import ConnectionLost, NotAdmitted, TransportError
from ggtp.transport.base import Backlogged
from ggtp.transport.secure.curve import MOST_WAITING, CalledWire, call, library, new_key
from ggtp.transport.secure.door import AdmittedWire, Door
from ggtp.transport.secure.keys import name_of, read_known


class Host:
    """A door, and who came in."""

    def __init__(self, keys: Keys, *, silence: float = 30.0, limit: int = LIMIT) -> None:
        known = read_known(keys.ring.known)
        self.came: list[AdmittedWire] = []
        self.refused: list[bytes] = []
        self.door = Door(
            "127.0.0.1:0",
            keys.referee,
            lambda key: name_of(key, known, anyone=False),
            self.came.append,
            lambda _host, key: self.refused.append(key),
            limit=limit,
            silence=silence,
        )

    async def newest(self, count: int = 1) -> tuple[AdmittedWire, Ears]:
        await until(lambda: len(self.came) >= count)
        ears = Ears()
        self.came[-1].attend(ears.line, ears.gone)
        return self.came[-1], ears


def send_for_ever(wire: AdmittedWire) -> None:
    for _ in range(4 * MOST_WAITING // 8192):
        wire.send([b"x" * 8192])


def test_keys_are_new_each_time() -> None:
    keys = [new_key() for _ in range(3)]
    assert len({pair.secret for pair in keys}) == len({pair.public for pair in keys}) == 3
    assert {len(pair.secret) for pair in keys} == {len(pair.public) for pair in keys} == {32}


def test_lines_go_both_ways_in_order(tmp_path: Path) -> None:
    async def main() -> None:
        keys = Keys(tmp_path, "alice")
        host = Host(keys)
        wire, heard = await visit(host.door.address, keys.pairs["alice"], keys.referee.public)
        inside, said = await host.newest()
        assert (inside.name, inside.address) == ("alice", "127.0.0.1")
        lines = [b"line %d" % number for number in range(500)]
        wire.send(lines)
        inside.send(lines[:7])
        await until(lambda: len(said.lines) == 500 and len(heard.lines) == 7)
        assert said.lines == lines
        assert heard.lines == lines[:7]
        wire.send([b"a\r\nb\n"])
        await until(lambda: len(said.lines) == 502)
        assert said.lines[-2:] == [b"a", b"b"]
        host.door.close()
        await until(lambda: heard.lost)
        assert isinstance(heard.lost[0], ConnectionLost)
        with pytest.raises(ConnectionLost):
            wire.send([b"late"])

    asyncio.run(main())


def test_what_is_said_while_nobody_reads_waits(tmp_path: Path) -> None:
    async def main() -> None:
        keys = Keys(tmp_path, "alice")
        host = Host(keys)
        wire, _ = await visit(host.door.address, keys.pairs["alice"], keys.referee.public)
        inside, said = await host.newest()
        wire.send([b"one"])
        await until(lambda: said.lines)
        inside.reading(False)
        wire.send([b"two"])
        for _ in range(50):
            await asyncio.sleep(0.001)
        assert said.lines == [b"one"]
        inside.reading(True)
        await until(lambda: len(said.lines) == 2)
        wire.close_kindly()
        await until(lambda: said.lost)
        host.door.close()

    asyncio.run(main())


def test_what_was_sent_last_arrives_before_the_loss(tmp_path: Path) -> None:
    async def main() -> None:
        keys = Keys(tmp_path, "alice")
        host = Host(keys)
        wire, _ = await visit(host.door.address, keys.pairs["alice"], keys.referee.public)
        _, said = await host.newest()
        wire.send([b"goodbye"])
        wire.close_kindly()
        await until(lambda: said.lost)
        assert said.lines == [b"goodbye"]
        host.door.close()

    asyncio.run(main())


def test_one_who_does_not_read_is_not_told_for_ever(tmp_path: Path) -> None:
    async def main() -> None:
        keys = Keys(tmp_path, "alice")
        host = Host(keys)
        wire, _ = await visit(host.door.address, keys.pairs["alice"], keys.referee.public)
        wire.reading(False)
        inside, _ = await host.newest()
        with pytest.raises(Backlogged):
            send_for_ever(inside)
        wire.close()
        host.door.close()

    asyncio.run(main())


def test_a_key_that_is_not_known_is_told_so(tmp_path: Path) -> None:
    async def main() -> None:
        keys = Keys(tmp_path, "alice")
        host = Host(keys)
        stranger = new_key()
        with pytest.raises(NotAdmitted, match="not known there"):
            await visit(host.door.address, stranger, keys.referee.public)
        assert host.refused == [stranger.public]
        assert not host.came
        host.door.close()

    asyncio.run(main())


def test_a_referee_with_another_key_is_not_trusted(tmp_path: Path) -> None:
    async def main() -> None:
        keys = Keys(tmp_path, "alice")
        host = Host(keys)
        with pytest.raises(ConnectionLost, match="server key may be another"):
            await visit(host.door.address, keys.pairs["alice"], new_key().public)
        assert not host.came
        assert not host.refused
        host.door.close()

    asyncio.run(main())


def test_where_nobody_listens_there_is_no_referee() -> None:
    async def main() -> None:
        with pytest.raises(ConnectionLost, match="no referee listens"):
            await visit("tcp://127.0.0.1:1", new_key(), new_key().public)
        with pytest.raises(ConnectionLost):
            await call("tcp://:::", new_key(), new_key().public, limit=LIMIT, silence=1, seconds=5)

    asyncio.run(main())


def test_without_the_library_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zmq", None)
    with pytest.raises(TransportError, match="pip install pyzmq"):
        library()


@pytest.mark.parametrize("turns", range(6))
@pytest.mark.parametrize("works", [True, False])
def test_a_call_that_is_cancelled_while_it_ends_is_cancelled(
    monkeypatch: pytest.MonkeyPatch, turns: int, works: bool
) -> None:
    """Whenever the loop hears of both: who was told to end must not go on calling."""
    wires: list[CalledWire] = []

    class Known(CalledWire):
        def __init__(self, socket: Any) -> None:
            super().__init__(socket)
            wires.append(self)

    monkeypatch.setattr("ggtp.transport.secure.curve.CalledWire", Known)

    async def main() -> None:
        calling = asyncio.get_running_loop().create_task(
            call("tcp://127.0.0.1:9", new_key(), new_key().public, limit=LIMIT, silence=1, seconds=60)
        )
        await asyncio.sleep(0)
        if works:
            wires[0].known.set_result(None)
        else:
            wires[0].known.set_exception(ConnectionLost("nobody is there"))
        for _ in range(turns):
            await asyncio.sleep(0)
        ended = calling.done()
        calling.cancel()
        await asyncio.wait((calling,))
        assert calling.cancelled() != ended
        wires[0].close()

    asyncio.run(main())
