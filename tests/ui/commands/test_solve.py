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
from support.puzzles import ENDLESS, LIGHTS_OUT, SHORT_OF_TIME, SWITCHES, outcome


@pytest.fixture
def sheet(tmp_path: Path) -> Any:
    def write(text: str) -> str:
        (tmp_path / "lamps.kif").write_text(text)
        return str(tmp_path / "lamps.kif")

    return write


@pytest.mark.process
def test_a_plan_for_people(run: Any, sheet: Any) -> None:
    ran = run("solve", sheet(SWITCHES), "--shortest")
    assert ran.status == 0
    first, *moves = ran.out.splitlines()
    assert first.startswith("lamps: 100 points in 3 moves, optimal length, ")
    assert sorted(line.split("  ")[1] for line in moves) == ["switch a", "switch b", "switch c"]


@pytest.mark.process
def test_a_plan_for_programs(run: Any, sheet: Any) -> None:
    found = json.loads(run("solve", sheet(SWITCHES), "--json", "--method", "steps").out)
    assert sorted(found) == ["goal", "plan", "proof", "seconds", "steps"]
    assert (found["goal"], found["steps"], found["proof"]) == (100, 3, "optimal length")
    assert outcome(SWITCHES, tuple(f"({move})" for move in found["plan"])) == 100


@pytest.mark.process
def test_by_text(run: Any, sheet: Any) -> None:
    found = json.loads(run("solve", sheet(SWITCHES), "--json", "--text", "--method", "steps").out)
    assert (found["goal"], found["proof"]) == (100, "optimal length")


@pytest.mark.process
def test_less_than_the_most_can_be_enough(run: Any, sheet: Any) -> None:
    found = json.loads(run("solve", sheet(SHORT_OF_TIME), "--json", "--method", "steps").out)
    assert (found["goal"], found["steps"], found["proof"]) == (40, 2, "optimal length")
    found = json.loads(run("solve", sheet(SWITCHES), "--json", "--goal", "40", "--method", "steps").out)
    assert found["goal"] >= 40


@pytest.mark.process
def test_the_plan_as_a_play_file(run: Any, sheet: Any, tmp_path: Path) -> None:
    target = tmp_path / "plan.ggtp"
    assert run("solve", sheet(SWITCHES), "-o", str(target)).status == 0
    ran = run(stdin=f"load_file {target}\nget_result\n")
    assert ran.out.splitlines()[-1] == "= r=win 100"


@pytest.mark.process
def test_where_nothing_is_found_it_says_so(run: Any, sheet: Any) -> None:
    ran = run("solve", sheet(ENDLESS), "--time", "2", "--text", "--method", "steps")
    assert ran.status == 1
    assert ran.out.startswith("lamps: no plan found in ")


@pytest.mark.process
@pytest.mark.parametrize("more", [("--method", "steps"), ("--text",)])
def test_an_interrupted_search_leaves_nobody_behind(more: tuple[str, ...], sheet: Any, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "ggtp", "solve", sheet(LIGHTS_OUT), "--time", "1000", *more],
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


@pytest.mark.process
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
