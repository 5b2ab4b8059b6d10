"""A tournament beside the table, by the supervisor's commands."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from support.runs import engine, results

from ggtp.arena.calibration import jitter_of

PLAN = """
blocks = {blocks}
[[player]]
name = "A"
engine = "{good}"
[[player]]
name = "B"
engine = "{bad}"
[[rule]]
rule = "TicTacToe"
"""


def write_plan(folder: Path, blocks: int, *faults: str) -> Path:
    path = folder / "evening.toml"
    path.write_text(PLAN.format(blocks=blocks, good=engine(folder, "good"), bad=engine(folder, "bad", *faults)))
    return path


@pytest.mark.process
def test_from_its_start_to_its_end(play: Any, tmp_path: Path) -> None:
    path = write_plan(tmp_path, 2)

    async def script(table: Any) -> None:
        assert await table.say(f"start_tournament {path}") == "= Done"
        assert (await table.say("start_tournament x")).startswith("? A tournament runs already")
        assert await table.say("set_rule TicTacToe") == "= Done"
        await table.screen.until("-> Tournament evening: ended, 4 of 4 games")
        assert await table.say("show_tournament") == "= evening: ended, 4 of 4 games"
        assert (await table.say("pause_tournament")).startswith("? The tournament does not run")
        assert await table.say("get_rule") == "= TicTacToe"

    lines = play(script)
    assert any(line.startswith("-> player ") for line in lines)
    assert any("4 games count, 2 blocks are complete" in line for line in lines)
    assert results(tmp_path / "evening.journal").ended


@pytest.mark.process
def test_a_limit_that_is_not_sound_is_warned_of(play: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ggtp.arena.beside_prompt.measure_jitter", lambda: jitter_of([2.0]))
    path = write_plan(tmp_path, 1)
    path.write_text(f"{path.read_text()}[time]\nmove = 19000\n")

    async def script(table: Any) -> None:
        assert await table.say(f"start_tournament {path}") == "= Done"
        await table.screen.until("-> Tournament evening: ended, 2 of 2 games")

    assert any(line.startswith("-> Tournament: A limit of 19000 ms is not sound") for line in play(script))
    assert [event.kind for event in results(tmp_path / "evening.journal").happened] == ["note", "end"]


@pytest.mark.process
def test_pausing_stopping_and_going_on(play: Any, tmp_path: Path) -> None:
    path = write_plan(tmp_path, 500)
    journal = tmp_path / "evening.journal"

    async def script(table: Any) -> None:
        await table.say(f"start_tournament {path}")
        assert await table.say("pause_tournament") == "= Done"
        assert (await table.say("pause_tournament")).startswith("? It is paused")
        assert "paused" in await table.say("show_tournament")
        assert await table.say("resume_tournament") == "= Done"
        assert (await table.say("resume_tournament")).startswith("? It is not paused")
        assert await table.say("stop_tournament") == "= Done"
        assert "stopped" in await table.say("show_tournament")
        assert await table.say(f"start_tournament {journal}") == "= Done"

    lines = play(script)  # and leaving stops it again
    assert f"-> To go on: start_tournament {journal}" in lines
    assert any(line.startswith("-> Tournament evening: stopped, ") for line in lines)
    found = results(journal)
    assert not found.ended
    assert [event.kind for event in found.happened][-3:] == ["pause", "resume", "pause"]


def test_what_is_not_there(play: Any, tmp_path: Path) -> None:
    async def script(table: Any) -> None:
        for name in ("show", "pause", "resume", "stop"):
            assert await table.say(f"{name}_tournament") == "? There is no tournament. Use start_tournament."
        assert "No such file" in await table.say(f"start_tournament {tmp_path / 'none.toml'}")
        (tmp_path / "bad.toml").write_text("format = 3")
        assert "must be a text" in await table.say(f"start_tournament {tmp_path / 'bad.toml'}")

    play(script)


def test_a_plan_whose_start_position_is_long_can_be_given_up(play: Any, tmp_path: Path) -> None:
    """The thread that reads it ends soon, and no tournament begins afterwards."""
    (tmp_path / "long.ggtp").write_text("set_rule TicTacToe\nstart\n" + "play Cross B2\nundo\n" * 400_000)
    path = write_plan(tmp_path, 2)
    path.write_text(f"{path.read_text()}start = ['long.ggtp']\n")

    def readers() -> list[str]:
        return [thread.name for thread in threading.enumerate() if thread.name.startswith("work: _open")]

    async def script(table: Any) -> None:
        command = asyncio.ensure_future(table.driver.command(f"start_tournament {path}"))
        while not readers():  # noqa: ASYNC110  # a thread does not say when it begins
            await asyncio.sleep(0)
        table.driver.interrupt()
        assert await command == "? Interrupted."
        async with asyncio.timeout(60):
            while readers():  # noqa: ASYNC110  # nor when it has ended
                await asyncio.sleep(0.01)
        assert (await table.say("show_tournament")).startswith("? There is no tournament")

    play(script)
    assert not (tmp_path / "evening.journal").exists()
