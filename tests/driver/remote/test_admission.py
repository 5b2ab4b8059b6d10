"""Who is there, who is waited for, and who takes whose place."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from support.network import LIMIT, Ears, Keys, until, visit

from ggtp.driver.remote.admission import Lobby, need, own_key, usual_keyring
from ggtp.errors import CommandError, EngineFailedToStart, KeyFileError, NotAdmitted, TransportError
from ggtp.transport.secure.curve import new_key
from ggtp.transport.secure.door import AdmittedWire
from ggtp.transport.secure.keys import Keyring


class Hall:
    """A lobby whose door is open, and what it tells."""

    def __init__(self, keys: Keys) -> None:
        self.keys = keys
        self.persons: list[tuple[AdmittedWire, str]] = []
        self.told: list[str] = []
        self.lobby = Lobby(keys.ring, lambda wire, text: self.persons.append((wire, text)), self.told.append)
        self.address = ""

    async def open(self, *, anyone: bool = False) -> None:
        self.address, key = await self.lobby.open("127.0.0.1:0", anyone=anyone, limit=LIMIT, silence=30.0)
        assert key == self.keys.referee.public.hex()

    async def visit(self, name: str) -> Ears:
        wire, ears = await visit(self.address, self.keys.pairs[name], self.keys.referee.public)
        ears.wire = wire  # type: ignore[attr-defined]  # kept, or it would be closed
        return ears


def run(folder: Path, script: Callable[[Hall], Awaitable[None]], *, anyone: bool = False) -> None:
    async def main() -> None:
        hall = Hall(Keys(folder, "alice", "bob"))
        await hall.open(anyone=anyone)
        try:
            await asyncio.wait_for(script(hall), 60)
        finally:
            hall.lobby.close()

    asyncio.run(main())


def test_an_engine_that_is_there_is_had_at_once(tmp_path: Path) -> None:
    async def script(hall: Hall) -> None:
        heard = await hall.visit("alice")
        await until(lambda: hall.lobby.engines() == ["alice"])
        wire = await hall.lobby.engine("Alice", 5)
        said = Ears()
        wire.attend(said.line, said.gone)
        wire.send([b"connect_engine"])
        await until(lambda: heard.lines == [b"connect_engine"])
        assert hall.lobby.names() == [("alice", "engine", "127.0.0.1", True)]
        with pytest.raises(EngineFailedToStart, match="already"):
            await hall.lobby.engine("alice", 5)

    run(tmp_path, script)


def test_an_engine_that_is_not_there_is_waited_for(tmp_path: Path) -> None:
    async def script(hall: Hall) -> None:
        waiting = asyncio.ensure_future(hall.lobby.engine("bob", 30))
        await asyncio.sleep(0)
        await hall.visit("alice")
        await hall.visit("bob")
        assert (await waiting).name == "bob"

    run(tmp_path, script)


def test_it_is_not_waited_for_longer_than_is_said(tmp_path: Path) -> None:
    async def script(hall: Hall) -> None:
        with pytest.raises(EngineFailedToStart, match=r"bob did not connect within 0\.05 s"):
            await hall.lobby.engine("bob", 0.05)

    run(tmp_path, script)


def test_who_comes_again_takes_the_place_of_the_connection_before(tmp_path: Path) -> None:
    async def script(hall: Hall) -> None:
        first = await hall.visit("alice")
        wire = await hall.lobby.engine("alice", 30)
        said = Ears()
        wire.attend(said.line, said.gone)
        second = await hall.visit("alice")
        await until(lambda: said.lost and first.lost)
        assert str(said.lost[0]) == "it has connected anew"
        again = await hall.lobby.engine("alice", 30)
        again.send([b"here"])
        await until(lambda: second.lines)

    run(tmp_path, script)


def test_one_who_says_join_is_a_person(tmp_path: Path) -> None:
    async def script(hall: Hall) -> None:
        heard = await hall.visit("alice")
        heard.wire.send([b"join Cross"])  # type: ignore[attr-defined]
        await until(lambda: hall.persons)
        assert [(wire.name, text) for wire, text in hall.persons] == [("alice", "Cross")]
        assert hall.lobby.engines() == []
        with pytest.raises(EngineFailedToStart, match="person:alice"):
            await hall.lobby.engine("alice", 1)

    run(tmp_path, script)


@pytest.mark.parametrize("messages", [[b"acknowledge"] * 1000, [b"\n".join([b"acknowledge"] * 999)]])
def test_an_engine_that_speaks_before_it_is_asked_is_hung_up_on(tmp_path: Path, messages: list[bytes]) -> None:
    async def script(hall: Hall) -> None:
        heard = await hall.visit("alice")
        heard.wire.send(messages)  # type: ignore[attr-defined]
        await until(lambda: heard.lost and not hall.lobby.names())

    run(tmp_path, script)


def test_strangers_are_told_of_now_and_then_only(tmp_path: Path) -> None:
    async def script(hall: Hall) -> None:
        strangers = [new_key() for _ in range(4)]
        for stranger in strangers:
            with pytest.raises(NotAdmitted):
                await visit(hall.address, stranger, hall.keys.referee.public)
        assert hall.told == [f"Not let in: the key {strangers[0].public.hex()} from 127.0.0.1 is not known here"]

    run(tmp_path, script)


def test_who_is_written_into_the_file_may_come_in_at_once(tmp_path: Path) -> None:
    async def script(hall: Hall) -> None:
        carol = new_key()
        with hall.keys.ring.known.open("a") as file:
            file.write(f"carol {carol.public.hex()}\n")
        wire, _ = await visit(hall.address, carol, hall.keys.referee.public)
        await until(lambda: hall.lobby.engines() == ["carol"])
        wire.close()
        # A file that is damaged meanwhile keeps nobody out who was known.
        hall.keys.ring.known.write_text("nonsense")
        await hall.visit("alice")
        await until(lambda: hall.lobby.engines() == ["alice"])

    run(tmp_path, script)


def test_anyone_may_come_in_where_that_is_said(tmp_path: Path) -> None:
    async def script(hall: Hall) -> None:
        stranger = new_key()
        wire, _ = await visit(hall.address, stranger, hall.keys.referee.public)
        await until(lambda: hall.lobby.engines() == [f"key-{stranger.public.hex()[:12]}"])
        wire.close()

    run(tmp_path, script, anyone=True)


def test_a_door_that_can_not_be_opened_leaves_the_one_before(tmp_path: Path) -> None:
    async def script(hall: Hall) -> None:
        await hall.visit("alice")
        await until(lambda: hall.lobby.engines() == ["alice"])
        for address in ("nowhere", hall.address):
            with pytest.raises(TransportError):
                await hall.lobby.open(address, anyone=False, limit=LIMIT, silence=30.0)
        assert hall.lobby.engines() == ["alice"]
        assert hall.lobby.counts == (0, 0, 1)

    run(tmp_path, script)


def test_behind_a_closed_door_nobody_is_waited_for(tmp_path: Path) -> None:
    async def main() -> None:
        hall = Hall(Keys(tmp_path))
        with pytest.raises(EngineFailedToStart, match="listen"):
            await hall.lobby.engine("alice", 30)
        with pytest.raises(CommandError, match="Use listen"):
            need(hall.lobby)
        with pytest.raises(CommandError, match="Use listen"):
            need(None)

    asyncio.run(main())


def test_a_user_has_one_key_which_is_made_when_it_is_needed(tmp_path: Path) -> None:
    ring = usual_keyring({"XDG_CONFIG_HOME": str(tmp_path)})
    assert ring == Keyring(tmp_path / "ggtp" / "key", tmp_path / "ggtp" / "known_keys")
    assert own_key(ring) == own_key(ring)
    os.chmod(ring.own, 0o644)
    with pytest.raises(KeyFileError, match="chmod"):
        own_key(ring)
