"""A plain talk: answers of the right kind, moves that were asked for, and what breaks it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from support.conformance import find_engine
from support.runs import engine

from ggtp.arena.conformance.talk import Broken, Talk
from ggtp.protocol.messages import AnswerKind
from ggtp.referee.settings import Settings

pytestmark = pytest.mark.process


def talk(path: str, script: Callable[[Talk], Awaitable[None]], seconds: float = 2.0) -> None:
    async def run() -> None:
        each = Talk(find_engine(path), Settings.defaults({}).bounds(), seconds)
        try:
            await each.open()
            await script(each)
        finally:
            await each.close()

    asyncio.run(run())


def test_moves_are_kept_apart_from_answers(tmp_path: Path) -> None:
    async def script(talk: Talk) -> None:
        await talk.ask("connect_engine")
        await talk.ask("start")
        asked = talk.ask_move(None)
        assert (await talk.ask("get_table", "0")).kind is AnswerKind.REPLY
        selection = await talk.move(5.0)
        assert (selection.move, selection.at >= asked, talk.pending) == ("A1", True, 0)
        assert await talk.anything(0.01) == ""
        talk.ask_move(100)
        await talk.ask("get_result", "0")
        assert [stale.move for stale in talk.drop()] == ["A1"]

    talk(engine(tmp_path, "good"), script)


def test_a_move_that_nobody_asked_for_breaks_the_talk(tmp_path: Path) -> None:
    async def script(talk: Talk) -> None:
        await talk.ask("start")
        with pytest.raises(Broken, match="select_move A1 came, which nobody asked for"):
            await talk.ask("list_options")

    talk(engine(tmp_path, "bad", "--fault", "unasked", "--at", "start"), script)


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("wrong-answer", "start: reply is no answer to it"),
        ("binary", "start: bytes that are not UTF-8"),
        ("exit1", "start: it ended with exit status 1. Its last words: .*giving up"),
        ("hang", "start: nothing came in time"),
    ],
)
def test_what_breaks_a_talk_is_said(tmp_path: Path, fault: str, message: str) -> None:
    async def script(talk: Talk) -> None:
        await talk.ask("connect_engine")
        with pytest.raises(Broken, match=message):
            await talk.ask("start", seconds=0.5)
        assert await talk.gone(0.0) is (fault == "exit1")

    talk(engine(tmp_path, "bad", "--fault", fault, "--at", "start"), script)
