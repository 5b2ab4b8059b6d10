"""Results and scores as text."""

from fractions import Fraction

import pytest

from ggtp.game import Result, Standing, result_by_scores, result_by_winner
from ggtp.game.notation import format_result, format_score, standing_pairs


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (0, "0"),
        (100, "100"),
        (-3, "-3"),
        (Fraction(6), "6"),
        (Fraction(1, 2), "0.5"),
        (Fraction(-1, 2), "-0.5"),
        (Fraction(15, 2), "7.5"),
        (Fraction(1, 8), "0.125"),
        (Fraction(7, 100), "0.07"),
        (Fraction(1, 3), "1/3"),
        (Fraction(-22, 7), "-22/7"),
        (10**30, "1" + "0" * 30),
    ],
)
def test_score(score, text):
    assert format_score(score) == text
    assert Fraction(text) == score


def test_nothing_while_the_play_goes_on() -> None:
    assert format_result(None) == "none"


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (result_by_winner(("Cross", "Circle"), "Cross"), "Cross=win 100, Circle=loss 0"),
        (result_by_winner(("Cross", "Circle"), "Circle"), "Cross=loss 0, Circle=win 100"),
        (result_by_winner(("Cross", "Circle"), None), "Cross=draw 50, Circle=draw 50"),
        (result_by_scores({"A": Fraction(13, 2), "B": 6, "C": 0}), "A=win 6.5, B=loss 6, C=loss 0"),
        (Result({"A": Standing.WIN, "B": Standing.LOSS}), "A=win, B=loss"),
        (Result({"A": Standing.WIN, "B": Standing.LOSS}, {"A": 1}), "A=win 1, B=loss"),
    ],
)
def test_result(result, text):
    assert format_result(result) == text


def test_pairs_by_player() -> None:
    assert standing_pairs(result_by_winner(("Cross", "Circle"), "Cross")) == {"Cross": "win 100", "Circle": "loss 0"}
