"""What benchmarks of tournaments share: they end when it is enough, print what was measured, or say why not."""

from __future__ import annotations

import argparse
import io
import os
from dataclasses import dataclass
from typing import Any

import pytest

from ggtp.bench.match import add_match_arguments, match_plan, measured
from ggtp.errors import GgtpError
from ggtp.ui.console.environment import Environment


@dataclass(frozen=True, slots=True)
class Figures:
    games: int


@pytest.fixture
def env() -> Environment:
    return Environment(io.StringIO(), io.StringIO(), io.StringIO(), os.environ)


def arguments(*words: str, json: bool = False) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_match_arguments(parser)
    args = parser.parse_args(words)
    args.json = json
    return args


def test_the_same_engine_sits_on_both_sides_and_does_not_stop_by_itself(env: Any) -> None:
    plan = match_plan(env, arguments("--rule", "Nim", "--engine", "Random"))
    assert [(player.name, player.engine) for player in plan.players] == [("A", "Random"), ("B", "Random")]
    assert [rule.rule for rule in plan.rules] == ["Nim"]
    assert plan.blocks >= 10**6


@pytest.mark.parametrize(("json", "out"), [(False, "3 games\n"), (True, '{"games": 3}\n')])
def test_figures_are_printed_for_people_and_programs(env: Any, json: bool, out: str) -> None:
    found = measured(env, arguments(json=json), lambda _env, _args: Figures(3), lambda it: [f"{it.games} games"])
    assert found == Figures(3)
    assert (env.stdout.getvalue(), env.stderr.getvalue()) == (out, "")


def test_what_can_not_be_measured_is_said_in_a_sentence(env: Any) -> None:
    def measure(_env: Any, _args: Any) -> Figures:
        raise GgtpError("There is no such engine.")

    assert measured(env, arguments(), measure, lambda _it: []) is None
    assert (env.stdout.getvalue(), env.stderr.getvalue()) == ("", "ggtp: There is no such engine.\n")
