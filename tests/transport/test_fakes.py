"""Every misbehaving engine over every transport: what is heard of it, and that nothing is left of it."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from support.evil import FAULTS
from support.paths import FAKES

from ggtp.errors import Backlogged, ConnectionLost, MessageTooLong
from ggtp.processes import family
from ggtp.processes.engine import EngineProcess, Limits

pytestmark = pytest.mark.process

LIMITS = Limits(
    memory_bytes=400 << 20, processes=20, watch_seconds=0.05, grace_seconds=0.05, stop_seconds=0.05, words_bytes=4096
)
TALK = ["connect_engine", "list_options", "set_option Depth 4", "start", "made_move Cross A1", "have_to_play 1000"]
GOOD = ["acknowledge", "reply Depth, Style, rule, player", *["acknowledge"] * 3, "select_move B1"]


every_transport = pytest.mark.parametrize("transport", ["zmq", "tcp", "stdio"])


class Table:
    """One engine and the referee's end of its wire."""

    def __init__(self, ear: Any) -> None:
        self.ear = ear

    async def start(self, transport: str, *arguments: str, limit: int = 1 << 20) -> None:
        ear = self.ear
        module = import_module(f"ggtp.transport.{transport}")
        self.wire = await module.open_wire(ear.on_line, ear.on_lost, ear.on_ready, limit=limit)
        self.process = EngineProcess.start(
            [sys.executable, str(FAKES / "bad_engine.py"), self.wire.endpoint, *arguments],
            env=os.environ,
            limits=LIMITS,
            on_exit=ear.on_exit,
            on_limit=ear.on_limit,
            stdio_wire=self.wire if transport == "stdio" else None,
        )

    async def ask(self, line: str, seconds: float = 10) -> str:
        """Say a line and wait for the next one."""
        ear = self.ear
        count = len(ear.lines)
        self.wire.send([line.encode()])
        await ear.until(lambda: len(ear.lines) > count or ear.lost, seconds)
        if ear.lost:
            raise ear.lost[0]
        return bytes(ear.lines[count]).decode()

    async def play(self, lines: list[str]) -> list[str]:
        await self.ear.until(lambda: self.ear.ready or self.ear.lost)
        return [await self.ask(line) for line in lines]

    async def end(self) -> None:
        await self.process.stop()
        self.wire.close()
        assert family.find(self.process._token) == set()


async def misbehave(table: Table, transport: str, fault: str) -> str:
    """Play on until the fault shows, and say how."""
    ear, wire = table.ear, table.wire
    if fault == "never-connects":
        await asyncio.wait([asyncio.ensure_future(ear.until(lambda: ear.calls))], timeout=0.3)
        return "silence" if set(ear.calls) <= {"ready"} else str(ear.calls)
    if fault == "connects-then-closes":
        await ear.until(lambda: ear.lost)
        return "lost"
    if fault.startswith("wrong-protocol"):
        await ear.until(lambda: ear.lost or ear.lines)
        return "lost" if ear.lost else "nonsense"
    try:
        before = TALK[: [line.split()[0] for line in TALK].index(FAULTS[fault])] if fault != "stdout-noise" else []
        assert await table.play(before) == GOOD[: len(before)]
        waits = expected(fault, transport) in ("silence", "limit")
        answer = await table.ask(TALK[len(before)], 0.5 if waits else 10)
        if fault == "deaf":
            while True:
                wire.send([b"undone_move"] * 1000)
                await asyncio.sleep(0)
        if fault == "floods":
            await ear.until(lambda: len(ear.lines) > 10_000)
            return "flood"
        if fault == "unasked":
            await ear.until(lambda: ear.lines[-1] == b"select_move A1")
            return "unasked"
        return "good" if answer == GOOD[len(before)] else "nonsense"
    except TimeoutError:
        if fault == "memory":
            await ear.until(lambda: ear.limits)
            return "limit"
        return "silence"
    except UnicodeDecodeError:
        return "nonsense"
    except Backlogged:
        return "backlog"
    except MessageTooLong:
        return "too long"
    except ConnectionLost:
        await ear.until(lambda: ear.exits)
        return f"exit {ear.exits[0]}"


EXPECTED = {
    "exit0": "exit 0",
    "exit1": "exit 1",
    "crash": "exit -11",
    "hang": "silence",
    "spin": "silence",
    "deaf": "backlog",
    "forks": "good",
    "floods": "flood",
    "long-line": "too long",
    "half-line": "silence",
    "half-line-exit": "exit 0",
    "binary": "nonsense",
    "unasked": "unasked",
    "wrong-answer": "nonsense",
    "illegal": "nonsense",
    "late": "good",
    "drip": "good",
    "memory": "limit",
    "never-connects": "silence",
    "connects-then-closes": "lost",
    "stderr-flood": "good",
}


def expected(fault: str, transport: str) -> str:
    if fault.startswith("wrong-protocol"):
        return "lost" if transport == "zmq" else "nonsense"
    if fault == "stdout-noise":
        return "nonsense" if transport == "stdio" else "good"
    return EXPECTED[fault]


