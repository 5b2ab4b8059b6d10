"""Rulings: which are in force, and what they make of a game."""

from __future__ import annotations

import pytest

from ggtp.errors import CommandError
from ggtp.tournament.journal.rulings import ACTS, in_force, judged, ruling_from, scores_from
from ggtp.tournament.results import Game, GamePlan, Ruling

SEATS = {"Cross": "A", "Circle": "B"}
GAME = Game(GamePlan(3, 1, 1, 0, 0, 7, SEATS), {"Cross": 1.0, "Circle": 0.0}, {"Cross": "win", "Circle": "loss"})
LOST = Ruling(9, "adjudicate", "3.1", "now", "by X", {"Cross": 0.0, "Circle": 1.0})
AGAIN = Ruling(12, "replay", "3.1", "now", "by X: why")


def test_what_was_undone_is_not_in_force() -> None:
    other = Ruling(10, "quarantine", "A", "now")
    assert in_force([LOST, other]) == [LOST, other]
    assert in_force([LOST, other, Ruling(11, "undo", "9", "now")]) == [other]


@pytest.mark.parametrize("act", ACTS)
def test_a_ruling_is_read_as_it_was_written(act: str) -> None:
    ruling = Ruling(4, act, "3.1", "now", "by X", {"Cross": 0.25})
    assert ruling_from(4, ruling.data()) == ruling


def test_a_ruling_that_nobody_knows() -> None:
    with pytest.raises(ValueError, match="nobody knows the ruling"):
        ruling_from(1, LOST.data() | {"act": "shout"})


def test_a_game_has_other_scores() -> None:
    game = judged(GAME, [LOST])
    assert (game.scores, game.standings) == ({"Cross": 0.0, "Circle": 1.0}, {"Cross": "loss", "Circle": "win"})
    assert (game.end, game.reason, game.counts) == ("ruled", "by X", True)
    assert judged(GAME, [Ruling(9, "adjudicate", "3.0", "now", "", {"Cross": 0.5})]) == GAME


def test_a_game_that_is_played_again_does_not_count() -> None:
    game = judged(GAME, [LOST, AGAIN])
    assert (game.end, game.counts) == ("void", False)
    assert "by X: why" in game.reason


def test_scores_as_people_write_them() -> None:
    assert scores_from(["draw"], SEATS) == {"Cross": 0.5, "Circle": 0.5}
    assert scores_from(["circle=1", "Cross=0"], SEATS) == {"Cross": 0.0, "Circle": 1.0}


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([], "missing"),
        (["Cross=1"], "score of Circle is missing"),
        (["Cross=1", "Cross=0"], "is no score"),
        (["Square=1"], "write draw, or Cross=SCORE Circle=SCORE"),
        (["Cross=2", "Circle=0"], "from 0 to 1"),
        (["Cross=nan", "Circle=0"], "from 0 to 1"),
        (["Cross=", "Circle=0"], "from 0 to 1"),
    ],
)
def test_scores_that_are_none(words: list[str], why: str) -> None:
    with pytest.raises(CommandError, match=why):
        scores_from(words, SEATS)
