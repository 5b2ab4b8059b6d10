"""Searching by the rules' text: the same plans as by the network."""

from __future__ import annotations

import pytest
from support.puzzles import ENDLESS, SHORT_OF_TIME, SWITCHES, outcome, sheet, shortest

from ggtp.asp.findings import Finding, Impossible, Plan, Refuted, Trying
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


def test_a_guess_that_is_too_short_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was grounded before is not grounded again."""
    begun: list[str] = []
    begin = TextSearch._begin
    monkeypatch.setattr(TextSearch, "_begin", lambda self, name: begun.append(name) or begin(self, name))
    found: list[Finding] = []
    TextSearch(sheet("buttons"), found.append).at_once(4)
    assert begun == ["tweety"]
    assert [item.steps for item in found if isinstance(item, Trying)] == [4, 7, 11]
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


def test_a_lower_goal_at_once() -> None:
    """The game counts its moves, so that all of its plays are looked at, and the best goal is known for certain."""
    found: list[Finding] = []
    TextSearch(sheet(SHORT_OF_TIME), found.append).at_once(12)
    assert Impossible(100) in found
    assert [item.steps for item in found if isinstance(item, Trying)] == [2, 2]
    assert plans(found)[-1].goal == 40


@pytest.mark.slow
def test_where_the_best_takes_long_the_best_so_far_is_told() -> None:
    """No play that reaches 100 is ever found, but every third question is for the best that there is."""
    found: list[Finding] = []
    endless = ENDLESS.replace("(<= terminal (true (at 5)))", "(<= terminal (true (at 1)))")
    search = TextSearch(sheet(endless), found.append, lambda: bool(plans(found)))
    search.at_once(2)
    assert plans(found)[0].goal == 0


@pytest.mark.parametrize("method", ["step_by_step", "at_once"])
def test_from_a_state(method: str) -> None:
    found: list[Finding] = []
    search = TextSearch(sheet(SWITCHES), found.append, start=("(on a)", "(on c)", "(done 1)"))
    search.step_by_step() if method == "step_by_step" else search.at_once(1)
    assert plans(found)[-1].moves == ("(switch b)",)


def test_a_plan_is_played_before_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were the program wrong about the rules, nobody would hear of its plan."""
    monkeypatch.setattr(TextSearch, "_text", lambda self, symbol: "(switch a)")
    found: list[Finding] = []
    with pytest.raises(ValueError, match="the plan does not end the play"):
        TextSearch(sheet(SWITCHES), found.append).at_once(3)
    assert not plans(found)
    TextSearch(sheet(SWITCHES), found.append, check=False).at_once(3)
    assert plans(found)
