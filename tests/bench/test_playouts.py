"""`ggtp bench playouts`: a number for every kernel that serves, and clear words where there is none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ggtp.bench import playouts
from ggtp.bench.peers import NoSuchGame
from ggtp.bench.playouts import KERNELS, Result, report
from ggtp.catalogue.compile import compiler
from ggtp.catalogue.compile.first import First
from ggtp.errors import NotCompiled

SHORT = ("--seconds", "0.05")


@pytest.mark.slow
def test_every_kernel_is_measured(run: Any) -> None:
    ran = run("bench", "playouts", "gdl/tictactoe", *SHORT, "--json")
    assert ran.status == 0
    assert ran.out.count("\n") == 1
    found = json.loads(ran.out)
    assert list(found["playouts_per_s"]) == list(KERNELS)
    speeds = found["playouts_per_s"]
    assert speeds["one_function"] > speeds["single"] > speeds["interpreter"] > 0
    assert found["mean_length"] == pytest.approx(7.6, abs=0.2)
    for name in ("ground_s", "build_s", "compile_s", "gates", "ops", "memory_mib"):
        assert found[name] > 0
    assert found["compile_s"] == found["compile_s_each"]["one_function"]


def test_only_one_kernel(run: Any) -> None:
    found = json.loads(run("bench", "playouts", "gdl/tictactoe", *SHORT, "--kernel", "table", "--json").out)
    assert list(found["playouts_per_s"]) == ["table"]
    found = json.loads(run("bench", "playouts", "gdl/tictactoe", *SHORT, "--kernel", "interpreter", "--json").out)
    assert list(found["playouts_per_s"]) == ["interpreter"]
    assert (found["gates"], found["compile_s"]) == (None, None)


@pytest.mark.slow
def test_for_people(run: Any) -> None:
    ran = run("bench", "playouts", "gdl/tictactoe", *SHORT, "--kernel", "one_function", "--kernel", "single")
    lines = ran.out.splitlines()
    assert lines[0] == "gdl/tictactoe"
    assert [line.split()[0] for line in lines[-2:]] == ["one_function", "single"]
    assert lines[-2].endswith("*")
    assert report(Result("x", 1.0))[0] == "x"


@pytest.mark.process
def test_the_way_to_the_first_games(run: Any) -> None:
    ran = run("bench", "playouts", "gdl/tictactoe", *SHORT, "--kernel", "table", "--first", "--json")
    first = json.loads(ran.out)["first"]
    assert set(first) == {"fresh_s", "fresh_cpu_s", "kept_s", "kept_cpu_s"}
    assert first["fresh_cpu_s"] > first["kept_cpu_s"] > 0
    shown = report(Result("x", 1.0, first=First(0.75, 0.8, 0.2, 0.21)))
    assert shown[1] == ("from the text to the first game 0.75 s (0.80 s of the processor), when kept 0.20 s (0.21 s)")


def test_rules_in_python_have_no_kernels(run: Any) -> None:
    ran = run("bench", "playouts", "TicTacToe")
    assert (ran.status, "not in the Game Description Language" in ran.err) == (1, True)


def test_what_cannot_be_compiled(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any, **more: Any) -> None:
        raise NotCompiled("Too big.")

    path = tmp_path / "one.kif"
    path.write_text("(role p) (init s) (legal p go) (<= terminal (true t)) (goal p 1) (<= (next t) (does p go))")
    monkeypatch.setattr(compiler, "_built", refuse)
    found = json.loads(run("bench", "playouts", str(path), *SHORT, "--json").out)
    assert list(found["playouts_per_s"]) == ["interpreter"]
    ran = run("bench", "playouts", str(path), *SHORT, "--kernel", "table")
    assert (ran.status, ran.err) == (1, "ggtp: Too big.\n")


def test_a_peer_that_is_not_there(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyspiel", None)
    ran = run("bench", "playouts", "gdl/tictactoe", *SHORT, "--kernel", "single", "--peer", "openspiel")
    assert (ran.status, "openspiel is not installed" in ran.err) == (1, True)


@pytest.mark.slow
def test_a_peer_without_the_game_takes_nothing_from_the_rest(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*args: Any) -> float:
        raise NoSuchGame("The peer has no game called like gdl/tictactoe.")

    monkeypatch.setattr(playouts, "measure_peer", missing)
    command = ("bench", "playouts", "gdl/tictactoe", *SHORT, "--kernel", "single", "--peer", "openspiel")
    ran = run(*command, "--json")
    found = json.loads(ran.out)
    assert (ran.status, found["peers"], list(found["playouts_per_s"])) == (0, {"openspiel": None}, ["single"])
    assert "no game called like gdl/tictactoe" in ran.err
    assert run(*command).out.splitlines()[-1].split() == ["openspiel", "no", "such", "game"]


def test_wrong_arguments(run: Any) -> None:
    assert run("bench", "playouts").status == 2
    assert run("bench", "playouts", "gdl/tictactoe", "--seconds", "-1").status == 2
    assert run("bench", "playouts", "gdl/tictactoe", "--kernel", "magic").status == 2
