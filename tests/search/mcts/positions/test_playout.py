"""Random games over positions: they end, note what was asked for, and are worth what their results say."""

import random

import pytest

from ggtp.catalogue import Catalogue
from ggtp.game import Position, Result, Standing
from ggtp.search.mcts.positions.playout import Interrupted, RandomPlay, result_values


def started(name: str) -> tuple[Position, RandomPlay]:
    rules = Catalogue.from_environment({}).find_rules(name)
    values = rules.complete({})
    players = rules.players(values)
    return rules.begin(values), RandomPlay(players, random.Random(1), closed=not rules.traits.chance)


def test_results_on_one_scale() -> None:
    won = {"a": Standing.WIN, "b": Standing.LOSS}
    assert result_values(Result(won, {"a": 100, "b": 0}), ("a", "b")) == (1.0, 0.0)
    assert result_values(Result(won, {"a": 64, "b": 0}), ("a", "b")) == (0.64, 0.0)
    assert result_values(Result(won), ("a", "b")) == (1.0, 0.0)
    assert result_values(Result(won, {"a": 700, "b": -3}), ("a", "b")) == (1.0, 0.0)
    (low,), (high,) = (result_values(Result({"a": Standing.WIN}, {"a": score}), ("a",)) for score in (-50, 500))
    assert 0 < low < 0.5 < high < 1


@pytest.mark.parametrize("name", ["TicTacToe", "Hex", "CantStop", "RockPaperScissors"])
def test_it_ends_and_shares_out_what_there_is(name: str) -> None:
    position, random_play = started(name)
    for _ in range(5):
        values = random_play.play(position, lambda: False, [], [])
        assert all(0 <= value <= 1 for value in values)
        assert sum(values) == pytest.approx(len(values) / 2) or name == "CantStop"


def test_moves_are_noted_by_who_made_them() -> None:
    position, random_play = started("TicTacToe")
    later: list[set[str]] = [set(), set()]
    played: list[str] = []
    random_play.play(position, lambda: False, later, played)
    assert not later[0] & later[1]
    assert len(later[0]) - len(later[1]) in (0, 1)
    assert not played, "only those of one player alone are a plan"


def test_it_stops_when_it_is_told() -> None:
    position, random_play = started("ConnectFour")
    asked = iter(range(100))
    with pytest.raises(Interrupted):
        random_play.play(position, lambda: next(asked) > 3, [], [])
