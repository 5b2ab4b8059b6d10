"""An engine on another machine at a driver's table: seats, losses, and goodbyes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from support.network import Ears, Keys, until, visit

from ggtp.driver.remote.link import RemoteEngine
from ggtp.transport.secure.curve import CalledWire

RunTable = Callable[..., list[str]]


class Guest:
    """An engine that answers what it must and moves where it is told; in this process, through a real connection."""

    def __init__(self, wire: CalledWire, ears: Ears, moves: list[str]) -> None:
        self.wire = wire
        self.ears = ears
        self.moves = moves
        self.mute = False
        wire.attend(self._hear, ears.gone)

    @property
    def heard(self) -> list[str]:
        return [line.decode() for line in self.ears.lines]

    def _hear(self, line: bytes, at: float) -> None:
        self.ears.line(line, at)
        if self.mute:
            return
        if line.startswith(b"have_to_play"):
            if self.moves:
                self.wire.send([f"select_move {self.moves.pop(0)}".encode()])
        elif line == b"list_options":
            self.wire.send([b"reply rule, player"])
        else:
            self.wire.send([b"acknowledge"])


@asynccontextmanager
async def door(table: Any, keys: Keys, *options: str) -> AsyncIterator[str]:
    assert await table.say(*options, "listen 127.0.0.1:0", "set_rule TicTacToe") == "= Done"
    listening = await table.screen.until("-> Listening at ")
    yield listening.split()[3]


async def come(address: str, keys: Keys, name: str, *moves: str) -> Guest:
    wire, ears = await visit(address, keys.pairs[name], keys.referee.public)
    return Guest(wire, ears, list(moves))


def test_an_engine_from_elsewhere_plays(play: RunTable, tmp_path: Path) -> None:
    async def script(table: Any) -> None:
        keys = Keys(tmp_path, "alice")
        async with door(table, keys) as address:
            guest = await come(address, keys, "alice", "B2", "A1")
            assert await table.say("set_engine Cross remote:Alice") == "= Done"
            assert await table.say("get_engine Cross") == "= remote:Alice"
            await table.say("start")
            await table.settled()
            await table.say("play Circle C3")
            await table.settled()
            assert await table.say("list_played_moves") == "= Cross B2, Circle C3, Cross A1"
            assert await table.say("list_connections") == "= alice engine 127.0.0.1 at the table"
            assert "remote:alice" in await table.say("list_engines")
            assert "set_option rule TicTacToe" in guest.heard
            assert "set_option player Cross" in guest.heard
            await table.say("set_engine Cross human")
            await until(lambda: guest.ears.lost or guest.heard[-1] == "disconnect_engine")
            assert "disconnect_engine" in guest.heard
            guest.wire.close()

    play(script)


def test_who_is_not_there_can_not_be_seated_and_nothing_changes(play: RunTable, tmp_path: Path) -> None:
    async def script(table: Any) -> None:
        assert await table.say("set_rule TicTacToe") == "= Done"
        answer = await table.say("set_engine Cross remote:alice")
        assert answer == ("? Engine remote:alice is not there: nobody can connect: open the door first, with listen.")
        async with door(table, Keys(tmp_path, "alice"), "set_option connect_time 50"):
            answer = await table.say("set_engine Cross remote:alice")
            assert answer == "? Engine remote:alice is not there: alice did not connect within 0.05 s."
            assert await table.say("set_engine Cross remote:al:ice") == (
                "? remote:al:ice names nobody: the name of a known key is needed behind remote:"
            )
            assert await table.say("get_engine Cross") == "= human"

    play(script)


def test_a_lost_engine_comes_again_and_is_told_the_play(play: RunTable, tmp_path: Path) -> None:
    async def script(table: Any) -> None:
        keys = Keys(tmp_path, "alice")
        async with door(table, keys) as address:
            first = await come(address, keys, "alice", "B2")
            await table.say("set_engine Cross remote:alice", "start")
            await table.settled()
            await table.say("play Circle C3")
            await until(lambda: first.heard[-1].startswith("have_to_play"))
            first.wire.close()
            await table.screen.until("-> Waiting for remote:alice of Cross")
            second = await come(address, keys, "alice", "A1")
            await table.settled()
            assert await table.say("list_played_moves") == "= Cross B2, Circle C3, Cross A1"
            told = second.heard[second.heard.index("start") :]
            assert told[:4] == ["start", "made_move Cross B2", "made_move Circle C3", "have_to_play"]
            second.wire.close()

    lines = play(script)
    assert "-> Fault of Cross (remote:alice), lost: the connection is lost." in lines


def test_one_who_comes_twice_is_lost_once(play: RunTable, tmp_path: Path) -> None:
    async def script(table: Any) -> None:
        keys = Keys(tmp_path, "alice")
        async with door(table, keys) as address:
            first = await come(address, keys, "alice")
            await table.say("set_engine Cross remote:alice", "start")
            await until(lambda: first.heard[-1].startswith("have_to_play"))
            second = await come(address, keys, "alice", "A1")
            await table.settled()
            assert await table.say("list_played_moves") == "= Cross A1"
            await until(lambda: first.ears.lost)
            second.wire.close()

    lines = play(script)
    assert [line for line in lines if "lost" in line] == [
        "-> Fault of Cross (remote:alice), lost: it has connected anew."
    ]


@pytest.mark.parametrize(
    ("said", "fault"),
    [([b"nonsense"], "protocol"), ([b"x" * 5000], "flood"), ([b"acknowledge"] * 5000, "protocol")],
)
def test_one_who_misbehaves_is_at_fault_and_another_plays_on(
    play: RunTable, tmp_path: Path, said: list[bytes], fault: str
) -> None:
    async def script(table: Any) -> None:
        keys = Keys(tmp_path, "alice", "bob")
        options = ("set_option line_limit 1024", "set_option fault_protocol random", "set_option fault_flood random")
        async with door(table, keys, *options) as address:
            bad = await come(address, keys, "alice")
            good = await come(address, keys, "bob", "B2", "A1", "A2", "A3", "B1", "B3", "C1", "C2", "C3")
            await table.say("set_engine Cross remote:alice", "set_engine Circle remote:bob", "start")
            await until(lambda: bad.heard[-1].startswith("have_to_play"))
            # Long enough that what is too long is seen as such whatever is on the way besides.
            bad.wire.send([b"x" * (1 << 18)] if fault == "flood" else said)
            await table.screen.until(f"-> Fault of Cross (remote:alice), {fault}")
            await table.screen.until("-> Circle plays")
            good.wire.close()
            bad.wire.close()

    play(script, fault_lost="ask", fault_illegal="random")


def test_when_the_door_is_closed_everybody_is_lost(play: RunTable, tmp_path: Path) -> None:
    async def script(table: Any) -> None:
        keys = Keys(tmp_path, "alice")
        async with door(table, keys) as address:
            guest = await come(address, keys, "alice")
            await table.say("set_engine Cross remote:alice", "start", "stop_listening")
            await table.screen.until("-> Fault of Cross (remote:alice), lost: the door was closed.")
            await until(lambda: guest.ears.lost)

    play(script, fault_lost="ask")


def test_what_is_known_of_a_remote_engine_is_its_name() -> None:
    engine = RemoteEngine("alice")
    assert (engine.name, engine.options) == ("remote:alice", {})
