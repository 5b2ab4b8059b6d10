"""Searches side by side, in real processes."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.puzzles import ENDLESS, SHORT_OF_TIME, SWITCHES, built, outcome

from ggtp.asp.findings import Finding, Impossible, Plan, Refuted
from ggtp.catalogue import solver as module
from ggtp.catalogue.cache import DiskCache
from ggtp.catalogue.child import End, Ended
from ggtp.catalogue.solver import Arm, Problem, Solving, arms, kept_code
from ggtp.gdl.compiled import CompiledGame
from ggtp.gdl.program_wire import VERSION as PROGRAM_VERSION

LONG = 120.0


def problem(name: str, **more: object) -> Problem:
    return Problem(name, built(name), **more)  # type: ignore[arg-type]


def test_the_first_answer_wins() -> None:
    solving = Solving(problem(SWITCHES), arms(2))
    assert solving.wait(LONG)
    assert solving.best is not None
    assert outcome(SWITCHES, solving.best.moves) == 100
    assert solving.optimal


def test_a_shortest_plan_is_waited_for() -> None:
    solving = Solving(problem("buttons", shortest=True), arms(2))
    assert solving.wait(LONG)
    assert solving.best is not None
    assert (len(solving.best.moves), solving.best.shortest) == (8, True)


def test_a_goal_that_is_out_of_reach() -> None:
    heard: list[Finding] = []
    solving = Solving(problem(SHORT_OF_TIME), arms(1), on_finding=lambda arm, finding: heard.append(finding))
    assert solving.wait(LONG)
    assert Impossible(100) in heard
    assert solving.best is not None
    assert (solving.best.goal, solving.optimal, solving.impossible) == (40, True, {100})


def test_it_can_be_stopped_and_keeps_what_it_has() -> None:
    solving = Solving(Problem(ENDLESS), [Arm("steps", by_text=True)])
    assert not solving.ended
    solving.stop()
    assert solving.wait(0)
    assert solving.best is None
    assert not solving.optimal


def test_arms_differ() -> None:
    assert arms(1) == arms(2) == [Arm("explore"), Arm("steps"), Arm("once")]
    assert len(set(arms(5))) == 5
    assert {arm.method for arm in arms(4, methods=("once",))} == {"once"}
    assert all(arm.by_text for arm in arms(4, by_text=True))


def test_without_a_network_no_states_are_explored() -> None:
    assert {arm.method for arm in arms(4, by_text=True)} == {"steps", "once"}
    assert arms(1, by_text=True, methods=("explore",)) == [Arm("steps", None, True), Arm("once", None, True)]


def test_states_are_explored_with_the_code_that_is_kept(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path / "kept")
    game = CompiledGame(built(SWITCHES), cache, "switches")
    told = problem(SWITCHES, code=kept_code(game))
    for _ in range(2):
        solving = Solving(told, arms(1, methods=("explore",)))
        assert solving.wait(LONG)
        assert solving.best is not None
        assert (solving.best.goal, solving.best.shortest, len(solving.best.moves)) == (100, True, 3)
        assert cache.get(f"state {PROGRAM_VERSION} switches") is not None


def test_code_is_kept_where_there_is_a_cache() -> None:
    assert kept_code(CompiledGame(built(SWITCHES))) is None


class Told(Solving):
    """Findings from the test instead of processes."""

    def __init__(self, wanted: Problem) -> None:
        super().__init__(wanted, [])

    def hear(self, *findings: Finding) -> None:
        for finding in findings:
            self._note(Arm("steps"), finding)


def test_better_and_shorter_plans_take_the_place_of_others() -> None:
    told = Told(problem(SWITCHES, shortest=True))
    told.hear(Plan(40, ("a",), False), Plan(100, ("a", "b", "c", "c"), False), Plan(40, ("b",), True))
    assert told.best == Plan(100, ("a", "b", "c", "c"), False)
    told.hear(Plan(100, ("a", "b", "c"), False))
    assert told.best == Plan(100, ("a", "b", "c"), False)
    assert not told.ended


def test_what_one_arm_proves_the_other_profits_from() -> None:
    told = Told(problem(SWITCHES, shortest=True))
    told.hear(Refuted(100, 2), Plan(100, ("a", "b", "c"), False))
    assert told.best == Plan(100, ("a", "b", "c"), True)
    assert told.ended


@pytest.mark.parametrize("words", ["", "MemoryError\nstd::bad_alloc"])
def test_a_process_that_dies_is_told_of(monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    monkeypatch.setattr(module, "run_child", lambda *args, **more: Ended(End.BY_ITSELF, -6, None, words, 1.0))
    solving = Solving(problem(SWITCHES), arms(2))
    assert solving.wait(LONG)
    assert solving.reasons == [words.splitlines()[-1] if words else "its process ended with status -6"] * 3
