"""`ggtp arcade`: keys become moves, a tick at a time, and the play is a play file that loads again."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from support.vgdl import text

from ggtp.errors import CommandError
from ggtp.ui.commands.arcade import HELP, Arcade, add_arguments, find_game, frame, new_record, play
from ggtp.ui.console.environment import Environment, ExitStatus

GAME = text(
    "g > Door\nf > Immovable\nr > RandomNPC",
    "g avatar > killSprite scoreChange=3\navatar r > killSprite\nr EOS > stepBack\navatar EOS > stepBack",
    "SpriteCounter stype=g win=True\nSpriteCounter stype=avatar",
    "g > g\n. > f\nr > r\n",
)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "walk.vgdl"
    path.write_text(GAME)
    (tmp_path / "walk_lvl0.txt").write_text("A.g........\n..........r\n")
    return path


def arcade(game: Path, use: Callable[[Arcade], Any], *words: str) -> tuple[ExitStatus, str]:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    out = StringIO()
    env = Environment(stdin=StringIO(), stdout=out, stderr=StringIO(), variables={"HOME": str(game.parent)})

    async def show(made: Arcade, delay: float, ascii_only: bool) -> None:
        await use(made)

    status = asyncio.run(play(env, parser.parse_args([str(game), *words]), show))
    return status, out.getvalue()


def test_keys_are_moves_of_the_next_tick(game: Path) -> None:
    async def use(made: Arcade) -> None:
        assert made.footer() == HELP
        made.press("right")
        made.press("left")
        await made.tick()
        assert made.picture().plain()[0].startswith("@ . g")
        made.press("right")
        await made.tick()
        assert made.picture().plain()[0].startswith(". @ g")
        await made.tick()
        assert made.picture().plain()[0].startswith(". @ g")
        made.press("space")  # this avatar can't use anything
        await made.tick()
        made.press("right")
        await made.tick()
        assert made.over
        before = made.picture()
        await made.tick()
        assert made.picture() == before

    status, out = arcade(game, use, "--seed", "5")
    assert status is ExitStatus.DONE
    assert out.splitlines()[0] == "won in 5 ticks, score 3"


def test_pausing_and_leaving(game: Path) -> None:
    async def use(made: Arcade) -> None:
        made.press("p")
        made.press("right")
        await made.tick()
        assert made.picture().plain()[0].startswith("@ .")
        assert made.footer() == "paused: p goes on"
        made.press("p")
        made.press("q")
        assert made.left

    status, out = arcade(game, use)
    assert status is ExitStatus.DONE
    assert out.splitlines()[0] == "left the game"


def test_the_frame_is_in_colour(game: Path) -> None:
    async def use(made: Arcade) -> None:
        assert "\x1b[" in frame(made, ascii_only=False)
        assert HELP in frame(made, ascii_only=True)
        assert "g g, r r" in frame(made, ascii_only=True)
        assert "walk" in frame(made, ascii_only=True).splitlines()[0]

    arcade(game, use)


def test_the_play_is_a_file_that_replays_exactly(game: Path, run: Any, tmp_path: Path) -> None:
    record = tmp_path / "walk.ggtp"
    seen: list[list[str]] = []

    async def use(made: Arcade) -> None:
        for key in ("down", "up", "right", "right"):
            made.press(key)
            await made.tick()
        seen.append(made.picture().plain())

    arcade(game, use, "--record", str(record))
    script = tmp_path / "again.ggtp"
    script.write_text(f"load_file {record}\nshow_table\nget_result\n")
    ran = run("--batch", str(script))
    assert ran.status == 0
    lines = [line.removeprefix("-> ").rstrip() for line in ran.out.splitlines()]
    for line in seen[0]:
        assert line.rstrip() in lines
    assert "Avatar=win" in ran.out.replace(" ", "").casefold() or "won" in ran.out


@pytest.mark.process
def test_an_engine_can_be_watched(game: Path) -> None:
    async def use(made: Arcade) -> None:
        made.press("right")  # nobody asks us
        await made.tick()
        assert made.over or "Random plays" in frame(made, ascii_only=True)
        await made.ended()
        assert made.over

    record, short = game.parent / "watched.ggtp", game.with_name("short.vgdl")
    short.write_text(text("f > Immovable", "", "Timeout limit=15 win=True", ". > f\n"))
    short.with_name("short_lvl0.txt").write_text("A..\n")
    status, out = arcade(short, use, "--engine", "Random", "--delay", "10", "--record", str(record))
    assert status is ExitStatus.DONE
    assert out.startswith("won in 16 ticks")
    assert "set_engine Avatar Random" in record.read_text()
    with pytest.raises(CommandError, match="Nobody"):
        arcade(game, use, "--engine", "Nobody")


def test_every_play_is_recorded_in_a_file_of_its_own(game: Path) -> None:
    async def use(made: Arcade) -> None:
        made.press("right")
        await made.tick()

    folder = game.parent / ".local" / "state" / "ggtp" / "arcade"
    for number in (1, 2):
        _, out = arcade(game, use)
        path = folder / f"walk-{number}.ggtp"
        assert out.splitlines()[1].startswith(f"recorded in {path},")
        assert "play Avatar right" in path.read_text()
    assert sorted(path.name for path in folder.iterdir()) == ["walk-1.ggtp", "walk-2.ggtp"]


def test_where_nothing_can_be_written_it_is_played_all_the_same(game: Path) -> None:
    async def use(made: Arcade) -> None:
        made.press("right")
        await made.tick()

    (game.parent / ".local").write_text("no folder")
    assert arcade(game, use) == (ExitStatus.DONE, "left the game\n")
    with pytest.raises(CommandError):
        arcade(game, use, "--record", str(game.parent / ".local" / "walk.ggtp"))


def test_the_last_of_too_many_records_is_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ggtp.ui.commands.arcade.MOST_RECORDS", 2)
    assert new_record(tmp_path, "walk") == str(tmp_path / "walk-1.ggtp")
    (tmp_path / "walk-1.ggtp").touch()
    (tmp_path / "walk-2.ggtp").touch()
    assert new_record(tmp_path, "walk") == str(tmp_path / "walk-2.ggtp")


def test_what_can_not_be_played(game: Path, run: Any) -> None:
    async def use(made: Arcade) -> None:
        pytest.fail("nothing to play")

    with pytest.raises(CommandError, match="There is no video game nothing"):
        arcade(game.with_name("nothing"), use)
    with pytest.raises(CommandError, match="No level 9"):
        arcade(game, use, "--level", "9")
    assert "at a terminal" in run("arcade", "stevedore").err
    assert find_game(Environment(variables={}), "stevedore") == "vgdl/stevedore"
