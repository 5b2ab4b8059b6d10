"""From results to scores."""

from __future__ import annotations

import pytest

from ggtp.game import Result, Standing, result_by_scores, result_by_winner
from ggtp.tournament.standings.scoring import outcome, seat_scores

W, D, L = Standing.WIN, Standing.DRAW, Standing.LOSS


@pytest.mark.parametrize(
    ("result", "scoring", "scores"),
    [
        (result_by_winner("AB", "A"), "rank", {"A": 1.0, "B": 0.0}),
        (result_by_winner("AB", None), "rank", {"A": 0.5, "B": 0.5}),
        (result_by_scores({"A": 3, "B": 2, "C": 2}), "rank", {"A": 1.0, "B": 0.25, "C": 0.25}),
        (result_by_scores({"A": 3, "B": 3, "C": 2}), "win", {"A": 0.5, "B": 0.5, "C": 0.0}),
        (result_by_scores({"A": 80, "B": 20, "C": -5}), "points", {"A": 0.8, "B": 0.2, "C": 0.0}),
        (Result({"A": L, "B": W, "C": W}), "rank", {"A": 0.0, "B": 0.75, "C": 0.75}),
        (Result({"A": W, "B": L}, {"A": 0, "B": 50}), "rank", {"A": 1.0, "B": 0.0}),
        (Result({"A": L}, {"A": 70}), "rank", {"A": 0.7}),
        (Result({"A": W}), "rank", {"A": 1.0}),
        (Result({"A": L, "B": L}), "win", {"A": 0.0, "B": 0.0}),
    ],
)
def test_scores(result: Result, scoring: str, scores: dict[str, float]) -> None:
    assert seat_scores(result, scoring) == scores


def test_the_best_alone_wins() -> None:
    assert [outcome({"A": 1.0, "B": 0.5, "C": 0.0}, name) for name in "ABC"] == ["win", "loss", "loss"]
    assert [outcome({"A": 0.5, "B": 0.5}, name) for name in "AB"] == ["draw", "draw"]
    assert outcome({"A": 1.0}, "A") == "win"
