"""GIFL as an engine: MCTS that follows what it has learned."""

from __future__ import annotations

import pytest
from ggtp.engines.mcts import Gifl, Mcts

from ggtp.catalogue import Catalogue
from ggtp.kit.engine import Budget
from ggtp.kit.rulebook import compile_in_background

QUICK = {"Time": "0", "Playouts": "200", "FeatureTime": "300", "FeatureTrial": "off", "seed": "1"}


def test_features_are_on_in_one_and_off_in_the_other() -> None:
    defaults = [{option.name: option.default for option in engine.options} for engine in (Gifl(), Mcts())]
    assert (defaults[0].pop("Features"), defaults[1].pop("Features")) == ("on", "off")
    assert defaults[0] == defaults[1]


@pytest.mark.slow
def test_it_follows_features_where_there_are_any(sit, learn_little):
    engine = Gifl()
    seat = sit(engine, "gdl/tictactoe", "cross", settings=QUICK, compile_rules=compile_in_background)
    seat.choose()
    assert engine._tutor.wait(120)
    seat.tell("made_move", "cross", "mark 1 1")
    seat.tell("made_move", "circle", "mark 1 2")
    assert seat.choose().startswith("mark")
    assert seat.last_search()["features"] == engine._tutor.state
    assert engine._tutor.state.isdigit()
    assert engine._maker.search().kernel is engine._tutor.kernel(0)
    seat.session.close()


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["TicTacToe", "gdl/lightsout"])
def test_it_plays_other_games_as_mcts_does(sit, rule):
    seat = sit(Gifl(), rule, settings=QUICK)
    assert seat.choose() in seat.game().moves()


@pytest.mark.slow
@pytest.mark.parametrize("clock", [20.0, 0.0, None])
def test_a_start_clock_is_for_learning_and_for_the_trial(sit, monkeypatch, clock):
    made = []

    class Slow:
        """A tutor who is told how much time there is, and remembers who waits for it."""

        def __init__(self, find, wanted, settings, rng, seconds):
            self.wanted, self.seconds, self.waited, self.state = wanted, seconds, [], "trial"
            made.append(self)

        def wait(self, seconds):
            self.waited.append(seconds)

        def stop(self):
            pass

    seat = sit(Gifl(), "gdl/tictactoe", "cross", settings=QUICK, compile_rules=compile_in_background)
    monkeypatch.setattr("ggtp.engines.mcts.Tutor", Slow)
    engine = Gifl()
    engine.new_game(seat.game(), Budget(clock))
    (tutor,) = made
    if not clock:
        assert tutor.seconds is None, "it teaches during the first moves"
        assert not any(tutor.waited)
    else:
        (waited,) = tutor.waited
        assert clock / 2 < waited <= tutor.seconds <= clock
    seat.session.close()


@pytest.mark.parametrize("name", ["GIFL", "MCTS"])
def test_an_engine_that_forks_while_it_learns_has_no_threads_of_openblas(name):
    assert Catalogue.from_environment({}).find_engine(name).env["OPENBLAS_NUM_THREADS"] == "1"
