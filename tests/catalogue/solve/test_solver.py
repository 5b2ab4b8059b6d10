"""Searches side by side, in real processes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.puzzles import ENDLESS, SHORT_OF_TIME, SWITCHES, built, outcome

from ggtp.asp.findings import Finding, GaveUp, Impossible, Plan, Refuted
from ggtp.catalogue.compile.cache import DiskCache
from ggtp.catalogue.solve import solver as module
from ggtp.catalogue.solve.solver import Arm, Problem, Solving, arms, first_arms, kept_code
from ggtp.gdl.ground.wire import encode_built
from ggtp.gdl.program.wire import VERSION as PROGRAM_VERSION
from ggtp.processes.child import End, Ended

LONG = 120.0


def problem(name: str, **more: Any) -> Problem:
    return Problem(name, encode_built(built(name)), **more)


@pytest.mark.process
def test_the_first_answer_wins() -> None:
    solving = Solving(problem(SWITCHES), arms(2))
    assert solving.wait(LONG)
    assert solving.best is not None
    assert outcome(SWITCHES, solving.best.moves) == 100
    assert solving.optimal


@pytest.mark.process
def test_a_shortest_plan_is_waited_for() -> None:
    solving = Solving(problem("buttons", shortest=True), arms(2))
    assert solving.wait(LONG)
    assert solving.best is not None
    assert (len(solving.best.moves), solving.best.shortest) == (8, True)


@pytest.mark.process
def test_a_goal_that_is_out_of_reach() -> None:
    heard: list[Finding] = []
    solving = Solving(problem(SHORT_OF_TIME), arms(1), on_finding=lambda arm, finding: heard.append(finding))
    assert solving.wait(LONG)
    assert Impossible(100) in heard
    assert solving.best is not None
    assert (solving.best.goal, solving.optimal, solving.impossible) == (40, True, {100})


@pytest.mark.process
def test_it_can_be_stopped_and_keeps_what_it_has() -> None:
    solving = Solving(Problem(ENDLESS), [Arm("steps", by_text=True)])
    assert not solving.ended
    solving.stop()
    assert solving.wait(0)
    assert solving.best is None
    assert not solving.optimal


def test_arms_differ() -> None:
    assert arms(1) == arms(2) == [Arm("explore"), Arm("steps", sweeps=True), Arm("once")]
    assert arms(1, methods=("steps", "once")) == [Arm("steps"), Arm("once")]
    assert len(set(arms(5))) == 5
    assert {arm.method for arm in arms(4, methods=("once",))} == {"once"}
    assert all(arm.by_text for arm in arms(4, by_text=True))


def test_without_a_network_no_states_are_explored() -> None:
    assert {arm.method for arm in arms(4, by_text=True)} == {"steps", "once"}
    assert arms(1, by_text=True, methods=("explore",)) == [Arm("steps", None, True), Arm("once", None, True)]


@pytest.mark.process
def test_states_are_explored_with_the_code_that_is_kept(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path / "kept")
    told = problem(SWITCHES, code=kept_code(cache, "switches"))
    for _ in range(2):
        solving = Solving(told, arms(1, methods=("explore",)))
        assert solving.wait(LONG)
        assert solving.best is not None
        assert (solving.best.goal, solving.best.shortest, len(solving.best.moves)) == (100, True, 3)
        assert cache.get(f"state {PROGRAM_VERSION} switches") is not None


def test_code_is_kept_where_there_is_a_cache(tmp_path: Path) -> None:
    assert kept_code(None, "switches") is None
    assert kept_code(DiskCache(tmp_path), "") is None
    assert kept_code(DiskCache(tmp_path), "switches") == (str(tmp_path), "switches")


class Told(Solving):
    """Findings from the test instead of processes."""

    def __init__(self, wanted: Problem, **more: Any) -> None:
        super().__init__(wanted, [], **more)

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


class Dying:
    """A child that ends at once, with these last words."""

    words = ""

    def __init__(self, *args: object, **more: Any) -> None: ...

    def listen(self, **more: Any) -> Ended:
        return Ended(End.BY_ITSELF, -6, None, self.words, 1.0)


@pytest.mark.parametrize("words", ["", "MemoryError\nstd::bad_alloc"])
def test_a_process_that_dies_is_told_of(monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    monkeypatch.setattr(Dying, "words", words)
    monkeypatch.setattr(module, "Child", Dying)
    solving = Solving(problem(SWITCHES), arms(2))
    assert solving.wait(LONG)
    assert solving.reasons == [words.splitlines()[-1] if words else "its process ended with status -6"] * 3


@pytest.mark.parametrize("stays", [False, True])
def test_a_process_that_cannot_be_started_is_told_of(monkeypatch: pytest.MonkeyPatch, stays: bool) -> None:
    def refuse(*args: object, **more: Any) -> None:
        raise OSError("too many")

    monkeypatch.setattr(module, "Child", refuse)
    for copies in (True, False):
        monkeypatch.setattr(module, "alone", lambda: copies)  # noqa: B023
        solving = Solving(problem(SWITCHES), [Arm("steps")], stays=stays)
        assert solving.wait(LONG)
        assert solving.reasons == ["its process can't be started: too many"]


@pytest.mark.process
def test_a_search_without_a_network_begins_at_once() -> None:
    assert first_arms() == [Arm("once", by_text=True), Arm("steps", builds=True, sweeps=True)]
    assert first_arms(("steps",)) == [Arm("steps", builds=True)]
    assert first_arms(("explore",)) == []
    for arm in first_arms():
        solving = Solving(Problem(SWITCHES), [arm], more=True)
        assert solving.wait(LONG)
        assert solving.best is not None
        assert solving.found_by == arm
        assert outcome(SWITCHES, solving.best.moves) == 100


@pytest.mark.process
def test_it_waits_for_those_who_join() -> None:
    """Nobody is left after the first, but there are more to come."""
    told = Told(Problem(SWITCHES), more=True)
    told.hear(GaveUp("no"))
    assert not told.ended
    told.join(problem(SWITCHES), [Arm("steps")])
    assert told.wait(LONG)
    assert told.best is not None
    assert told.found_by == Arm("steps")


def test_nobody_joins_and_nobody_is_left() -> None:
    told = Told(Problem(SWITCHES), more=True)
    told.join(Problem(SWITCHES), [])
    assert told.ended


def test_who_joins_takes_the_place_of_the_text_and_leaves_alone_who_has_a_network(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[tuple[str, int]] = []
    seeds: dict[str, int] = {}

    class Waiting(Dying):
        def __init__(self, name: str, request: dict[str, Any], **more: Any) -> None:
            what = "text" if "text" in request and not request["build"] else "network"
            started.append((f"{request['method']} by {what}", request["megabytes"]))
            seeds[request["method"]] = request["seed"]

        def listen(self, *, should_stop: Callable[[], bool], **more: Any) -> Ended:  # type: ignore[override]
            while not should_stop():
                time.sleep(0)
            return Ended(End.STOPPED, -9, None, "", 1.0)

    monkeypatch.setattr(module, "Child", Waiting)
    monkeypatch.setattr(module, "alone", lambda: True)
    solving = Solving(Problem(SWITCHES), first_arms(), megabytes=1024, seed=7, more=True)
    assert started == [("once by text", 256), ("steps by network", 256)]
    solving.join(problem(SWITCHES), arms(1))
    # What the compiler and the search by the text had, the new ones have.
    assert started[2:] == [("explore by network", 384), ("once by network", 384)]
    assert [member.dismissed for member in solving._members] == [True, False, False, False]
    # Guesses are those of a search that has its network from the beginning.
    assert seeds == {"explore": 7, "steps": 8, "once": 9}
    solving.close(LONG)
    assert all(member.gone for member in solving._members)


@pytest.mark.process
@pytest.mark.parametrize("late", [False, True])
def test_who_finds_its_own_network_too_large_is_replaced_by_one_that_has_another(
    monkeypatch: pytest.MonkeyPatch, late: bool
) -> None:
    """Before others join, or after that."""
    real, gone = module.Child, threading.Event()

    class Failing(Dying):
        def listen(self, **more: Any) -> Ended:
            assert not late or gone.wait(LONG)
            return Ended(End.BY_ITSELF, 1, None, "", 1.0)

    def start(name: str, request: Any, **more: Any) -> Any:
        return Failing() if request.get("build") else real(name, request, **more)

    monkeypatch.setattr(module, "Child", start)
    solving = Solving(Problem(SWITCHES), first_arms(("steps",)), more=True)
    if not late:
        solving._threads[0].join(LONG)
    solving.join(problem(SWITCHES), arms(1, methods=("steps",)))
    gone.set()
    assert solving.wait(LONG)
    assert solving.found_by == Arm("steps")
    solving.close(LONG)


START = ("(on a)", "(on b)", "(done 2)")


@pytest.mark.process
@pytest.mark.parametrize("arm", [Arm("explore"), Arm("steps"), Arm("once"), Arm("steps", by_text=True)])
def test_the_same_processes_search_from_where_the_play_goes(arm: Arm) -> None:
    solving = Solving(problem(SWITCHES), [arm], stays=True)
    try:
        assert solving.wait(LONG)
        assert solving.best is not None
        assert len(solving.best.moves) >= 3
        assert solving.move_on(START)
        assert solving.wait(LONG)
        assert solving.best is not None
        assert solving.best.moves[-1] == "(switch c)"
        assert len(solving._members) == 1
    finally:
        solving.close(LONG)
    assert not solving.move_on(START)


@pytest.mark.process
def test_a_search_that_has_not_ended_moves_on_at_once() -> None:
    solving = Solving(Problem(ENDLESS), [Arm("steps", by_text=True)], stays=True)
    try:
        assert not solving.ended
        assert solving.move_on(("(at 7)",))
        assert solving.wait(LONG)
        assert solving.best is not None
        assert solving.best.moves == ("(go)",) or solving.best.moves == ("go",)
    finally:
        solving.close(LONG)


def test_what_is_said_of_a_state_of_before_is_not_heard() -> None:
    solving = Told(Problem(SWITCHES), stays=True, more=True)
    assert solving.move_on(START)
    member = module._Member(Arm("steps"), 64, {})
    plan = {"kind": "plan", "goal": 100, "moves": ["a"], "shortest": False}
    solving._heard(member, {**plan, "number": 0})
    assert solving.best is None
    solving._heard(member, {**plan, "number": 1})
    assert solving.best == Plan(100, ("a",), False)
