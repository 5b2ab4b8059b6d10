from __future__ import annotations

import asyncio
from pathlib import Path

from ggtp.ui.repl.keys import key_bindings

from .conftest import seat, until


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


def test_ctrl_d_on_a_line_deletes(tmp_path: Path) -> None:
    async def main() -> None:
        async with seat(tmp_path) as person:
            person.keys("undo\x01\x04")
            await until(lambda: person.line == "ndo")
            assert person.ended is None

    asyncio.run(main())
