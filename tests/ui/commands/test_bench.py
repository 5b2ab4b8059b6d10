"""`ggtp bench` finds a benchmark and hands the rest of the line to it."""

from __future__ import annotations

import argparse
import sys
from types import ModuleType
from typing import Any

import pytest

from ggtp.ui.commands.bench import BENCHES
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.subcommands import Subcommand


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> list[argparse.Namespace]:
    """A benchmark called `fake`; what it was run with."""
    calls: list[argparse.Namespace] = []

    def add_arguments(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--seconds", type=float, default=1.0)

    def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
        calls.append(args)
        return ExitStatus.REFUSED

    module = ModuleType("ggtp.ui.bench_fake")
    module.add_arguments = add_arguments  # type: ignore[attr-defined]
    module.run = run  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ggtp.ui.bench_fake", module)
    monkeypatch.setitem(BENCHES, "fake", Subcommand("fake", "measure nothing", "ggtp.ui.bench_fake"))
    return calls


def test_benchmarks_are_listed(run: Any) -> None:
    ran = run("bench")
    assert ran.status == 0
    assert [line.split()[0] for line in ran.out.splitlines()] == list(BENCHES)


def test_a_benchmark_gets_its_arguments(run: Any, bench: list[argparse.Namespace]) -> None:
    assert run("bench", "fake").status == 1
    assert run("bench", "Fake", "--json", "--seconds", "0.5").status == 1
    assert [(args.json, args.seconds) for args in bench] == [(False, 1.0), (True, 0.5)]


def test_a_benchmark_has_help(run: Any, bench: list[argparse.Namespace]) -> None:
    ran = run("bench", "fake", "--help")
    assert ran.status == 0
    assert ran.out.startswith("usage: ggtp bench fake ")
    assert "--json" in ran.out
    assert bench == []


def test_wrong_arguments(run: Any, bench: list[argparse.Namespace]) -> None:
    assert run("bench", "fake", "--second", "1").status == 2
    ran = run("bench", "fkae")
    assert (ran.status, ran.err) == (1, "ggtp: No benchmark named fkae. Did you mean fake?\n")
    assert "There are: " in run("bench", "xyzzy").err
