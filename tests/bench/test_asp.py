"""`ggtp bench asp`: the paper's games and figures, and any folder of games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.puzzles import RULES, SHORT_OF_TIME, SWITCHES

from ggtp.bench.asp import PAPER, Row, data, table


def test_every_game_of_the_paper_is_here() -> None:
    assert [name for name in PAPER if not (RULES / f"{name}.gdl").is_file()] == []
    assert len(PAPER) == 11


@pytest.mark.process
def test_a_game_as_json(run: Any) -> None:
    found = json.loads(run("bench", "asp", "gdl/buttons", "--json", "--method", "steps").out)
    (game,) = found["games"]
    assert (game["game"], game["paper"], game["goal"], game["steps"]) == ("gdl/buttons", 0.0, 100, 8)
    assert 0 < game["search"] <= game["ours"]
    assert game["total"] > 0
    assert game["found_by"] == "step by step"
    assert (found["solved"], found["of"]) == (1, 1)


@pytest.mark.process
def test_a_folder(run: Any, tmp_path: Path) -> None:
    (tmp_path / "lamps.kif").write_text(SWITCHES)
    (tmp_path / "late.kif").write_text(SHORT_OF_TIME)
    (tmp_path / "two.kif").write_text("(role a) (role b)")
    (tmp_path / "broken.kif").write_text("(role")
    ran = run("bench", "asp", "--corpus", str(tmp_path), "--method", "steps")
    assert ran.status == 0
    assert [line.split()[0] for line in ran.out.splitlines()] == ["game", "lamps", "late", "1"]


def test_no_folder_and_no_games(run: Any, tmp_path: Path) -> None:
    assert "There is no folder" in run("bench", "asp", "--corpus", str(tmp_path / "none")).err
    assert "no one-player game" in run("bench", "asp", "--corpus", str(tmp_path)).err


def test_what_was_not_solved_has_no_seconds() -> None:
    rows = [
        Row("one", 10.0, 2.0, 1.5, 3.0, "all at once", 100, 7, "valid"),
        Row("two", None, None, None, 60.0, "", None, None, "unknown"),
        Row("three", None, None, None, 1.0, "", None, None, "impossible"),
        Row("four", None, 1.0, 1.0, 1.0, "step by step", 90, 3, "valid"),
    ]
    assert [data(rows)[key] for key in ("solved", "of")] == [1, 2]
    cells = ["one", "10.00", "2.000", "5.0", "1.500", "3.00", "100", "7", "valid", "all", "at", "once"]
    assert table(rows)[1].split() == cells
    assert table(rows)[2].split() == ["two", "-", "-", "60.00", "unknown"]
