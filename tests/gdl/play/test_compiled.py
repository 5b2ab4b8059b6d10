"""Compiled games: the one-state player against the interpreter, and the playout kernels by name."""

from __future__ import annotations

from functools import cache

import pytest
from support.lanes import KEPT
from support.paths import ROOT

from ggtp.gdl.ground.grounder import ground
from ggtp.gdl.kernel import playouts
from ggtp.gdl.language.parse import parse_strictly
from ggtp.gdl.language.syntax import Rulesheet
from ggtp.gdl.network.build import build
from ggtp.gdl.play.compiled import OWN_CODE, PLAYOUT_KERNELS, CompiledGame

RULES = ROOT / "rules" / "gdl"
GAMES = ("tictactoe", "connect3", "rockpaperscissors", "threepoint", "buttons", "phantomtictactoe", "nim_gdl")


@cache
def sheet(name: str) -> Rulesheet:
    return parse_strictly((RULES / f"{name}.gdl").read_text("utf-8"))


@cache
def game(name: str) -> CompiledGame:
    return CompiledGame(build(ground(sheet(name))), KEPT)


@pytest.mark.parametrize("name", PLAYOUT_KERNELS)
def test_playouts_by_every_kernel(name: str) -> None:
    played = game("tictactoe")
    assert name in played.serving()
    stats = played.playouts(name).playouts(20_000)
    assert stats.unfinished == 0
    assert stats.mean(0) == pytest.approx(64.8, abs=1.5)


def test_the_best_kernel_and_the_one_that_is_there_at_once() -> None:
    played = game("tictactoe")
    assert played.best_name == "one_function"
    assert played.best().playouts(1000).games >= 1000
    assert played.at_once is played.at_once
    assert played.at_once.playouts(1000).games >= 1000
    assert played.roles == ("cross", "circle")


def test_what_serves_depends_on_the_size(monkeypatch: pytest.MonkeyPatch) -> None:
    played = game("tictactoe")
    monkeypatch.setattr("ggtp.gdl.play.compiled.ONE_FUNCTION", 10)
    monkeypatch.setattr(playouts, "ONE_FUNCTION", 10)
    assert played.serving() == ("chunks", "table")
    assert played.best_name == "chunks"
    monkeypatch.setattr(playouts, "CHUNKS", 10)
    assert played.serving() == ("table",)
    assert played.best_name == "table"
    assert played.own_code == (played.statistics.gates <= OWN_CODE)


def test_figures() -> None:
    figures = game("tictactoe").figures()
    assert figures["moves"] == [10, 10]
    assert figures["kernel"] == "one_function"
    for name in ("facts", "ground_rules", "gates_before", "gates", "depth", "ops"):
        value = figures[name]
        assert isinstance(value, int)
        assert value > 0
