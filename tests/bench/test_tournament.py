"""`ggtp bench tournament`: figures that are there and make sense; how large they are is not tested."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.runs import engine

from ggtp.bench.tournament import Figures


@pytest.mark.process
def test_one_line_of_json(run: Any, tmp_path: Path) -> None:
    ran = run("bench", "tournament", "--games", "20", "--engine", engine(tmp_path, "good"), "--json")
    assert (ran.status, ran.err) == (0, "")
    data = json.loads(ran.out)
    assert set(data) == set(Figures.__slots__)
    assert data["games_per_s"] > 0
    assert data["games"] >= 20
    assert (data["faults"], data["processes_left"], data["concurrency"]) == (0, 0, 2)
    jitter = [data[f"jitter_{name}_ms"] for name in ("p50", "p90", "p99", "worst")]
    assert jitter == sorted(jitter)
    assert data["smallest_clock_ms"] >= 10 * data["jitter_p99_ms"] > 0


@pytest.mark.process
def test_lines_for_people(run: Any, tmp_path: Path) -> None:
    words = ("--seconds", "0.1", "--engine", engine(tmp_path, "good"), "--concurrency", "1")
    ran = run("bench", "tournament", *words)
    assert ran.status == 0
    assert "games a second, 1 at once" in ran.out
    assert "ms is the smallest sound limit for a move" in ran.out


def test_what_can_not_be_played(run: Any) -> None:
    ran = run("bench", "tournament", "--engine", "Nobody")
    assert ran.status == 1
    assert "Nobody" in ran.err
