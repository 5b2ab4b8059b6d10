from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.vgdl import text

from ggtp.vgdl.world.traces import checksum

STATE = [("avatar", 0, 0), ("wall", 10, 0)]


@pytest.fixture
def words(tmp_path: Path) -> Any:
    """Writes a game, and traces of games with some scores; gives the words of the command."""
    (tmp_path / "g.txt").write_text(text())
    (tmp_path / "g_lvl0.txt").write_text("Aw\n")

    def write(*traces: tuple[str, int]) -> list[str]:
        lines: list[dict[str, Any]] = []
        for index, (game, score) in enumerate(traces):
            head = {"id": f"{game}{index}", "crc": checksum(STATE)}
            lines.append(head | {"k": "start", "game": game, "level": 0, "seed": 1, "state": STATE})
            lines.append(
                head | {"k": "t", "t": 0, "a": "NIL", "score": score, "win": -1, "rng": 0, "del": [], "add": []}
            )
        path = tmp_path / "traces.jsonl"
        path.write_text("\n".join(map(json.dumps, lines)))
        return ["check", "--vgdl-traces", str(path), "--games", str(tmp_path)]

    return write


def test_json(run: Any, words: Any) -> None:
    ran = run(*words(("g", 0), ("g", 7), ("h", 0)), "--json")
    assert ran.status == 1
    assert json.loads(ran.out) == {
        "passed": ["g0"],
        "failed": [{"game": "g", "trace": "g1", "why": "in tick 0: score 0, not 7"}],
        "skipped": [{"game": "h", "trace": "h2", "why": f"there is no game h in {words()[-1]}"}],
    }


def test_for_people(run: Any, words: Any) -> None:
    ran = run(*words(("g", 0), ("h", 0)))
    assert ran.status == 0
    assert ran.out.splitlines()[-1] == "1 passed, 0 failed, 1 skipped."
    assert ran.err.splitlines()[0].startswith("1 g0 passed")


def test_some_games_only(run: Any, words: Any) -> None:
    ran = run(*words(("g", 0), ("g", 7), ("h", 0)), "--only", "g0", "--json")
    assert json.loads(ran.out) == {"passed": ["g0"], "failed": [], "skipped": []}
    assert "1 failed" in run(*words(("g", 0), ("g", 7), ("h", 0)), "--only", "g").out
    assert "There are no such traces" in run(*words(("g", 0)), "--only", "h").err


def test_faults(run: Any, words: Any, tmp_path: Path) -> None:
    assert "no file" in run("check", "--vgdl-traces", "/nowhere", "--games", str(tmp_path)).err
    assert "--games FOLDER" in run("check", "--vgdl-traces", "/nowhere").err
    assert "no folder" in run("check", "--vgdl-traces", "/nowhere", "--games", "/nothing").err
    assert "There are no traces" in run(*words()).err
    assert "name no rule" in run("check", "Nim", "--vgdl-traces", "/nowhere").err
