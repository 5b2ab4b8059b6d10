"""`ggtp bench vgdl`: figures for bundled games and for texts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.vgdl import text

pytest.importorskip("llvmlite", reason="the compiler is not installed")


def test_a_bundled_game_and_a_text(run: Any, tmp_path: Path) -> None:
    game = tmp_path / "plain.txt"
    game.write_text(text(ends="Timeout limit=30"))
    (tmp_path / "plain_lvl0.txt").write_text("A  \n")
    ran = run("bench", "vgdl", "vgdl/stevedore", str(game), "--seconds", "0.01", "--json")
    assert ran.status == 0
    found = json.loads(ran.out)
    assert found["depth"] == 10
    assert [row["game"] for row in found["games"]] == ["stevedore", "plain"]
    assert all(row["advances_per_second"] > 1000 and row["copies_per_second"] > 100 for row in found["games"])


def test_for_people(run: Any) -> None:
    ran = run("bench", "vgdl", "vgdl/keyring", "--seconds", "0.01", "--level", "2")
    assert "advances/s" in ran.out


@pytest.mark.parametrize("name", ["vgdl/nothing", "Nim", "/nowhere.txt"])
def test_what_is_no_video_game(run: Any, name: str) -> None:
    ran = run("bench", "vgdl", name)
    assert ran.status == 1
    assert f"There is no video game {name}." in ran.err
