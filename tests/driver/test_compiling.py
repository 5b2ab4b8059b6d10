"""Rules are compiled while the interpreter plays."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from support.endless import ENDLESS

from ggtp.catalogue.compile.cache import DiskCache
from ggtp.catalogue.compile.compiler import Compiler
from ggtp.game.guard import bare_position

pytestmark = pytest.mark.process

STOPPED = (None, True)


def outcome(compilation: Any) -> tuple[Any, bool]:
    """The game, and whether the reason why there is none is that somebody stopped it."""
    return compilation.game, compilation.why.endswith("was stopped.")


def test_rules_are_compiled_in_the_background(play: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ggtp.driver.compiling.COMPILE_AFTER", 0)

    async def script(table: Any) -> None:
        driver = table.driver
        driver._workshop.compiler = Compiler(DiskCache(tmp_path / "cache"))
        assert driver.machine == ""
        assert await table.say("set_rule gdl/connect3", "start") == "= Done"
        # The interpreter plays at once, and whoever plays then, the moves are the same.
        first = await table.say("list_moves")
        async with asyncio.timeout(60):
            while driver.machine != "compiled":
                table.changed.clear()
                await table.changed.wait()
        assert await table.say("list_moves") == first
        await table.say("play yellow drop 1")
        position: Any = bare_position(driver.referee.view.play.position)
        assert isinstance(position.state, bytes)
        await table.say("set_rule TicTacToe")
        assert driver.machine == ""

    play(script)


def test_compiling_can_be_switched_off(play: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ggtp.driver.compiling.COMPILE_AFTER", 0)

    async def script(table: Any) -> None:
        driver = table.driver
        driver._workshop.compiler = Compiler(DiskCache(tmp_path / "cache"))
        (tmp_path / "endless.gdl").write_text(ENDLESS, "utf-8")
        await table.say("set_option compile off", f"set_rule {tmp_path / 'endless.gdl'}")
        assert driver._workshop.timer is None
        await table.say("set_option compile on")
        async with asyncio.timeout(60):
            while driver.machine != "compiling":
                table.changed.clear()
                await table.changed.wait()
        compilation = driver._workshop.compilation
        await table.say("set_option compile off")
        assert driver.machine == ""
        assert await asyncio.to_thread(compilation.wait, 60)
        assert outcome(compilation) == STOPPED

    play(script)


def test_leaving_ends_what_is_being_compiled(play: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ggtp.driver.compiling.COMPILE_AFTER", 0)
    kept: list[Any] = []

    async def script(table: Any) -> None:
        table.driver._workshop.compiler = Compiler(DiskCache(tmp_path / "cache"))
        # The second rules take the place of the first before those are done.
        for name in ("first.gdl", "second.gdl"):
            (tmp_path / name).write_text(ENDLESS, "utf-8")
            assert await table.say(f"set_rule {tmp_path / name}") == "= Done"
            async with asyncio.timeout(60):
                while table.driver.machine != "compiling":
                    table.changed.clear()
                    await table.changed.wait()
            kept.append(table.driver._workshop.compilation)

    play(script)
    assert [compilation.wait(60) for compilation in kept] == [True, True]
    assert [outcome(compilation) for compilation in kept] == [STOPPED, STOPPED]
