"""`ggtp bench hybrid`: wins, scores and ranks of players over video games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("llvmlite", reason="the compiler is not installed")

from support.vgdl import text

from ggtp.bench.hybrid import Run, ranking, summary


@pytest.fixture(name="games")
def write_games(tmp_path: Path) -> list[str]:
    """Two small games, with one level each."""
    names = []
    for name, level in (("near", "wwwww\nwA.xw\nwwwww\n"), ("far", "wwwwwwww\nwA....xw\nwwwwwwww\n")):
        path = tmp_path / f"{name}.txt"
        path.write_text(
            text(
                "floor > Immovable\nexit > Door",
                "avatar wall > stepBack\nexit avatar > killSprite scoreChange=1",
                "SpriteCounter stype=exit win=True\nTimeout limit=8 win=False",
                ". > floor\nx > exit\n",
            )
        )
        (tmp_path / f"{name}_lvl0.txt").write_text(level)
        names.append(str(path))
    return names


def bench(run: Any, *args: str) -> Any:
    return run("bench", "hybrid", *args, "--levels", "1", "--advances", "60")


@pytest.mark.slow
def test_players_side_by_side(run: Any, games: list[str]) -> None:
    ran = bench(run, *games, "--json", "--runs", "--seeds", "2")
    assert ran.status == 0
    found = json.loads(ran.out)
    rows = {(row["game"], row["player"]): row for row in found["rows"]}
    assert rows["all", "Hybrid"]["wins"] == rows["all", "Hybrid"]["runs"] == 4
    assert rows["far", "Best-first"]["wins"] == 2
    assert rows["all", "Random"]["wins"] < 4
    assert rows["near", "Hybrid"]["low"] < 1 == rows["near", "Hybrid"]["high"]
    assert len(found["runs"]) == 16
    assert found["ranks"]["games"] == 2
    assert found["ranks"]["players"][-1] == "Random"


@pytest.mark.slow
def test_for_people(run: Any, games: list[str]) -> None:
    ran = bench(run, *games, "--players", "Hybrid,w/o BFS")
    assert "won     1/1 100 %" in ran.out
    assert "critical distance" in ran.out
    assert "not different: " in ran.out


def test_the_same_again(run: Any, games: list[str]) -> None:
    one, other = (bench(run, games[0], "--players", "MCTS,Random", "--runs", "--json").out for _ in range(2))
    assert one == other


def test_by_the_clock(run: Any, games: list[str]) -> None:
    ran = run("bench", "hybrid", games[0], "--levels", "1", "--advances", "0", "--players", "Hybrid", "--json")
    (row, total) = json.loads(ran.out)["rows"]
    assert row["runs"] == total["runs"] == 1  # whether it wins in 40 ms depends on who else is at work


@pytest.mark.parametrize(
    ("args", "error"),
    [(("vgdl/nothing",), "There is no video game vgdl/nothing."), (("--players", "Nobody"), "No player named Nobody.")],
)
def test_what_can_not_be(run: Any, args: tuple[str, ...], error: str) -> None:
    ran = run("bench", "hybrid", *args)
    assert ran.status == 1
    assert error in ran.err


def test_wins_count_before_points_and_points_before_ticks() -> None:
    def one(player: str, game: str, won: bool, score: int, ticks: int) -> Run:
        return Run(player, game, 0, 0, won, score, ticks, 0, 0)

    runs = [one("a", "g", True, 1, 9), one("b", "g", False, 99, 5), one("c", "g", True, 1, 7)]
    runs += [one("a", "h", True, 5, 9), one("b", "h", True, 4, 1), one("c", "h", True, 5, 8)]
    found = ranking(runs)
    assert found is not None
    assert found.players == ("c", "a", "b")
    assert found.ranks == (1.0, 2.0, 3.0)
    assert summary("a", "", runs)["wins"] == 2
