"""Plans for one-player games: what is proven about them, and progress in words."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from support.puzzles import SWITCHES

from ggtp.asp.findings import Finding, GaveUp, Impossible, Plan, Refuted, Rested, Trying
from ggtp.catalogue import Catalogue
from ggtp.catalogue.compile.compiler import Compiler
from ggtp.catalogue.solve.puzzle import Search, Solution, one_player, proof, solve, told
from ggtp.catalogue.solve.solver import Arm, Problem, Solving


@pytest.fixture
def sheet(tmp_path: Path) -> Any:
    def write(text: str) -> str:
        (tmp_path / "lamps.kif").write_text(text)
        return str(tmp_path / "lamps.kif")

    return write


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


@pytest.mark.process
def test_progress_per_horizon(sheet: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0})  # with two processors two search, and either may win
    said: list[str] = []
    puzzle = one_player(Catalogue.from_environment({}), sheet(SWITCHES))
    found = solve(puzzle, Search(methods=("steps",), by_text=True), Compiler(), said.append)
    assert found.proof == "optimal length"
    how = "step by step, by the text"
    assert [f"{how}: no 100 within {steps} moves" for steps in (0, 1, 2)] == [text for text in said if "no" in text]
    assert said[-1] == f"{how}: a plan of 3 moves for 100"


def test_without_a_plan_there_are_no_figures() -> None:
    assert Solution(None, (), "unknown", 1.0).data() == {
        "goal": None,
        "steps": None,
        "plan": [],
        "proof": "unknown",
        "seconds": 1.0,
    }
