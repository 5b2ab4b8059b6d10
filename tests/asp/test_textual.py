"""Searching by the rules' text: the same plans as by the network."""

from __future__ import annotations

import pytest
from support.puzzles import ENDLESS, SHORT_OF_TIME, SWITCHES, outcome, sheet, shortest

from ggtp.asp.findings import Finding, Impossible, Plan, Refuted
from ggtp.asp.textual import TextSearch


def plans(found: list[Finding]) -> list[Plan]:
    return [item for item in found if isinstance(item, Plan)]


@pytest.mark.parametrize("name", [SWITCHES, "buttons", "twistypassages"])
def test_step_by_step(name: str) -> None:
    found: list[Finding] = []
    TextSearch(sheet(name), found.append).step_by_step()
    (plan,) = plans(found)
    assert outcome(name, plan.moves) == plan.goal == 100
    assert (len(plan.moves), plan.shortest) == (shortest(name), True)


@pytest.mark.parametrize("name", [SWITCHES, "buttons", "queens"])
def test_at_once(name: str) -> None:
    found: list[Finding] = []
    TextSearch(sheet(name), found.append).at_once(12)
    plan = plans(found)[-1]
    assert outcome(name, plan.moves) == 100


def test_a_guess_that_is_too_short_grows() -> None:
    found: list[Finding] = []
    TextSearch(sheet("buttons"), found.append).at_once(4)
    assert found[1] == Refuted(100, 4)
    assert outcome("buttons", plans(found)[-1].moves) == 100


def test_a_lower_goal() -> None:
    found: list[Finding] = []
    TextSearch(sheet(SHORT_OF_TIME), found.append).step_by_step()
    assert Impossible(100) in found
    assert plans(found)[-1].goal == 40


def test_it_can_be_stopped() -> None:
    found: list[Finding] = []
    TextSearch(sheet(ENDLESS), found.append, lambda: len(found) > 30).step_by_step()
    assert not plans(found)


def test_no_more_than_is_wanted() -> None:
    found: list[Finding] = []
    search = TextSearch(sheet(SWITCHES), found.append, most=99)
    assert search.goals == [40, 0]
