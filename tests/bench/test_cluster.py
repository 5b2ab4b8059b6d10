"""`ggtp bench cluster`: a real scheduler and real workers, one of which plays a little."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from ggtp.bench.cluster import Result, report


@pytest.mark.slow
@pytest.mark.bound(240)
def test_figures_of_one_worker(run: Any) -> None:
    ran = run("bench", "cluster", "--rule", "TicTacToe", "--seconds", "0.3", "--workers", "1", "--json")
    assert ran.status == 0, ran.err
    found = json.loads(ran.out)
    assert found["rule"] == "TicTacToe"
    (row,) = found["results"]
    assert (row["workers"], row["answers"], row["speedup"]) == (1, 1, 1.0)
    assert row["playouts"] > 10


def test_for_people() -> None:
    lines = report([Result(8, 8, 7_420, 7.42, 12.3)])
    assert lines[0].split() == ["workers", "answers", "playouts", "speed-up", "merging"]
    assert lines[1].split() == ["8", "8", "7,420", "7.42", "12", "ms"]


def test_without_the_library_it_says_what_to_install(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    ran = run("bench", "cluster", "--workers", "1")
    assert ran.status == 1
    assert "ggtp[cluster]" in ran.err
