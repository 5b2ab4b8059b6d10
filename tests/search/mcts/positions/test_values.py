"""What results are worth, on one scale from 0 to 1."""

from ggtp.game import Result, Standing
from ggtp.search.mcts.positions.values import result_values


def test_results_on_one_scale() -> None:
    won = {"a": Standing.WIN, "b": Standing.LOSS}
    assert result_values(Result(won, {"a": 100, "b": 0}), ("a", "b")) == (1.0, 0.0)
    assert result_values(Result(won, {"a": 64, "b": 0}), ("a", "b")) == (0.64, 0.0)
    assert result_values(Result(won), ("a", "b")) == (1.0, 0.0)
    assert result_values(Result(won, {"a": 700, "b": -3}), ("a", "b")) == (1.0, 0.0)
    (low,), (high,) = (result_values(Result({"a": Standing.WIN}, {"a": score}), ("a",)) for score in (-50, 500))
    assert 0 < low < 0.5 < high < 1
