"""Plans found among the states themselves are plans, and what is proven is true."""

from __future__ import annotations

import random
from itertools import count

import pytest
from support.puzzles import ENDLESS, SHORT_OF_TIME, SWITCHES, built, compiled, outcome, shortest

from ggtp.asp import explore as module
from ggtp.asp.explore import explore
from ggtp.asp.findings import Finding, Impossible, Plan, Refuted
from ggtp.asp.search import Task, goals_of


def explored(name: str, *, megabytes: int = 256, start: list[str] | None = None, looks: int = 100_000) -> list[Finding]:
    found: list[Finding] = []
    game, network = compiled(name), built(name).network
    facts = None if start is None else [network.facts.index(fact) for fact in start]
    # Time passes by looking at the clock, the same on every machine.
    ticks = count()
    task = Task(network, goals_of(network), found.append, facts, clock=lambda: next(ticks) / 1000)
    task.should_stop = lambda: next(ticks) >= looks
    explore(task, game, random.Random(1), megabytes)
    return found


def plans(found: list[Finding]) -> list[Plan]:
    return [finding for finding in found if isinstance(finding, Plan)]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["buttons", "pancakes", "hanoi", SWITCHES])
def test_all_states_give_a_shortest_plan(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(module, "FIRST_SECONDS", 1e9)
    last = plans(explored(name))[-1]
    assert (last.goal, last.shortest) == (100, True)
    assert outcome(name, last.moves) == 100
    if name in ("buttons", SWITCHES):
        assert len(last.moves) == shortest(name)


def test_what_can_not_be_reached_is_proven() -> None:
    found = explored(SHORT_OF_TIME)
    assert plans(found)[-1].goal == 40
    assert Impossible(100) in found
    assert Refuted(100, 2) in found
    assert Impossible(0) in explored(ENDLESS)


def test_it_begins_where_the_play_stands() -> None:
    last = plans(explored(SWITCHES, start=["(on a)", "(done 1)"]))[-1]
    assert (last.goal, len(last.moves)) == (100, 2)


@pytest.mark.parametrize("name", ["queens", "pegsolitaire", "knightstour"])
def test_guesses_find_plans_where_there_are_too_many_states(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(module, "FIRST_SECONDS", 0.0)
    last = plans(explored(name))[-1]
    assert (last.goal, last.shortest) == (100, False)
    assert outcome(name, last.moves) == 100


def test_guesses_go_on_until_somebody_stops_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST_SECONDS", 0.0)
    monkeypatch.setattr(module, "ALL_SECONDS", 0.0)
    found = explored(SHORT_OF_TIME, looks=2_000)
    assert plans(found)[-1].goal == 40
    assert not any(isinstance(finding, Impossible | Refuted) and finding.goal == 40 for finding in found)


def test_too_many_states_for_the_memory_are_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STATE_BYTES", 1 << 18)
    found = explored("hanoi", megabytes=8, looks=300)
    assert not any(isinstance(finding, Impossible) for finding in found)


def test_without_a_goal_there_is_nothing_to_find() -> None:
    network = built(SWITCHES).network
    explore(Task(network, [], lambda finding: pytest.fail(str(finding))), compiled(SWITCHES), random.Random(1))


def test_where_memory_is_short_fewer_states_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = module._Sweep.advance

    def poor(self: module._Sweep) -> bool:
        if self._worth is None or self._width > 100:
            raise MemoryError
        return whole(self)

    monkeypatch.setattr(module._Sweep, "advance", poor)
    last = plans(explored("pegsolitaire"))[-1]
    assert outcome("pegsolitaire", last.moves) == last.goal
    assert not last.shortest
