"""One engine without a referee of ours: what it is told, what comes back, and how it fails."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.paths import FAKES

from ggtp.catalogue import Catalogue, EngineSpec
from ggtp.errors import CommandError, EngineError, EngineFailedToStart, EngineTimedOut
from ggtp.protocol.messages import Command
from ggtp.referee.settings import Settings
from ggtp.servers.session import MOST_RESTARTS, Assignment, Soloist

pytestmark = pytest.mark.process

BAD = str(FAKES / "bad_engine.py")
SECONDS = 60.0
CATALOGUE = Catalogue.from_environment({})
TICTACTOE = CATALOGUE.find_rules("TicTacToe")


def game(**changes: Any) -> Assignment:
    return Assignment(**{"rules": TICTACTOE, "reference": "TicTacToe", "values": {}, "player": "Cross", **changes})


def bad(*words: str) -> EngineSpec:
    return EngineSpec("Bad", ("{python}", BAD, "{endpoint}", *words), transport="tcp")


def play(spec: EngineSpec, script: Callable[[Soloist], Awaitable[None]], **settings: str) -> None:
    async def main() -> None:
        engine = Soloist(spec, Settings.defaults({"answer_time": "20000", **settings}))
        try:
            async with asyncio.timeout(SECONDS):
                await script(engine)
        finally:
            await engine.close()

    asyncio.run(main())


def test_it_follows_a_play_and_moves_for_both_sides() -> None:
    async def script(engine: Soloist) -> None:
        await engine.open(game())
        await engine.begin()
        assert await engine.select("Cross", 1000, SECONDS) == "A1"
        await engine.made("Cross", "A1")
        await engine.made("Circle", "B1")
        assert await engine.select("Cross", None, SECONDS) == "C1"
        await engine.undone()
        assert await engine.select("Circle", 1000, SECONDS) == "B1"

    play(bad(), script)


def test_options_are_set_and_refused() -> None:
    async def script(engine: Soloist) -> None:
        await engine.open(game(settings={"seed": "3"}))
        assert (await engine.ask(Command("get_option", ("seed",)))).text == "3"
        await engine.set_option("SEED", "4")
        assert (await engine.ask(Command("get_option", ("seed",)))).text == "4"
        with pytest.raises(CommandError, match="No option named nonsense"):
            await engine.set_option("nonsense", "1")
        with pytest.raises(CommandError, match="No value x for option memory"):
            await engine.set_option("memory", "x")
        with pytest.raises(CommandError, match="can't play"):
            await engine.open(game(reference="NoSuchRule"))

    play(CATALOGUE.find_engine("Random"), script)


def test_a_move_that_nobody_waits_for_is_stale() -> None:
    async def script(engine: Soloist) -> None:
        await engine.open(game())
        await engine.begin()
        with pytest.raises(EngineTimedOut):
            await engine.select("Cross", 1000, 0.01)
        await engine.made("Cross", "B2")
        assert await engine.select("Circle", 1000, SECONDS) == "A1"

    play(bad("--fault", "late", "--delay-ms", "300"), script)


def test_an_engine_that_ends_is_started_again_and_told_the_play(tmp_path: Path) -> None:
    # It ends at the first move that it hears of, once.
    once = tmp_path / "once"
    program = tmp_path / "engine.sh"
    program.write_text(
        f'#!/bin/sh\nif [ -e {once} ]; then exec "$1" {BAD} "$2"; fi\n'
        f'touch {once}; exec "$1" {BAD} "$2" --fault exit1 --at have_to_play\n'
    )
    program.chmod(0o755)
    spec = EngineSpec("Once", (str(program), "{python}", "{endpoint}"), transport="tcp", writes=(str(tmp_path),))

    async def script(engine: Soloist) -> None:
        await engine.open(game())
        await engine.begin()
        await engine.made("Cross", "A1")
        with pytest.raises(EngineError, match="Engine Once failed"):
            await engine.select("Circle", 1000, SECONDS)
        await engine.made("Circle", "B1")
        assert await engine.select("Cross", 1000, SECONDS) == "C1"

    play(spec, script)


def test_who_fails_again_and_again_is_given_up() -> None:
    async def script(engine: Soloist) -> None:
        await engine.open(game())
        await engine.begin()
        for _ in range(MOST_RESTARTS + 2):
            with pytest.raises(EngineError):
                await engine.select("Cross", 1000, SECONDS)

    play(bad("--fault", "exit1"), script)


@pytest.mark.parametrize(
    ("words", "match"),
    [
        (("--fault", "hang", "--at", "start"), "no answer to start"),
        (("--fault", "wrong-answer", "--at", "start"), "protocol"),
        (("--fault", "binary", "--at", "start"), "protocol"),
    ],
)
def test_what_breaks_the_protocol_is_told(words: tuple[str, ...], match: str) -> None:
    async def script(engine: Soloist) -> None:
        await engine.open(game())
        with pytest.raises(EngineError, match=match):
            await engine.begin()

    play(bad(*words), script, answer_time="3000" if "hang" in words else "20000")


def test_what_can_not_be_started_is_told() -> None:
    async def script(engine: Soloist) -> None:
        with pytest.raises(EngineFailedToStart):
            await engine.start()

    play(EngineSpec("None", ("/nonexistent/program",), transport="tcp"), script)


def test_a_play_goes_on_while_the_engine_can_not_be_started_again(tmp_path: Path) -> None:
    program = tmp_path / "engine.sh"
    program.write_text(f'#!/bin/sh\nexec "$1" {BAD} "$2" --fault exit1\n')
    program.chmod(0o755)

    async def script(engine: Soloist) -> None:
        await engine.open(game())
        await engine.begin()
        with pytest.raises(EngineError):
            await engine.select("Cross", 1000, SECONDS)
        program.unlink()
        with pytest.raises(EngineFailedToStart):
            await engine.select("Cross", 1000, SECONDS)
        await engine.made("Cross", "A1")
        await engine.made("Circle", "A2")
        await engine.undone()
        program.write_text(f'#!/bin/sh\nexec "$1" {BAD} "$2"\n')
        program.chmod(0o755)
        assert await engine.select("Circle", 1000, SECONDS) == "B1"

    play(EngineSpec("Lost", (str(program), "{python}", "{endpoint}"), transport="tcp"), script)


def test_what_a_sandbox_does_not_grant_is_told_once() -> None:
    spec = replace(bad("--fault", "exit1"), network=True)
    notes: list[str] = []

    async def main() -> None:
        engine = Soloist(spec, Settings.defaults({"answer_time": "20000", "engine_network": "off"}), notes.append)
        try:
            async with asyncio.timeout(SECONDS):
                await engine.open(game())
                await engine.begin()
                for _ in range(2):
                    with pytest.raises(EngineError):
                        await engine.select("Cross", 1000, SECONDS)
        finally:
            await engine.close()

    asyncio.run(main())
    assert notes == ["Bad: its description asks for the network, but the option engine_network is off"]
