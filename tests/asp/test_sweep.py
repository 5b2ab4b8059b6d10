"""All states of small games, in lanes: shortest plans, proofs, and an end where there are too many."""

from __future__ import annotations

import pytest
from support.puzzles import ENDLESS, SHORT_OF_TIME, SWITCHES, built, outcome, shortest

from ggtp.asp.findings import Finding, Impossible, Plan, Refuted
from ggtp.asp.search import Task, goals_of
from ggtp.asp.sweep import _columns, _rows, sweep

LONG = 60.0


def swept(name: str, seconds: float = LONG, most: int | None = None, **more: object) -> tuple[bool, list[Finding]]:
    found: list[Finding] = []
    network = built(name).network
    task = Task(network, goals_of(network, most), found.append, **more)  # type: ignore[arg-type]
    return sweep(task, seconds), found


@pytest.mark.parametrize("name", [SWITCHES, "buttons", "maze", "twistypassages"])
def test_a_shortest_plan(name: str) -> None:
    answered, found = swept(name)
    plan = found[-1]
    assert answered
    assert isinstance(plan, Plan)
    assert outcome(name, plan.moves) == 100
    assert (len(plan.moves), plan.shortest) == (shortest(name), True)
    assert [item.steps for item in found if isinstance(item, Refuted)] == list(range(len(plan.moves)))


def test_the_best_that_there_is() -> None:
    answered, found = swept(SHORT_OF_TIME)
    assert answered
    assert [item for item in found if isinstance(item, Impossible)] == [Impossible(100)]
    best = max((item for item in found if isinstance(item, Plan)), key=lambda plan: plan.goal)
    assert (best.goal, outcome(SHORT_OF_TIME, best.moves), len(best.moves)) == (40, 40, 2)


def test_no_play_ends() -> None:
    answered, found = swept(ENDLESS)
    assert answered
    assert [item for item in found if isinstance(item, Impossible)] == [Impossible(0)]
    assert not any(isinstance(item, Plan) for item in found)


def test_from_a_state_and_for_less() -> None:
    network = built(SWITCHES).network
    start = [network.facts.index(fact) for fact in ("(on a)", "(done 3)")]
    answered, found = swept(SWITCHES, most=40, start=start)
    assert answered
    assert found[-1] == Plan(40, ("(switch b)",), True)


def test_where_there_are_too_many_states_it_gives_up() -> None:
    answered, found = swept("eightpuzzle", 0.0)
    assert not answered
    assert not any(isinstance(item, Plan | Impossible) for item in found)
    assert found == [Refuted(100, 0)]


def test_it_can_be_stopped() -> None:
    found: list[Finding] = []
    network = built("maze").network
    task = Task(network, goals_of(network), found.append, should_stop=lambda: len(found) > 4)
    assert not sweep(task, LONG)
    assert len(found) <= 6


@pytest.mark.parametrize("facts", [1, 7, 8, 9, 31])
def test_rows_and_columns_are_each_other(facts: int) -> None:
    count = 13
    columns = [(fact * 2654435761 >> 7) % (1 << count) for fact in range(facts)]
    rows = list(_rows(columns, count))
    assert len(rows) == count
    assert all(
        rows[lane][fact // 8] >> fact % 8 & 1 == columns[fact] >> lane & 1
        for lane in range(count)
        for fact in range(facts)
    )
    assert _columns(rows, facts) == columns
    assert _columns([], facts) == [0] * facts