@every_transport
@pytest.mark.parametrize("fault", sorted(set(FAULTS) - {"ignores-term"}))
def test_every_fault(tools: Any, descriptors: Any, transport: str, fault: str) -> None:
    async def play() -> None:
        table = Table(tools.Ear())
        # Above what it may have, and below what the kernel refuses by itself to who grows faster than we look.
        await table.start(transport, "--fault", fault, "--most-mb", "600")
        try:
            assert await misbehave(table, transport, fault) == expected(fault, transport)
            if fault == "exit1":
                assert table.process.last_words().splitlines()[0] == "bad_engine: the table of openings is broken"
        finally:
            await table.end()

    before = descriptors()
    asyncio.run(play())
    assert descriptors() <= before + 1, "but for the undertaker's pipe"


@every_transport
def test_the_good_engine(tools: Any, transport: str) -> None:
    async def play() -> None:
        table = Table(tools.Ear())
        await table.start(transport)
        try:
            assert await table.play(TALK) == GOOD
            assert await table.play(
                [
                    "made_move Circle B1",
                    "list_possible_moves 0",
                    "get_table 0",
                    "get_table 7",
                    "undone_move",
                    "have_to_play",
                    "redone_move",
                    "get_option Depth",
                    "get_option depth",
                    "get_result 0",
                    "disconnect_engine",
                ]
            ) == [
                "acknowledge",
                "reply C1, A2, B2, C2, A3, B3, C3",
                "reply .../.../XO.",
                "invalid_table_number",
                "acknowledge",
                "select_move B1",
                "acknowledge",
                "reply 4",
                "invalid_option_name",
                "reply none",
                "acknowledge",
            ]
            await table.ear.until(lambda: table.ear.exits and table.ear.lost)
            assert table.ear.exits == [0]
        finally:
            await table.end()

    asyncio.run(play())


@every_transport
def test_one_that_does_not_want_to_end(tools: Any, transport: str) -> None:
    async def play() -> None:
        table = Table(tools.Ear())
        await table.start(transport, "--fault", "ignores-term")
        try:
            await table.play(TALK[:1])
            table.wire.send([b"disconnect_engine"])
        finally:
            await table.end()
        assert table.process.status == -9

    asyncio.run(play())


def test_a_good_wire_beside_a_flood(tools: Any) -> None:
    async def play() -> None:
        flood, good = Table(tools.Ear()), Table(tools.Ear())
        await flood.start("tcp", "--fault", "floods", "--at", "connect_engine")
        await good.start("zmq")
        try:
            await flood.play(["connect_engine"])
            assert await good.play(TALK) == GOOD
            flooded = len(flood.ear.lines)
            async with asyncio.timeout(10):
                while len(flood.ear.lines) < flooded + 1000:
                    assert await good.ask("get_result 0") == "reply none"
        finally:
            await flood.end()
            await good.end()

    asyncio.run(play())


def test_the_engine_from_the_paper(tools: Any, tmp_path: Path) -> None:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    program = tmp_path / "paper_engine"
    subprocess.run(
        [compiler, "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-o", program, FAKES / "paper_engine.c"],
        check=True,
    )

    async def play() -> None:
        ear = tools.Ear()
        table = Table(ear)
        table.wire = await import_module("ggtp.transport.tcp").open_wire(
            ear.on_line, ear.on_lost, ear.on_ready, limit=1000
        )
        table.process = EngineProcess.start(
            [str(program), table.wire.host, str(table.wire.port)],
            env=os.environ,
            limits=LIMITS,
            on_exit=ear.on_exit,
            on_limit=ear.on_limit,
        )
        try:
            for line, answer in (
                ("connect_engine", "acknowledge"),
                ("list_options", "reply Depth"),
                ("get_option Depth", "reply 3"),
                ("list_option_choices Depth", "reply 1, 2, 3, 4, 5, 6, 7, 8, 9"),
                ("set_option Depth 5", "acknowledge"),
                ("set_option Depth 50", "invalid_option_value"),
                ("set_option Depth", "invalid_option_value"),
                ("set_option Width 5", "invalid_option_name"),
                ("get_option Depth", "reply 5"),
                ("start", "acknowledge"),
                ("have_to_play", "select_move A1"),
                ("made_move Cross A1", "acknowledge"),
                ("made_move Circle B1", "acknowledge"),
                ("have_to_play 1000", "select_move C1"),
                ("illegal_move C1 because of nothing", "acknowledge"),
                ("undone_move", "acknowledge"),
                ("list_possible_moves 0", "reply B1, C1, A2, B2, C2, A3, B3, C3"),
                ("redone_move", "acknowledge"),
                ("redone_move", "acknowledge"),
                ("get_table 0", "reply XO......."),
                ("get_table 1", "invalid_table_number"),
                ("made_move Cross A2", "acknowledge"),
                ("made_move Circle B2", "acknowledge"),
                ("get_result 0", "reply none"),
                ("made_move Cross A3", "acknowledge"),
                ("get_result 0", "reply Cross=win 100, Circle=loss 0"),
                ("disconnect_engine", "acknowledge"),
            ):
                assert await table.play([line]) == [answer], line
            await ear.until(lambda: ear.exits)
            assert ear.exits == [0]
        finally:
            await table.end()

    asyncio.run(play())
