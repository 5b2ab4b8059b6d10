"""The engine that is looked at is told its game as by a referee, and started again after it was closed."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from support.conformance import find_engine
from support.runs import engine
from support.tournaments import find_rules

from ggtp.arena.conformance.subject import Subject
from ggtp.arena.conformance.talk import Broken
from ggtp.referee.settings import Settings

pytestmark = pytest.mark.process


def subject(path: str, **options: str) -> Subject:
    rules = find_rules("TicTacToe")
    return Subject(find_engine(path), rules, "TicTacToe", {}, options, "Circle", 1, 0, Settings.defaults({}))


def test_it_is_told_its_player_and_options_in_every_process(tmp_path: Path) -> None:
    async def script() -> None:
        each = subject(engine(tmp_path, "good"), depth="7")
        try:
            for _ in range(2):
                talk = await each.talk()
                assert (await talk.ask("get_option", "player")).text == "Circle"
                assert (await talk.ask("get_option", "Depth")).text == "7"
                assert await each.talk() is talk
                await each.close()
        finally:
            await each.close()

    asyncio.run(script())


def test_an_option_that_it_refuses_is_said(tmp_path: Path) -> None:
    async def script() -> None:
        each = subject(engine(tmp_path, "good"), Width="7")
        try:
            with pytest.raises(Broken, match="set_option Width 7: invalid_option_name"):
                await each.talk()
        finally:
            await each.close()

    asyncio.run(script())
