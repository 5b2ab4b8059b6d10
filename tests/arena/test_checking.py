"""Engines are started and told their options before the first game."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest
from support.runs import engine, plan_of

from ggtp.arena.checking import Problem, check_engines
from ggtp.catalogue import Catalogue

pytestmark = pytest.mark.process


def problems(*players: dict[str, Any], rules: tuple[str, ...] = ("TicTacToe",), **changes: Any) -> list[Problem]:
    plan = plan_of({"player": list(players), "rule": [{"rule": rule} for rule in rules], **changes})
    return asyncio.run(check_engines(plan, Catalogue.from_environment(os.environ)))


def test_wrong_options_are_told_with_the_nearest_names_and_once_for_all_rules() -> None:
    found = problems(
        {"engine": "Minimax", "options": {"Dpeth": 3, "Pruning": "onn", "depth": 2}},
        {"engine": "Random"},
        rules=("TicTacToe", "Nim"),
    )
    assert [(problem.player, problem.place, problem.text, problem.fatal) for problem in found] == [
        ("Minimax", "player 1.options.Dpeth", "No option named Dpeth for engine Minimax. Did you mean Depth?", True),
        (
            "Minimax",
            "player 1.options.Pruning",
            "No value onn for option Pruning of engine Minimax. It takes on, off. Did you mean on?",
            True,
        ),
    ]


def test_an_engine_that_does_not_start_is_told(tmp_path: Path) -> None:
    (found,) = problems({"engine": engine(tmp_path, "bad", "--fault", "exit", "--at", "connect")}, {"engine": "Random"})
    assert (found.player, found.place, found.fatal) == ("bad", "player 1.engine", True)
    assert "bad" in found.text


def test_limits_that_bind_nobody_are_remarks() -> None:
    found = problems({"engine": "MCTS"}, {"engine": "Random"}, time={"nodes": 5})
    assert [(problem.place, problem.fatal) for problem in found] == [("player 2.time.nodes", False)]
    assert "Random has no option for the limit nodes = 5" in found[0].text


def test_nothing_is_said_of_a_sound_plan() -> None:
    assert problems({"engine": "MCTS", "options": {"Time": "5ms"}}, {"engine": "Random"}) == []
