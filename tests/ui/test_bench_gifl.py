"""`ggtp bench gifl`: the paper's tables with our figures beside them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ggtp.search.gifl_guide import Use
from ggtp.search.gifl_learn import Learner
from ggtp.ui import bench_gifl
from ggtp.ui.bench_gifl_tables import Row

SMALL = Row("breakthrough", "gdl/tictactoe", (120, 63, 57), 1000, 20, 0.825, 0.61, 0.79, 1.3, 0.85)


@pytest.mark.bound(300)  # it compiles, and the machine may be busy
def test_all_tables_of_a_game(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_gifl, "TABLE", (SMALL,))
    monkeypatch.setattr(bench_gifl, "MEASURED", 0.01)
    learn = Learner.learn
    monkeypatch.setattr(Learner, "learn", lambda self, stop: learn(self, lambda: self.features.walks >= 20))
    few = ("--simulations", "20", "--games", "2", "--seconds", "0.01", "--trial", "0.01", "--json")
    ran = run("bench", "gifl", *few)
    assert ran.status == 0, ran.err
    (found,) = json.loads(ran.out)
    assert found["game"] == "breakthrough"
    assert found["features"][0] >= found["features"][1] + found["features"][2] > 0
    for score in (found["fixed_simulations"], found["fixed_simulations_mcts"]):
        assert score["games"] == 2
        assert 0 <= score["low"] <= score["score"] <= score["high"] <= 1
    assert found["length"] > 0
    assert found["overhead"] == pytest.approx(1 / found["playouts"], rel=0.01)
    assert found["alone"] > 0
    assert found["always"] > 0
    assert found["period"] >= 1
    assert found["switched_off"] == (found["fixed_time"] is None)
    assert found["paper"]["score"] == 0.825


def test_one_player_alone(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_gifl, "TABLE", (SMALL,))
    learn = Learner.learn
    monkeypatch.setattr(Learner, "learn", lambda self, stop: learn(self, lambda: self.features.walks >= 20))
    ran = run("bench", "gifl", "--simulations", "20", "--games", "4", "--table", "2", "--player", "uct", "--json")
    assert ran.status == 0, ran.err
    (found,) = json.loads(ran.out)
    assert found["fixed_simulations"]["games"] == 4
    assert found["fixed_simulations_mcts"] is None


def test_how_features_are_followed_can_be_said(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_gifl, "TABLE", (SMALL,))
    learn = Learner.learn
    monkeypatch.setattr(Learner, "learn", lambda self, stop: learn(self, lambda: self.features.walks >= 20))
    uses = []

    def noted(game: Any, features: Any, use: Use) -> Any:
        uses.append(use)
        return {0: game.best(), 1: game.best()}

    monkeypatch.setattr("ggtp.search.gifl_guide.guided_kernels", noted)
    few = ("bench", "gifl", "--simulations", "5", "--games", "2", "--table", "2", "--player", "uct")
    assert run(*few).status == 0
    assert uses == [Use()]
    assert run(*few, "--period", "3", "--own", "80", "--opponent", "0").status == 0
    assert uses[1:] == [Use(own=0.8, opponent=0.0, period=3)]


def test_a_game_that_is_not_in_it(run: Any) -> None:
    ran = run("bench", "gifl", "--game", "chess")
    assert ran.status == 2
    assert "quarto" in ran.err
