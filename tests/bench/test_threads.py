"""`ggtp bench threads`: one tree that several threads search."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ggtp.bench.threads import Result, report


@pytest.mark.slow
def test_figures_of_one_thread_and_of_two(run: Any) -> None:
    ran = run("bench", "threads", "--rule", "gdl/tictactoe", "--seconds", "0.05", "--threads", "2", "--json")
    assert ran.status == 0, ran.err
    found = json.loads(ran.out)
    assert (found["rule"], found["seconds"]) == ("gdl/tictactoe", 0.05)
    one, two = found["results"]
    assert (one["threads"], one["speedup"], two["threads"]) == (1, 1.0, 2)
    for row in (one, two):
        assert row["playouts"] > 0
        assert row["cores"] > 0
    assert abs(two["speedup"] - two["playouts_per_s"] / one["playouts_per_s"]) < 0.01


def test_for_people() -> None:
    lines = report([Result(2, 3_000_000, 1_500_000.0, 1.94, 1.8)])
    assert lines[0].split() == ["threads", "playouts", "playouts/s", "speed-up", "cores"]
    assert lines[1].split() == ["2", "3,000,000", "1,500,000", "1.94", "1.80"]


def test_rules_that_are_not_compiled(run: Any) -> None:
    ran = run("bench", "threads", "--rule", "Nim")
    assert ran.status == 1
    assert "Game Description Language" in ran.err
