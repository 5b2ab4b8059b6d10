"""A tournament as a rule: engines are players, and games are moves."""

from __future__ import annotations

from fractions import Fraction

import pytest
from ggtp.rules.tournament import RULES, move_of, rankings, scores_of

from ggtp.errors import IllegalMove, OptionError
from ggtp.game import CHANCE, Position, Standing, TurnKind


def play(position: Position, *moves: str) -> Position:
    for move in moves:
        position = position.play({CHANCE: move}).position
    return position


def test_the_players_are_engines() -> None:
    assert RULES.players(RULES.complete({"engines": "Deep Shallow Dice"})) == ("Deep", "Shallow", "Dice")


def test_every_game_is_a_move_and_the_table_its_result() -> None:
    position = RULES.start({"engines": "Deep Dice"})
    assert position.turn().kind is TurnKind.CHANCE
    assert position.moves(CHANCE) == ["Deep > Dice", "Dice > Deep", "Deep = Dice"]
    position = play(position, "Deep > Dice")
    assert position.view(None) == "Deep > Dice; next Dice - Deep"
    position = play(position, "Dice = Deep")
    result = position.result()
    assert result is not None
    assert result.scores == {"Deep": Fraction(3, 2), "Dice": Fraction(1, 2)}
    assert result.standings == {"Deep": Standing.WIN, "Dice": Standing.LOSS}


def test_a_knockout_goes_on_with_the_winners() -> None:
    position = RULES.start({"engines": "A B C D", "format": "knockout"})
    assert position.view(None).endswith("next A - D")
    position = play(position, "A > D", "D = A")
    assert position.view(None).endswith("next B - C")
    position = play(position, "C > B", "C > B")
    assert position.view(None).endswith("next A - C")


def test_the_crosstable_is_drawn() -> None:
    position = play(RULES.start({"engines": "Deep Dice"}), "Deep = Dice")
    lines = position.picture(None).plain()
    assert any(line.split() == ["Deep", "x", "0.5", "0.5"] for line in lines)
    assert lines[-1] == "round 1, game 1.1: Dice - Deep"


def test_three_at_a_table() -> None:
    assert len(list(rankings("ABC"))) == 13
    assert len(list(rankings("ABCD"))) == 75
    assert move_of((("A",), ("B", "C"))) == "A > B = C"
    assert scores_of("A > B = C", "ABC") == {"A": 1, "B": Fraction(1, 4), "C": Fraction(1, 4)}
    position = RULES.start({"engines": "A B C", "seats": "3"})
    assert len(position.moves(CHANCE)) == 13


@pytest.mark.parametrize(
    "options",
    [
        {"engines": "A"},
        {"engines": "A a"},
        {"engines": "A Chance"},
        {"engines": "A B,C"},
        {"engines": "A B C", "format": "match"},
        {"engines": "A B", "format": "gauntlet"},
        {"format": "chess"},
    ],
)
def test_what_is_no_tournament(options: dict[str, str]) -> None:
    with pytest.raises(OptionError):
        RULES.start(options)


def test_a_game_of_others_is_no_move() -> None:
    with pytest.raises(IllegalMove):
        RULES.start().play({CHANCE: "A > Z"})
