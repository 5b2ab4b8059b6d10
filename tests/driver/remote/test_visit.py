"""A person of one machine at the table of another: real connections, and what goes over them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from support.network import Keys, until, visit

from ggtp.driver.remote.outpost import Referee
from ggtp.driver.remote.visit import Visit
from ggtp.errors import NotAdmitted
from ggtp.transport.secure.curve import new_key

RunTable = Callable[..., list[str]]


class Person:
    """Somebody who visits, and what is heard and noted."""

    def __init__(self, referee: Referee, wanted: str = "") -> None:
        self.heard: list[str] = []
        self.notes: list[str] = []
        self.visit = Visit(referee, wanted, self.heard.append, self.notes.append)
        self.task = asyncio.ensure_future(self.visit.run())

    async def say(self, line: str) -> list[str]:
        """Say a line, and hear all up to its answer."""
        begin = len(self.heard)
        await self.visit.connected()
        assert self.visit.say(line)
        await asyncio.wait_for(self.visit.answered(), 30)
        return self.heard[begin:]

    async def gone(self) -> None:
        self.visit.leave()
        await asyncio.wait_for(self.task, 30)


async def open_door(table: Any, keys: Keys, rule: str = "TicTacToe") -> Referee:
    await table.say("listen 127.0.0.1:0", f"set_rule {rule}", "set_engine Cross person:carol")
    line = await table.screen.until("-> Listening at ")
    return Referee(line.split()[3], bytes.fromhex(line.split()[-1]), keys.pairs["carol"])


def at_table(script: Callable[[Any, Keys, Referee], Awaitable[None]], folder: Path, rule: str = "TicTacToe") -> Any:
    async def run(table: Any) -> None:
        keys = Keys(folder, "carol", "dave")
        await script(table, keys, await open_door(table, keys, rule))

    return run


def test_a_person_plays_from_elsewhere(play: RunTable, tmp_path: Path) -> None:
    async def script(table: Any, keys: Keys, referee: Referee) -> None:
        carol = Person(referee)
        await table.screen.until("-> carol sits down as Cross")
        await table.say("start")
        await until(lambda: "-> It is your turn." in carol.heard)
        assert (await carol.say("play B2"))[-1] == "= Done"
        assert await table.say("list_played_moves") == "= Cross B2"
        assert await table.say("list_connections") == "= carol person 127.0.0.1"
        await table.say("play Circle A1")
        await until(lambda: "-> Circle plays A1" in carol.heard)
        await carol.gone()
        await table.screen.until("-> carol has left; the seat of Cross is kept")

    play(at_table(script, tmp_path))


def test_a_person_whose_connection_is_lost_comes_again(play: RunTable, tmp_path: Path) -> None:
    async def script(table: Any, keys: Keys, referee: Referee) -> None:
        carol = Person(referee)
        await table.say("start")
        assert (await carol.say("play B2"))[-1] == "= Done"
        # Somebody with the same key takes the connection's place, and goes again.
        wire, _ = await visit(referee.address, keys.pairs["carol"], referee.key)
        await until(lambda: carol.notes)
        assert carol.notes[0] == "the connection to the referee is lost; trying again"
        wire.close()
        await until(lambda: carol.heard.count("-> You are Cross in TicTacToe") == 2)
        assert "-> 2 . X ." in carol.heard[-4:]
        await carol.gone()

    play(at_table(script, tmp_path))


def test_the_referee_s_goodbye_ends_the_visit(play: RunTable, tmp_path: Path) -> None:
    async def script(table: Any, keys: Keys, referee: Referee) -> None:
        carol = Person(referee)
        await table.screen.until("-> carol sits down as Cross")
        await table.say("quit")
        await asyncio.wait_for(carol.task, 30)
        assert carol.heard[-1] == "= Goodbye"
        assert not carol.visit.say("play A1")

    play(at_table(script, tmp_path))


def test_an_unknown_key_is_not_let_in(play: RunTable, tmp_path: Path) -> None:
    async def script(table: Any, keys: Keys, referee: Referee) -> None:
        stranger = Person(Referee(referee.address, referee.key, new_key()))
        with pytest.raises(NotAdmitted):
            await stranger.task

    play(at_table(script, tmp_path))


def test_a_flood_of_lines_is_heard_slowly_and_the_supervisor_at_once(play: RunTable, tmp_path: Path) -> None:
    async def script(table: Any, keys: Keys, referee: Referee) -> None:
        carol = Person(referee)
        await table.screen.until("-> carol sits down as Cross")
        await carol.visit.connected()
        for _ in range(3000):
            carol.visit.say("list_players")
        for _ in range(20):
            assert await table.say("list_players") == "= Cross=person:carol, Circle=human"
        await until(lambda: carol.heard.count("= Cross=you, Circle=human") >= 3)
        assert carol.heard.count("= Cross=you, Circle=human") < 1500
        await carol.gone()

    play(at_table(script, tmp_path))


def test_whatever_is_done_in_secret_the_bytes_are_the_same(play: RunTable, tmp_path: Path) -> None:
    """The lines that leave the referee's machine, of plays that differ only in what Cross may not know."""
    told: list[list[bytes]] = []

    async def one(table: Any, keys: Keys, referee: Referee, *circle: str) -> None:
        wire, ears = await visit(referee.address, keys.pairs["carol"], referee.key)
        wire.send([b"join"])
        await until(lambda: ears.lines)
        await table.say("start")
        wire.send([b"play B2"])
        await until(lambda: b"= Done" in ears.lines)
        await table.say(*(f"play Circle {move}" for move in circle))
        wire.send([b"list_played_moves"])
        await until(lambda: ears.lines[-1].startswith(b"= Cross B2, "))
        told.append(list(ears.lines))
        wire.close()
        await table.screen.until("-> carol has left")
        table.screen.lines.clear()

    async def script(table: Any, keys: Keys, referee: Referee) -> None:
        for circle in (("A1",), ("C3",), ("B2", "A2"), ("B2", "B2", "C1")):
            await one(table, keys, referee, *circle)

    play(at_table(script, tmp_path, "PhantomTicTacToe"))
    # The first had not begun when she came.
    begun = [lines[lines.index(b"-> The play begins") :] for lines in told]
    assert len(begun[0]) > 10
    assert begun == [begun[0]] * 4
