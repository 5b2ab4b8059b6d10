from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from support.prompts import seat, until

from ggtp.ui.prompt.keys import key_bindings


class Nothing:
    def interrupt(self) -> None: ...

    def help(self, line: str) -> None: ...

    def leave(self) -> None: ...


def test_every_binding_says_what_it_does() -> None:
    bindings = key_bindings(Nothing()).bindings
    assert len(bindings) == 5
    assert all(binding.handler.__doc__ for binding in bindings)


def test_tab_takes_the_only_suggestion_and_goes_on(tmp_path: Path) -> None:
    async def main() -> None:
        async with seat(tmp_path) as person:
            await person.say("set_rule TicTacToe")
            await person.say("set_rule_option starting_player Cross")
            await person.say("start")
            person.keys("pla\t")
            await until(lambda: person.line == "play ", "the command")
            await until(lambda: person.menu == ["Cross", "Circle"], "its first argument")
            person.keys("cr\t")
            await until(lambda: person.line == "play Cross ", "the player, as it is spelled")
            await until(lambda: "B2" in person.menu, "the moves")
            person.keys("b\t")
            await until(lambda: person.line == "play Cross B1", "the first of several")
            person.keys("\t")
            await until(lambda: person.line == "play Cross B2", "the second")
            person.keys("\r")
            await person.hear("-> Cross plays B2")

    asyncio.run(main())


def test_tab_before_the_menu_is_there(tmp_path: Path) -> None:
    async def main() -> None:
        async with seat(tmp_path) as person:
            person.keys("set_rule tict\t")
            await until(lambda: person.line == "set_rule TicTacToe", "looked up while one waits")
            person.keys("\x15xyzzy\t\t")
            await until(lambda: person.line == "xyzzy", "nothing to suggest")

    asyncio.run(main())


@pytest.mark.slow
def test_tab_and_enter_at_once(tmp_path: Path) -> None:
    async def main() -> None:
        async with seat(tmp_path) as person:
            person.keys("set_rule tict")
            await until(lambda: person.menu == ["TicTacToe"], "the menu")
            person.keys("\t\r")
            await person.hear("= Done")
            assert person.prompt.driver.referee.view.play.reference == "TicTacToe"

    asyncio.run(main())


def test_a_line_that_was_entered_is_not_completed_any_more(tmp_path: Path) -> None:
    async def main() -> None:
        async with seat(tmp_path) as person:
            await person.say("set_rule TicTacToe")
            shown: list[str] = []
            buffer = person.prompt._session.default_buffer
            buffer.on_text_changed += lambda _: shown.append(buffer.text)
            person.keys("set_rule_opt\t\r")  # before there is a menu
            await person.hear("? ")
            assert "set_rule_option " not in shown  # what is on the screen is what was carried out

    asyncio.run(main())


def test_ctrl_d_on_a_line_deletes(tmp_path: Path) -> None:
    async def main() -> None:
        async with seat(tmp_path) as person:
            person.keys("undo\x01\x04")
            await until(lambda: person.line == "ndo")
            assert person.ended is None

    asyncio.run(main())


def test_a_search_finds_in_any_case_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    async def main() -> None:
        async with seat(tmp_path) as person:
            layout = person.prompt._session.app.layout
            await person.say("set_rule TicTacToe")
            await person.say("set_rule Nim")
            await until(lambda: person.prompt._session.app.is_running, "the next prompt")
            person.keys("\x12tict")
            await until(lambda: layout.is_searching, "a search")
            person.keys("\r")
            await until(lambda: person.line == "set_rule TicTacToe", "what was searched for")
            person.keys("\x15\x12x")
            await until(lambda: layout.is_searching, "another search")
            person.keys("\x03")
            await until(lambda: not layout.is_searching, "the end of the search")

    asyncio.run(main())
