"""Facts about RockPaperScissors."""

from __future__ import annotations

import importlib

import pytest

from ggtp.errors import IllegalMove
from ggtp.game import Position, Standing, TurnKind
from ggtp.game.checks.contract import perft

rules = importlib.import_module("ggtp.rules.rockpaperscissors").RULES
MOVES = ("Rock", "Paper", "Scissors")


def after(*choices: tuple[str, str], rounds: int = 1) -> Position:
    position: Position = rules.start({"rounds": str(rounds)})
    for left, right in choices:
        position = position.play({"Left": left, "Right": right}).position
    return position


@pytest.mark.parametrize(("winner", "loser"), [("Rock", "Scissors"), ("Scissors", "Paper"), ("Paper", "Rock")])
def test_what_beats_what(winner: str, loser: str) -> None:
    for left, right, best in ((winner, loser, "Left"), (loser, winner, "Right")):
        result = after((left, right)).result()
        assert result is not None
        assert result.standings[best] is Standing.WIN
        assert result.scores[best] == 1
        assert sum(result.scores.values()) == 0


@pytest.mark.parametrize("move", MOVES)
def test_the_same_is_a_draw(move: str) -> None:
    result = after((move, move)).result()
    assert result is not None
    assert result.standings == {"Left": Standing.DRAW, "Right": Standing.DRAW}


def test_both_choose_at_once() -> None:
    turn = after().turn()
    assert (turn.kind, turn.players) == (TurnKind.JOINT, ("Left", "Right"))
    assert after().moves("Left") == after().moves("Right") == MOVES


def test_rounds_add_up() -> None:
    choices = [("Rock", "Scissors"), ("Rock", "Paper"), ("Paper", "Rock"), ("Rock", "Rock"), ("Rock", "Scissors")]
    assert after(*choices[:4], rounds=5).result() is None
    result = after(*choices, rounds=5).result()
    assert result is not None
    assert result.scores == {"Left": 2, "Right": -2}
    assert result.reason == "5 rounds played"


def test_perft_is_nine_a_round() -> None:
    assert [perft(after(rounds=3), depth) for depth in range(5)] == [1, 9, 81, 729, 0]


@pytest.mark.parametrize(
    "moves", [{"Left": "Rock"}, {}, {"Left": "Rock", "Right": "Well"}, {"Left": "Rock", "Right": "Rock", "Cid": "Rock"}]
)
def test_moves_that_may_not_be_played(moves: dict[str, str]) -> None:
    with pytest.raises(IllegalMove):
        after().play(moves)


def test_nothing_is_played_after_the_last_round() -> None:
    ended = after(("Rock", "Rock"))
    assert ended.moves("Left") == ()
    with pytest.raises(IllegalMove):
        ended.play({"Left": "Rock", "Right": "Rock"})


def test_the_umpire_says_what_happened() -> None:
    verdict = after().play({"Right": "Paper", "Left": "Rock"})
    assert verdict.made == (("Left", "Rock"), ("Right", "Paper"))
    assert [words.text for words in verdict.announcements] == ["Paper wraps Rock: the round is Right's."]


def test_the_picture_shows_the_score() -> None:
    position = after(("Rock", "Paper"), rounds=3)
    assert position.picture(None).plain() == [" Left -1", "Right +1", "round 2 of 3"]
