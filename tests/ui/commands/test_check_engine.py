"""`ggtp check-engine` as it is used."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.runs import engine


@pytest.mark.process
def test_a_verdict_for_people(run: Any, tmp_path: Path) -> None:
    ran = run("check-engine", engine(tmp_path, "good"), "--games", "1")
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "good as Cross in TicTacToe"
    assert lines[1].startswith("ok       start          connected within ")
    assert lines[-1] == "No check failed (2 warnings, 1 skipped)."


@pytest.mark.process
def test_a_verdict_for_programs(run: Any, tmp_path: Path) -> None:
    words = ["check-engine", engine(tmp_path, "bad", "--fault", "illegal"), "--rule", "tictactoe", "--player", "circle"]
    ran = run(*words, "--json")
    assert ran.status == 1
    (line,) = ran.out.splitlines()
    data = json.loads(line)
    assert (data["engine"], data["rule"], data["player"], data["conforms"]) == ("bad", "TicTacToe", "Circle", False)
    (moves,) = [check for check in data["checks"] if check["name"] == "moves"]
    assert moves["grade"] == "failed"
    assert moves["details"][0].startswith("select_move ")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("Rnadom",), "No engine named Rnadom. Did you mean Random?"),
        (("Random", "--rule", "Nimm"), "Did you mean Nim?"),
        (("Random", "--rule", "TicTacToe", "--player", "Cros"), "TicTacToe has no player of that name. Did you mean"),
        (("Random", "--rule", "Nim", "--rule-option", "misere=x"), "No value x for option misere"),
    ],
)
def test_what_is_not_found(run: Any, words: tuple[str, ...], sentence: str) -> None:
    ran = run("check-engine", *words)
    assert (ran.status, ran.out) == (1, "")
    assert sentence in ran.err
