"""A play that somebody else referees: what the engine is told, and that a move is there in time."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable

import pytest
from support.paths import FAKES

from ggtp.catalogue import Catalogue, EngineSpec
from ggtp.errors import MoveError, OptionError
from ggtp.protocol.messages import Command
from ggtp.servers.play import SoloPlay
from ggtp.servers.session import Soloist

BAD = str(FAKES / "bad_engine.py")
SECONDS = 60.0
CATALOGUE = Catalogue.from_environment({})
SQUARES = {column + row for row in "123" for column in "ABC"}


def bad(*words: str) -> EngineSpec:
    return EngineSpec("Bad", ("{python}", BAD, "{endpoint}", *words), transport="tcp")


def play(
    script: Callable[[SoloPlay, list[str]], Awaitable[None]], spec: EngineSpec | None = None, rule: str = "TicTacToe"
) -> None:
    async def main() -> None:
        logged: list[str] = []
        solo = SoloPlay(Soloist(spec or bad()), CATALOGUE.find_rules(rule), rule, logged.append, rng=random.Random(1))
        solo.begin({})
        try:
            async with asyncio.timeout(SECONDS):
                await script(solo, logged)
        finally:
            await solo.close()

    asyncio.run(main())


@pytest.mark.process
def test_the_engine_follows_whatever_the_tool_does() -> None:
    async def script(solo: SoloPlay, logged: list[str]) -> None:
        never = asyncio.Event()
        assert await solo.choose(60_000, never) == "A1"
        solo.play("Cross", "b2")
        assert await solo.choose(60_000, never) == "A1"
        solo.play("Circle", "A1")
        solo.play("Cross", "B1")
        assert await solo.choose(60_000, never) == "C1"
        solo.undo(3)
        solo.play("Cross", "C3")
        assert await solo.choose(60_000, never) == "A1"
        solo.begin({})
        assert await solo.choose(60_000, never) == "A1"
        assert not logged

    play(script)


@pytest.mark.process
def test_other_options_of_the_rules_are_another_game() -> None:
    async def script(solo: SoloPlay, logged: list[str]) -> None:
        await solo.prepare()
        assert (await solo.engine.ask(Command("get_option", ("rule_options",)))).text == ""
        solo.begin({"size": "4"})
        await solo.prepare()
        assert (await solo.engine.ask(Command("get_option", ("rule_options",)))).text == "size=4"
        assert not logged

    play(script, CATALOGUE.find_engine("Random"), "Hex")


def test_what_is_no_move_or_no_option_changes_nothing() -> None:
    async def script(solo: SoloPlay, logged: list[str]) -> None:
        for player, text in (("Circle", "A1"), ("Cross", "D4"), ("Nobody", "A1")):
            with pytest.raises(MoveError):
                solo.play(player, text)
        with pytest.raises(OptionError):
            solo.begin({"nonsense": "1"})
        assert solo.to_move == "Cross"
        assert solo.moves == []

    play(script)


@pytest.mark.process
@pytest.mark.parametrize(
    "words",
    [("--fault", "exit1"), ("--fault", "hang"), ("--fault", "illegal", "--say", "nonsense"), ("--fault", "binary")],
)
def test_any_move_is_given_where_the_engine_has_none(words: tuple[str, ...]) -> None:
    async def script(solo: SoloPlay, logged: list[str]) -> None:
        assert await solo.choose(200, asyncio.Event()) in SQUARES
        assert "Any move is given instead." in logged[0]

    play(script, bad(*words))


@pytest.mark.process
def test_without_a_limit_it_thinks_until_it_is_stopped() -> None:
    async def script(solo: SoloPlay, logged: list[str]) -> None:
        stop = asyncio.Event()
        thinking = asyncio.ensure_future(solo.choose(None, stop))
        # It has been asked more than once by the time that it has said so.
        await solo.prepare()
        done, _ = await asyncio.wait([thinking], timeout=0.3)
        assert not done
        stop.set()
        assert await thinking == "A1"
        assert not logged

    play(script)


@pytest.mark.process
def test_a_move_that_is_wanted_now_comes_now() -> None:
    async def script(solo: SoloPlay, logged: list[str]) -> None:
        stop = asyncio.Event()
        thinking = asyncio.ensure_future(solo.choose(3_600_000, stop))
        await asyncio.wait([thinking], timeout=0.3)
        assert not thinking.done()
        stop.set()
        assert await thinking in {f"{column}{row}" for column in "abcdefghijk" for row in range(1, 12)}
        assert not logged

    play(script, CATALOGUE.find_engine("MCTS"), "Hex")


TOLD = """
while read -r command rest; do
    case "$command $rest" in
    list_options*) echo "reply tell_moves" ;;
    "set_option tell_moves "*) moves=${rest#tell_moves }; echo acknowledge ;;
    have_to_play*) echo "select_move ${moves##*, }" ;;
    *) echo acknowledge ;;
    esac
done
"""


@pytest.mark.process
def test_an_engine_without_rules_is_told_its_moves() -> None:
    async def script(solo: SoloPlay, logged: list[str]) -> None:
        never = asyncio.Event()
        assert await solo.choose(60_000, never) == "C3"
        solo.play("Cross", "C3")
        assert await solo.choose(60_000, never) == "B3"
        assert not logged

    play(script, EngineSpec("Told", ("/bin/sh", "-c", TOLD), transport="stdio"))
