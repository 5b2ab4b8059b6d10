"""What of a plan may change while its journal stays."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ggtp.tournament.plan.growth import growth
from ggtp.tournament.plan.plan import Contestant, Plan, PlanError, RulePlan, Start

TWO = RulePlan("TicTacToe", seats=("Cross", "Circle"))
THREE = RulePlan("Three", seats=("X", "Y", "Z"))
ONE = RulePlan("Maze", seats=("Robot",))
OLD = Plan((Contestant("A", "Random"), Contestant("B", "Random")), (TWO,), seed=0, format="round-robin", blocks=2)
NEW = Contestant("C", "Random")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (OLD, replace(OLD, blocks=5), "blocks 2 to 5"),
        (OLD, replace(OLD, repeats=0), "repeats 10 to 0"),
        (OLD, replace(OLD, players=(*OLD.players, NEW)), "player C"),
        (OLD, replace(OLD, rules=(TWO, THREE), blocks=3), "blocks 2 to 3, rule Three"),
        (replace(OLD, format="match"), replace(OLD, players=(*OLD.players, NEW)), "player C"),
        (replace(OLD, format="gauntlet"), replace(OLD, format="gauntlet", players=(*OLD.players, NEW)), "player C"),
    ],
)
def test_what_may_grow(old: Plan, new: Plan, words: str) -> None:
    assert growth(old, new) == words


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"seed": 1}, "seed is 0 in the journal and 1 now"),
        ({"score": "win"}, "score is 'rank' in the journal and 'win' now"),
        ({"strikes": 3}, "strikes is 0"),
        ({"blocks": 1}, "blocks is 2 in the journal and 1 now: it can only grow"),
        ({"players": (NEW, *OLD.players)}, "The players of the journal, A, B, must come first"),
        ({"players": (replace(OLD.players[0], engine="X"), OLD.players[1])}, "must come first, as they are"),
        ({"rules": (THREE, TWO)}, "The rules of the journal, TicTacToe, must come first"),
        ({"rules": (replace(TWO, starts=(Start(), Start("b", ("Cross A1",)))),)}, "with their options and starts"),
        ({"format": "swiss"}, "format is 'round-robin' in the journal and 'swiss' now"),
    ],
)
def test_what_may_not_change(changes: dict[str, object], what: str) -> None:
    with pytest.raises(PlanError, match=what):
        growth(OLD, replace(OLD, **changes))  # type: ignore[arg-type]  # as named


def test_the_value_that_differs_is_named() -> None:
    with pytest.raises(PlanError, match=r"adjudicate\.length is 0 in the journal and 5 now"):
        growth(OLD, replace(OLD, adjudication=replace(OLD.adjudication, length=5)))


def test_who_has_met_still_meets() -> None:
    for rule in (THREE, ONE):
        old = replace(OLD, rules=(rule,))
        with pytest.raises(PlanError, match="C would change who sits together"):
            growth(old, replace(old, players=(*old.players, NEW)))


def test_rounds_that_follow_from_results_do_not_grow() -> None:
    old = replace(OLD, format="swiss")
    with pytest.raises(PlanError, match="swiss can't grow"):
        growth(old, replace(old, blocks=3))
