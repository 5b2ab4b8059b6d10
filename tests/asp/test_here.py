"""A plan from where a play stands: the best there is, and whether it is known to be that."""

from __future__ import annotations

import random
from itertools import count

import pytest
from support.puzzles import ENDLESS, SHORT_OF_TIME, SWITCHES, built, compiled, outcome

from ggtp.asp.here import Found, plan_here
from ggtp.gdl.kernel.single import pack


def found(name: str, facts: list[str] | None = None, looks: int = 100_000) -> Found:
    network = built(name).network
    start = network.initial if facts is None else [network.facts.index(fact) for fact in facts]
    ticks = count()
    return plan_here(
        compiled(name), pack(network, start), random.Random(1), lambda: next(ticks) >= looks,
        clock=lambda: next(ticks) / 1000,
    )  # fmt: skip


@pytest.mark.slow
def test_the_best_plan_is_final() -> None:
    told = found("pancakes")
    assert told.plan is not None
    assert (told.plan.goal, told.final) == (100, True)
    assert outcome("pancakes", told.plan.moves) == 100


def test_so_is_one_when_all_that_is_better_is_impossible() -> None:
    told = found(SHORT_OF_TIME)
    assert told.plan is not None
    assert (told.plan.goal, told.final) == (40, True)


def test_it_begins_where_the_play_stands() -> None:
    told = found(SWITCHES, ["(on a)", "(done 1)"])
    assert told.plan is not None
    assert len(told.plan.moves) == 2


def test_who_is_stopped_knows_nothing() -> None:
    told = found("pegsolitaire", looks=1)
    assert (told.plan, told.final) == (None, False)


def test_where_there_is_no_end_there_is_no_plan() -> None:
    assert found(ENDLESS).plan is None
