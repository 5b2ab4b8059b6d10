"""`ggtp solve`: plans for people and programs, proofs, play files, and clear words where there is nothing to solve."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.puzzles import ENDLESS, SHORT_OF_TIME, SWITCHES, outcome

from ggtp.ui.solve_command import Solution


@pytest.fixture
def sheet(tmp_path: Path) -> Any:
    def write(text: str) -> str:
        (tmp_path / "lamps.kif").write_text(text)
        return str(tmp_path / "lamps.kif")

    return write


def test_a_plan_for_people(run: Any, sheet: Any) -> None:
    ran = run("solve", sheet(SWITCHES), "--shortest")
    assert ran.status == 0
    first, *moves = ran.out.splitlines()
    assert first.startswith("lamps: 100 points in 3 moves, optimal length, ")
    assert sorted(line.split("  ")[1] for line in moves) == ["switch a", "switch b", "switch c"]


def test_a_plan_for_programs(run: Any, sheet: Any) -> None:
    found = json.loads(run("solve", sheet(SWITCHES), "--json", "--method", "steps").out)
    assert sorted(found) == ["goal", "plan", "proof", "seconds", "steps"]
    assert (found["goal"], found["steps"], found["proof"]) == (100, 3, "optimal length")
    assert outcome(SWITCHES, tuple(f"({move})" for move in found["plan"])) == 100


def test_by_text(run: Any, sheet: Any) -> None:
    found = json.loads(run("solve", sheet(SWITCHES), "--json", "--text", "--method", "steps").out)
    assert (found["goal"], found["proof"]) == (100, "optimal length")


def test_less_than_the_most_can_be_enough(run: Any, sheet: Any) -> None:
    found = json.loads(run("solve", sheet(SHORT_OF_TIME), "--json", "--method", "steps").out)
    assert (found["goal"], found["steps"], found["proof"]) == (40, 2, "optimal length")
    found = json.loads(run("solve", sheet(SWITCHES), "--json", "--goal", "40", "--method", "steps").out)
    assert found["goal"] >= 40


def test_the_plan_as_a_play_file(run: Any, sheet: Any, tmp_path: Path) -> None:
    target = tmp_path / "plan.ggtp"
    assert run("solve", sheet(SWITCHES), "-o", str(target)).status == 0
    ran = run(stdin=f"load_file {target}\nget_result\n")
    assert ran.out.splitlines()[-1] == "= r=win 100"


def test_where_nothing_is_found_it_says_what_is_known(run: Any, sheet: Any) -> None:
    ran = run("solve", sheet(ENDLESS), "--time", "3", "--text", "--method", "steps")
    assert ran.status == 1
    assert "no plan found in " in ran.out
    assert "; unsolvable within " in ran.out


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("gdl/tictactoe", "gdl/tictactoe has 2 players, and only games of one can be solved."),
        ("TicTacToe", "TicTacToe is not written in GDL, and only such rules can be solved."),
        ("gdl/nothing", "No rule named gdl/nothing"),
    ],
)
def test_what_cannot_be_solved(run: Any, rule: str, words: str) -> None:
    ran = run("solve", rule)
    assert ran.status == 1
    assert words in ran.err


def test_a_python_rule_with_a_twin_is_told_of_it(run: Any) -> None:
    assert "Try gdl/pegsolitaire." in run("solve", "PegSolitaire").err


def test_without_a_plan_there_are_no_figures() -> None:
    assert Solution(None, (), "unknown", 1.0).data() == {
        "goal": None,
        "steps": None,
        "plan": [],
        "proof": "unknown",
        "seconds": 1.0,
    }
