"""`ggtp bench gifl`: the paper's tables with our figures beside them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.compiled_trees import compiled

from ggtp.bench import gifl
from ggtp.bench.gifl_tables import COLUMNS, TABLE, Most, Row
from ggtp.search.features.features import Feature, FeatureSet, Kind
from ggtp.search.features.guide import Use
from ggtp.search.features.learn import Learner
from ggtp.search.features.tutor import Fitting

SMALL = Row("breakthrough", "gdl/tictactoe", (120, 63, 57), 1000, 20, 0.825, 0.61, 0.79, 1.3, 0.85)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """One small game, of which little is learned."""
    learn = Learner.learn
    monkeypatch.setattr(gifl, "TABLE", (SMALL,))
    monkeypatch.setattr(gifl, "MEASURED", 0.01)
    monkeypatch.setattr(Learner, "learn", lambda self, stop: learn(self, lambda: self.features.walks >= 20))


@pytest.mark.process
@pytest.mark.bound(300)  # it compiles, and the machine may be busy
def test_all_tables_of_a_game(run: Any) -> None:
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
    assert found["finished"]
    most = found["most"]
    assert most["features"] >= most["kept"] > 0
    assert most["features"] >= found["followed"], "whatever they are worth"
    assert most["period"] >= 1
    assert most["alone"] > 0
    assert most["always"] > 0


def test_as_many_features_as_there_may_be_however_seldom_they_were_learned() -> None:
    found = FeatureSet(
        [(Feature(0, move, Kind.OFFENSIVE, 1, frozenset({2 * move})), 9 - move) for move in range(9)], walks=10_000
    )
    assert not len(found.pruned(5))
    assert sorted(count for _, count in gifl._as_many(found, 5)) == [5, 6, 7, 8, 9]


def test_as_many_features_as_there_may_be_are_looked_for_in_every_turn_too(monkeypatch: pytest.MonkeyPatch) -> None:
    game = compiled("tictactoe")
    many = Learner(game.state_kernel()).walks(300).pruned(50)
    kernels: dict[int, Any] = {period: {0: object(), 1: object()} for period in (1, 4)}
    rates = {id(each): 100.0 / period for period, both in kernels.items() for each in both.values()}
    asked = []

    def made(game: object, features: Any, use: Use) -> Any:
        asked.append((len(features), use.period))
        return kernels[use.period]

    monkeypatch.setattr(
        "ggtp.search.features.tutor.fitting", lambda *args: Fitting(kernels[4], 1.0, many.first(9), period=4)
    )
    monkeypatch.setattr("ggtp.search.features.guide.guided_kernels", made)
    monkeypatch.setattr(gifl, "_alone", lambda kernels: (9.0, sum(rates.get(id(each), 150.0) for each in kernels) / 2))
    cost = gifl._cost_of_most(game, many, game.best(), Use(period=2))
    assert cost == Most(50, 9, 4, 3.0, 0.75)
    assert asked == [(50, 1)]


@pytest.mark.slow
@pytest.mark.parametrize(("table", "said"), [("1", False), ("4", False), ("2", True)])
def test_nothing_is_made_that_a_table_does_not_need(
    run: Any, monkeypatch: pytest.MonkeyPatch, table: str, said: bool
) -> None:
    made: list[object] = []
    kernels = {0: compiled("tictactoe").best(), 1: compiled("tictactoe").best()}
    monkeypatch.setattr("ggtp.search.features.guide.guided_kernels", lambda *args: made.append(args) or kernels)
    monkeypatch.setattr(
        "ggtp.search.features.tutor.fitting", lambda game, few, *args: Fitting(kernels, 1.0, few, 1000.0)
    )
    few = ("--games", "2", "--simulations", "5", "--seconds", "0.01", "--trial", "0.01", "--player", "uct")
    ran = run("bench", "gifl", "--table", table, *few)
    assert ran.status == 0, ran.err
    assert bool(made) is said


@pytest.mark.slow
def test_features_alone_are_not_measured(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*args: object) -> None:
        raise AssertionError("nobody asked what features are worth")

    monkeypatch.setattr("ggtp.search.features.worth.worthwhile", never)
    monkeypatch.setattr("ggtp.gdl.play.compiled.CompiledGame.best", never)
    ran = run("bench", "gifl", "--table", "1")
    assert ran.status == 0, ran.err
    assert "used" not in ran.out
    (found,) = json.loads(run("bench", "gifl", "--table", "1", "--json").out)
    assert found["features"][0] > 0
    assert found["followed"] is None


@pytest.mark.slow
def test_an_odd_number_of_games_becomes_the_next_one(run: Any) -> None:
    few = ("bench", "gifl", "--simulations", "5", "--table", "2", "--json")
    for player in ("uct", "mcts"):
        ran = run(*few, "--player", player, "--games", "3")
        assert ran.status == 0, ran.err
        assert "Games are played in pairs, one in each role: 4 of them." in ran.err
        (found,) = json.loads(ran.out)
        assert (found["fixed_simulations"] or found["fixed_simulations_mcts"])["games"] == 4
    assert "pairs" not in run(*few, "--player", "uct", "--games", "2").err


@pytest.mark.slow
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_what_is_done_is_printed_after_an_interruption(
    run: Any, monkeypatch: pytest.MonkeyPatch, form: tuple[str, ...]
) -> None:
    def interrupted(*args: object) -> None:
        raise KeyboardInterrupt

    second = SMALL._replace(game="connect4")
    monkeypatch.setattr(gifl, "TABLE", (SMALL, second))
    measure = gifl._measure

    def measured(env: Any, row: Row, *rest: Any) -> None:
        if row is second:
            monkeypatch.setattr(gifl, "_cost_of_most", interrupted)
        measure(env, row, *rest)

    monkeypatch.setattr(gifl, "_measure", measured)
    ran = run("bench", "gifl", "--simulations", "5", "--games", "2", "--table", "3", *form)
    assert ran.status == 3
    assert "interrupted" in ran.err
    if form:
        first, last = json.loads(ran.out)
        assert (first["game"], first["finished"]) == ("breakthrough", True)
        assert (last["game"], last["finished"], last["most"]) == ("connect4", False, None)
        assert last["alone"] > 0
    else:
        assert ran.out.count("\nbreakthrough") == 3
        assert ran.out.endswith("\nconnect4 is not finished: what is missing was not measured.\n")


def test_an_interruption_before_anything_is_known(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Learner, "learn", interrupted)
    ran = run("bench", "gifl")
    assert (ran.status, ran.out) == (3, "")


def test_help_says_what_columns_mean_and_how_long_it_takes(run: Any) -> None:
    ran = run("bench", "gifl", "--help")
    assert COLUMNS in ran.out
    assert "3 to 3.5 hours" in ran.out


@pytest.mark.slow
def test_one_player_alone(run: Any) -> None:
    ran = run("bench", "gifl", "--simulations", "20", "--games", "4", "--table", "2", "--player", "uct", "--json")
    assert ran.status == 0, ran.err
    (found,) = json.loads(ran.out)
    assert found["fixed_simulations"]["games"] == 4
    assert found["fixed_simulations_mcts"] is None


@pytest.mark.slow
def test_how_features_are_followed_can_be_said(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    uses = []

    def noted(game: Any, features: Any, use: Use) -> Any:
        uses.append(use)
        return {0: game.best(), 1: game.best()}

    monkeypatch.setattr("ggtp.search.features.guide.guided_kernels", noted)
    few = ("bench", "gifl", "--simulations", "5", "--games", "2", "--table", "2", "--player", "uct")
    assert run(*few).status == 0
    assert uses == [Use()]
    assert run(*few, "--period", "3", "--own", "80", "--opponent", "0").status == 0
    assert uses[1:] == [Use(own=0.8, opponent=0.0, period=3)]


def test_a_game_that_is_not_in_it(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gifl, "TABLE", TABLE)
    ran = run("bench", "gifl", "--game", "chess")
    assert ran.status == 2
    assert "quarto" in ran.err
