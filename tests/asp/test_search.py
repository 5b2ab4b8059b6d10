"""Searching for plans: as short as brute force finds them, proofs where there is none, and an end when it is wanted."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from support.puzzles import ENDLESS, SHORT_OF_TIME, SWITCHES, built, outcome, shortest

from ggtp.asp.findings import Finding, Impossible, Plan, Refuted, Trying
from ggtp.asp.search import Task, at_once, goals_of, guess_length, step_by_step


def task(name: str, found: list[Finding], **more: object) -> Task:
    network = built(name).network
    return Task(network, goals_of(network), found.append, **more)  # type: ignore[arg-type]


def plans(found: list[Finding]) -> list[Plan]:
    return [item for item in found if isinstance(item, Plan)]


@pytest.mark.parametrize("name", [SWITCHES, "buttons", "twistypassages", "satpuzzle", "queens"])
def test_step_by_step_finds_a_shortest_plan(name: str) -> None:
    found: list[Finding] = []
    step_by_step(task(name, found))
    (plan,) = plans(found)
    assert outcome(name, plan.moves) == plan.goal == 100
    assert plan.shortest
    refuted = [item.steps for item in found if isinstance(item, Refuted)]
    assert refuted == list(range(len(plan.moves)))


@pytest.mark.parametrize("name", [SWITCHES, "buttons", "twistypassages"])
def test_no_play_is_shorter(name: str) -> None:
    found: list[Finding] = []
    step_by_step(task(name, found))
    assert len(plans(found)[0].moves) == shortest(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", [SWITCHES, "buttons", "twistypassages", "satpuzzle", "queens", "eightpuzzle"])
def test_at_once_finds_a_plan(name: str) -> None:
    found: list[Finding] = []
    at_once(task(name, found), random.Random(5))
    plan = plans(found)[-1]
    assert outcome(name, plan.moves) == plan.goal == 100
    assert not plan.shortest


@pytest.mark.parametrize("steps", [True, False])
def test_where_the_best_goal_is_impossible_the_next_one_is_taken(steps: bool) -> None:
    found: list[Finding] = []
    wanted = task(SHORT_OF_TIME, found)
    step_by_step(wanted) if steps else at_once(wanted, random.Random(5))
    assert Impossible(100) in found
    plan = plans(found)[-1]
    assert (plan.goal, len(plan.moves)) == (40, 2)
    assert outcome(SHORT_OF_TIME, plan.moves) == 40


def test_a_start_in_the_middle() -> None:
    network = built(SWITCHES).network
    facts = {text: number for number, text in enumerate(network.facts)}
    found: list[Finding] = []
    start = [facts["(on a)"], facts["(on c)"], facts["(done 2)"]]
    step_by_step(Task(network, goals_of(network), found.append, start))
    assert plans(found) == [Plan(100, ("(switch b)",), True)]


def test_a_game_without_end_is_looked_at_until_somebody_stops_it() -> None:
    found: list[Finding] = []
    step_by_step(task(ENDLESS, found, should_stop=lambda: len(found) > 40))
    assert not plans(found)
    assert not any(isinstance(item, Impossible) for item in found)
    assert 10 in [item.steps for item in found if isinstance(item, Refuted)]


class Clock:
    """Time passes by a fixed amount with every look."""

    def __init__(self, step: float) -> None:
        self.now, self.step = 0.0, step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


@pytest.mark.slow
def test_a_hard_length_does_not_keep_the_next_one_waiting() -> None:
    """With no time for any length, longer ones are asked about too; the proof of the shortest is lost, not the plan."""
    found: list[Finding] = []
    wanted = task("lightsout", found, clock=Clock(10.0))
    step_by_step(wanted)
    (plan,) = plans(found)
    assert outcome("lightsout", plan.moves) == 100


def test_orders_are_asked_for_only_where_it_is_hard() -> None:
    def never() -> dict[int, list[int]]:
        raise AssertionError("nobody should ask")

    found: list[Finding] = []
    step_by_step(task(SWITCHES, found, orders=never))
    assert plans(found)


def test_goals_from_the_best_downwards() -> None:
    network = built(SWITCHES).network
    assert goals_of(network) == [100, 40, 0]
    assert goals_of(network, 99) == [40, 0]


def test_the_guess_is_as_long_as_plays_are() -> None:
    assert guess_length(task(SWITCHES, []), random.Random(1)) in (3, 4)
    assert guess_length(task(ENDLESS, []), random.Random(1)) == 200
    # What is over stays over, while other plays go on.
    assert guess_length(task("buttons", []), random.Random(1)) <= 12


def test_progress_says_how_large_the_question_is() -> None:
    found: list[Finding] = []
    step_by_step(task("buttons", found))
    tried: Iterator[Trying] = (item for item in found if isinstance(item, Trying))
    sizes = [item.count for item in tried]
    assert sizes == sorted(sizes)
    assert sizes[-1] > sizes[0] > 0
