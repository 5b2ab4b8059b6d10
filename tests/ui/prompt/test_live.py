"""A table that is redrawn in place while its clock runs, and printed when it does not."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from prompt_toolkit.formatted_text import to_plain_text
from support.prompts import Screen, seat, until

from ggtp.game import Cell, Grid, Note, Picture
from ggtp.referee.views import View
from ggtp.ui.prompt.live import LINES, LiveScreen

TABLE = Picture((Grid(((Cell("●", "first", ascii="x"), Cell(".")),)), Note("tick 1")))


class Table:
    """A screen in front of one that keeps what it is told; lively or not."""

    def __init__(self, *, ascii_only: bool = False) -> None:
        self.behind = Screen()
        self.lively = True
        self.screen = LiveScreen(self.behind, lambda: self.lively, ascii_only=ascii_only)

    def frame(self, columns: int = 80, rows: int = 20) -> list[str]:
        return re.sub(r"\x1b\[[0-9;]*m", "", self.screen.frame(columns, rows)).splitlines()


def test_a_lively_table_stands_in_place_with_the_last_lines_above_it() -> None:
    table = Table()
    assert table.frame() == []
    for number in range(10):
        table.screen.inform(f"Red plays {number}")
    table.screen.draw(TABLE)
    table.screen.respond("= Done")
    assert table.frame() == [*(f"-> Red plays {number}" for number in range(10 - LINES, 10)), "  ● .", "  tick 1"]
    assert table.behind.lines == []
    assert table.behind.pictures == []


def test_without_room_there_are_fewer_lines_and_the_table_stays_whole() -> None:
    table = Table(ascii_only=True)
    table.screen.inform("Red plays 1")
    table.screen.inform("Red plays 2")
    table.screen.draw(TABLE)
    assert table.frame(rows=3) == ["-> Red plays 2", "  x .", "  tick 1"]
    assert table.frame(rows=0) == ["  x .", "  tick 1"]
    assert table.frame(columns=8, rows=3) == ["-> Red …", "  x .", "  tick 1"]


def test_a_refusal_stays_until_something_else_was_typed() -> None:
    table = Table()
    table.screen.draw(TABLE)
    table.screen.respond("? No move named fly.")
    for number in range(10):
        table.screen.inform(f"Red plays {number}")
    assert table.frame()[-1] == "? No move named fly."
    assert [line.rstrip() for line in table.frame(columns=12)[-2:]] == ["? No move", "named fly."]
    table.screen.respond("= Done")
    assert table.frame()[-1] == "  tick 1"
    assert table.behind.lines == []


def test_answers_and_notes_are_printed() -> None:
    table = Table()
    table.screen.draw(TABLE)
    table.screen.respond("= Blue=wait")
    table.screen.note("F1 helps")
    assert table.behind.lines == ["= Blue=wait", "# F1 helps"]


@pytest.mark.parametrize("said", ["= Done", "? No."])
def test_when_it_is_not_lively_any_more_all_is_printed(said: str) -> None:
    table = Table()
    table.screen.draw(TABLE)
    table.screen.inform("Red plays 1")
    table.lively = False
    assert table.frame() == []
    table.screen.inform("Red plays 2")
    table.screen.respond(said)
    table.screen.draw(TABLE)
    assert table.behind.lines == ["-> Red plays 2", said]
    assert table.behind.pictures == [["● .", "tick 1"]]
    table.lively = True
    assert table.frame() == [], "what was printed need not stand in place, too"


def test_a_table_that_stands_still_is_printed_once() -> None:
    table = Table()
    table.screen.settle()
    table.screen.draw(TABLE)
    table.screen.settle()
    assert table.behind.pictures == []
    table.lively = False
    table.screen.settle()
    table.screen.settle()
    assert table.behind.pictures == [["● .", "tick 1"]]


def test_a_play_in_real_time_that_is_held_leaves_its_table_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        async with seat(tmp_path) as person:
            for line in ("set_rule Skirmish", "set_rule_option tick_ms 20"):
                await person.say(line)
            person.keys("start\r")
            await until(lambda: "tick 2 of" in to_plain_text(person.prompt._message()), "a table above the prompt")
            monkeypatch.setattr(View, "pace", lambda _view: None)  # as when an engine's thinking is withdrawn
            person.prompt._changed()
            assert len(person.screen.pictures) == 1
            assert to_plain_text(person.prompt._message()).endswith("> ")
            assert "\n" not in to_plain_text(person.prompt._message())
            await person.say("quit")

    asyncio.run(main())


@pytest.mark.slow
def test_a_skirmish_in_real_time_is_redrawn_in_place_and_printed_at_its_end(tmp_path: Path) -> None:
    async def main() -> None:
        async with seat(tmp_path) as person:
            for line in ("set_rule Skirmish", "set_rule_option tick_ms 20", "set_rule_option ticks 10"):
                await person.say(line)
            person.keys("start\r")

            def message() -> str:
                return to_plain_text(person.prompt._message())

            await until(lambda: "tick 2 of 10" in message(), "a table above the prompt")
            assert message().endswith("Red, Blue> ")
            assert person.prompt._session.app.erase_when_done
            assert person.screen.pictures == []
            await person.hear("-> Red=draw")
            assert [picture[-1].startswith("time is up") for picture in person.screen.pictures] == [True]
            await until(lambda: message() == "ggtp> ", "an ordinary prompt")
            assert not person.prompt._session.app.erase_when_done
            await person.say("quit")

    asyncio.run(main())
