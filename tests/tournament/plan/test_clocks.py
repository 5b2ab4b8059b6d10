"""The clocks of a plan: for all games, for a rule, for a player."""

from __future__ import annotations

from typing import Any

import pytest

from ggtp.game.durations import Control
from ggtp.tournament.plan.clocks import Clocks
from ggtp.tournament.plan.plan import Plan, PlanError, plan_from


def plan(time: object, *, player: object = None, rule: object = None) -> Plan:
    own: dict[str, Any] = {"engine": "A"} if player is None else {"engine": "A", "time": player}
    of_rule: dict[str, Any] = {"rule": "TicTacToe"} if rule is None else {"rule": "TicTacToe", "time": rule}
    return plan_from({"time": time, "player": [own, {"engine": "B"}], "rule": [of_rule, {"rule": "Nim"}]})


@pytest.mark.parametrize(
    ("time", "clocks"),
    [
        ("5+0.1", Clocks(bank=5000, increment=100)),
        ("300ms", Clocks(move=300)),
        ({"control": "5+0.1", "margin": "50ms"}, Clocks(bank=5000, increment=100, margin=50)),
        ({"move": "2s", "start": 10, "patience": "1m"}, Clocks(move=2000, start=10, patience=60_000)),
        ({"nodes": 10, "depth": 3}, Clocks(nodes=10, depth=3)),
        ({}, Clocks()),
    ],
)
def test_times_are_written_as_people_write_them(time: object, clocks: Clocks) -> None:
    assert plan(time).clocks == clocks
    assert plan_from(plan(time).data()).clocks == clocks


def test_a_rule_and_a_player_change_what_they_name_and_the_player_counts() -> None:
    made = plan({"bank": "10s", "margin": 20}, rule={"bank": "4s", "nodes": 7}, player={"bank": "1s"})
    assert made.clocks_of(made.rules[0]) == Clocks(bank=4000, margin=20, nodes=7)
    assert made.clocks_of(made.rules[0], made.players[0]) == Clocks(bank=1000, margin=20, nodes=7)
    assert made.clocks_of(made.rules[1], made.players[0]) == Clocks(bank=1000, margin=20)
    assert made.clocks_of(made.rules[1], made.players[1]) == Clocks(bank=10_000, margin=20)
    assert made.limit_ms == 1000
    assert plan_from(made.data()) == made


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"time": "fast"}, "time: No time control fast"),
        ({"time": {"control": "5+0.1", "bank": 3}}, "time.bank is part of the time control beside it"),
        ({"time": {"mvoe": 3}}, "time.mvoe is not a key of plans. Did you mean move?"),
        ({"time": {"nodes": "5s"}}, "time.nodes must be a whole number"),
        ({"time": {}, "player": {"margin": 3}}, "player 1.time.margin is not a key of plans"),
        ({"time": {}, "player": {"bank": "a"}}, "player 1.time.bank must be a time from 0 to 86400000 milliseconds"),
        ({"time": {}, "rule": {"patience": 3}}, "rule 1.time.patience must be a time from 100"),
    ],
)
def test_what_is_wrong_is_refused_with_its_place(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PlanError) as refused:
        plan(**changes)
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("listed", "options"),
    [
        (("nodes", "depth"), {"nodes": "9", "depth": "2"}),
        (("Time", "Depth"), {"Depth": "2"}),
        (("Playouts", "Depth"), {"Playouts": "9"}),
        (("Time",), {}),
    ],
)
def test_engines_keep_the_limits_that_they_have_options_for(listed: tuple[str, ...], options: dict[str, str]) -> None:
    assert Clocks(nodes=9, depth=2).limit_options(listed) == options
    assert Clocks().limit_options(listed) == {}


def test_a_control_is_what_the_referee_is_told() -> None:
    assert Clocks(move=3, bank=5, increment=1).control == Control(3, 5, 1)
