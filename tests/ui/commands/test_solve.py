"""`ggtp solve`: plans for people and programs, proofs, play files, and clear words where there is nothing to solve."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.paths import ROOT
from support.puzzles import ENDLESS, SHORT_OF_TIME, SWITCHES, outcome

from ggtp.asp.findings import Finding, GaveUp, Impossible, Plan, Refuted, Rested, Trying
from ggtp.catalogue import Catalogue
from ggtp.catalogue.compile.compiler import Compiler
from ggtp.catalogue.solve.solver import Arm, Problem, Solving
from ggtp.ui.commands.solve import Solution, one_player, proof, solve, told


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


def test_where_nothing_is_found_it_says_so(run: Any, sheet: Any) -> None:
    ran = run("solve", sheet(ENDLESS), "--time", "2", "--text", "--method", "steps")
    assert ran.status == 1
    assert ran.out.startswith("lamps: no plan found in ")


def known(*findings: Finding) -> Solving:
    """A search that has found out this much, without any process."""
    solving = Solving(Problem(SWITCHES), [])
    for finding in findings:
        solving._note(Arm("steps"), finding)
    return solving


@pytest.mark.parametrize(
    ("findings", "words"),
    [
        ([], "unknown"),
        ([Refuted(100, 4), Refuted(100, 7)], "unsolvable within 7 steps"),
        ([Impossible(100), Impossible(40), Impossible(0)], "impossible"),
        ([Plan(40, ("a",), False)], "unknown"),
        ([Plan(100, ("a",), False)], "valid"),
        ([Refuted(100, 0), Plan(100, ("a",), False)], "optimal length"),
    ],
)
def test_what_is_proven(findings: list[Finding], words: str) -> None:
    assert proof(known(*findings), None) == words


@pytest.mark.parametrize(
    ("arm", "finding", "words"),
    [
        (Arm("steps"), Trying(100, 7, 12345), "step by step: 100 within 7 moves? 12,345 atoms"),
        (Arm("explore"), Trying(100, 7, 42, "states"), "among the states: 100 within 7 moves? 42 states"),
        (Arm("steps", by_text=True), Refuted(100, 7), "step by step, by the text: no 100 within 7 moves"),
        (Arm("once", "handy"), Refuted(100, 7), "all at once (handy): no 100 within 7 moves"),
        (Arm("once"), Impossible(90), "all at once: 90 can't be reached"),
        (Arm("once"), Plan(90, ("a", "b"), False), "all at once: a plan of 2 moves for 90"),
        (Arm("once"), GaveUp("out of memory"), "all at once: out of memory"),
        (Arm("once"), Rested(True), "all at once: done"),
    ],
)
def test_progress_in_words(arm: Arm, finding: Finding, words: str) -> None:
    assert told(arm, finding) == words


def test_progress_per_horizon(sheet: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0})  # with two processors two search, and either may win
    said: list[str] = []
    puzzle = one_player(Catalogue.from_environment({}), sheet(SWITCHES))
    found = solve(puzzle, compiler=Compiler(), methods=("steps",), by_text=True, say=said.append)
    assert found.proof == "optimal length"
    how = "step by step, by the text"
    assert [f"{how}: no 100 within {steps} moves" for steps in (0, 1, 2)] == [text for text in said if "no" in text]
    assert said[-1] == f"{how}: a plan of 3 moves for 100"


@pytest.mark.parametrize("more", [("--method", "steps"), ("--text",)])
def test_an_interrupted_search_leaves_nobody_behind(more: tuple[str, ...], sheet: Any, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "ggtp", "solve", sheet(ENDLESS), *more],
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)},
    )
    family = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    children: list[str] = []
    while not children and process.poll() is None:
        children = family.read_text().split()
    # A search that has begun takes time of the processor.
    while process.poll() is None and not any(_used(child) > 30 for child in children):
        children = family.read_text().split()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (3, "ggtp: interrupted\n")
    assert children
    assert not [child for child in children if Path(f"/proc/{child}").exists()]


def _used(process: str) -> int:
    """Hundredths of a second that a process has computed, about."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return int(fields[11]) + int(fields[12])


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("gdl/tictactoe", "gdl/tictactoe has 2 players, and only games of one can be solved."),
        ("TicTacToe", "TicTacToe has 2 players, and only games of one can be solved."),
        ("gdl/nothing", "No rule named gdl/nothing"),
    ],
)
def test_what_cannot_be_solved(run: Any, rule: str, words: str) -> None:
    ran = run("solve", rule)
    assert ran.status == 1
    assert words in ran.err


@pytest.mark.parametrize(
    ("rule", "option"),
    [
        ("PegSolitaire", "board=triangle"),
        ("Sudoku", "size=4"),
        ("RushHour", "level=1"),
        ("Sokoban", "level=1"),
    ],
)
def test_python_rules_by_their_twins(run: Any, rule: str, option: str, tmp_path: Path) -> None:
    target = tmp_path / "plan.ggtp"
    ran = run("solve", rule, "--option", option, "-o", str(target))
    assert ran.status == 0, ran.err
    assert ran.out.startswith(f"{rule}: 100 points in ")
    assert run(stdin=f"load_file {target}\nget_result\n").out.splitlines()[-1] == "= Solo=win 100"


def test_an_option_must_be_one(run: Any) -> None:
    assert "No option named colour." in run("solve", "Sudoku", "--option", "colour=red").err
    assert "colour is not of the form NAME=VALUE" in run("solve", "Sudoku", "--option", "colour").err


def test_without_a_plan_there_are_no_figures() -> None:
    assert Solution(None, (), "unknown", 1.0).data() == {
        "goal": None,
        "steps": None,
        "plan": [],
        "proof": "unknown",
        "seconds": 1.0,
    }
