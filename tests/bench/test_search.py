"""`ggtp bench search`: a number for every way to search a rule."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ggtp.bench.search import Result, Speed, report
from ggtp.catalogue.compile import compiler
from ggtp.errors import NotCompiled

SHORT = ("--seconds", "0.2")


@pytest.mark.process
def test_rules_in_gdl_compiled_and_interpreted(run: Any) -> None:
    ran = run("bench", "search", "gdl/breakthrough_small", *SHORT, "--json")
    assert ran.status == 0
    assert ran.out.count("\n") == 1
    (found,) = json.loads(ran.out)
    assert list(found["ways"]) == ["compiled", "interpreted"]
    for speed in found["ways"].values():
        assert speed["nodes"] > 0
        assert speed["nodes_per_s"] > 0
    assert found["ratio"] > 1
    assert found["ways"]["compiled"]["depth"] > found["ways"]["interpreted"]["depth"]


@pytest.mark.slow
def test_rules_in_python_by_their_fast_path_and_without(run: Any) -> None:
    (found,) = json.loads(run("bench", "search", "TicTacToe", *SHORT, "--json").out)
    assert (found["rule"], list(found["ways"]), found["ratio"]) == ("TicTacToe", ["fast path", "positions"], None)
    assert found["ways"]["fast path"]["depth"] > 1
    (found,) = json.loads(run("bench", "search", "CantStop", *SHORT, "--json").out)
    assert list(found["ways"]) == ["positions"]


def test_for_people(run: Any) -> None:
    lines = run("bench", "search", "Nim", *SHORT).out.splitlines()
    assert lines[0].split() == ["Nim", "nodes/s", "nodes", "depth"]
    assert [line.split()[0] for line in lines[1:]] == ["fast", "positions"]
    result = Result("x", 1.0, {"compiled": Speed(5e6, 100, 3, False)}, 1234.0)
    assert report(result)[-1] == "  1,234 times as fast compiled as interpreted"


def test_what_minimax_cannot_search(run: Any) -> None:
    ran = run("bench", "search", "PhantomTicTacToe")
    assert (ran.status, "has secrets or races" in ran.err) == (1, True)


def test_what_cannot_be_compiled(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any, **more: Any) -> None:
        raise NotCompiled("Too big.")

    path = tmp_path / "one.kif"
    path.write_text("(role p) (init s) (legal p go) (<= terminal (true t)) (goal p 1) (<= (next t) (does p go))")
    monkeypatch.setattr(compiler, "_built", refuse)
    (found,) = json.loads(run("bench", "search", str(path), *SHORT, "--json").out)
    assert list(found["ways"]) == ["interpreted"]
