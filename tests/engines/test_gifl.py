"""GIFL as an engine: MCTS that follows what it has learned."""

from __future__ import annotations

import pytest
from ggtp.engines.mcts import Gifl, Mcts

from ggtp.kit.rulebook import compile_in_background

QUICK = {"Time": "0", "Playouts": "200", "FeatureTime": "300", "FeatureTrial": "off", "seed": "1"}


def test_features_are_on_in_one_and_off_in_the_other():
    defaults = [{option.name: option.default for option in engine.options} for engine in (Gifl(), Mcts())]
    assert (defaults[0].pop("Features"), defaults[1].pop("Features")) == ("on", "off")
    assert defaults[0] == defaults[1]


def test_it_follows_features_where_there_are_any(sit):
    engine = Gifl()
    seat = sit(engine, "gdl/tictactoe", "cross", settings=QUICK, compile_rules=compile_in_background)
    seat.choose()
    assert engine._tutor.wait(120)
    seat.tell("made_move", "cross", "mark 1 1")
    seat.tell("made_move", "circle", "mark 1 2")
    assert seat.choose().startswith("mark")
    assert seat.last_search()["features"] == engine._tutor.state
    assert engine._tutor.state in ("none", "off") or engine._maker.search().kernel is engine._tutor.kernel(0)
    seat.session.close()


@pytest.mark.parametrize("rule", ["TicTacToe", "gdl/lightsout"])
def test_it_plays_other_games_as_mcts_does(sit, rule):
    seat = sit(Gifl(), rule, settings=QUICK)
    assert seat.choose() in seat.game().moves()
