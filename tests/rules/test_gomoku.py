"""Facts about Gomoku."""

from __future__ import annotations

import random

import pytest
from support.oracles import actions, games, gdl, moves, openspiel, play, report, start

from ggtp.game import OVER, Standing


def row(*black: str) -> list[str]:
    """Black's moves, with White's far away and never in a row."""
    white = [f"{column}{number}" for number in (15, 13) for column in "ACEGIKMO"]
    return [move for pair in zip(black, white, strict=False) for move in pair][: 2 * len(black) - 1]


@pytest.mark.parametrize("size", [7, 15])
def test_moves_and_ends_are_those_of_openspiel(size: int) -> None:
    """OpenSpiel counts rows and columns from 0, and takes six in a row for a win, too."""
    rng, compared, game = random.Random(size), 0, openspiel("gomoku", size=size)
    for _ in games(8):
        position, state = start("gomoku", size=str(size)), game.new_initial_state()
        while not state.is_terminal():
            named = {}
            for name, action in actions(state).items():
                x, y = map(int, name.split(","))
                named[f"{'ABCDEFGHIJKLMNO'[x]}{y + 1}"] = action
            assert set(named) == set(moves(position))
            move = rng.choice(sorted(named))
            state.apply_action(named[move])
            position = play(position, move)
            compared += 1
        result = position.result()
        assert result is not None
        value = {Standing.WIN: 1.0, Standing.DRAW: 0.0, Standing.LOSS: -1.0}
        assert state.returns()[0] == value[result.standings["Black"]]
    report(f"Gomoku of size {size} with OpenSpiel", compared)
    assert compared > 200


def test_moves_are_those_of_the_rules_in_gdl() -> None:
    rng, twin, position = random.Random(2), gdl("gomoku"), start("gomoku")
    for _ in range(6):
        named = {"ABCDEFGHIJKLMNO"[int(name.split()[1]) - 1] + name.split()[2]: name for name in moves(twin)}
        assert set(named) == set(moves(position))
        move = rng.choice(sorted(named))
        position, twin = play(position, move), play(twin, named[move])


@pytest.mark.parametrize(
    "five",
    [
        ("A1", "B1", "C1", "D1", "E1"),
        ("H1", "H2", "H3", "H4", "H5"),
        ("K1", "L2", "M3", "N4", "O5"),
        ("E1", "D2", "C3", "B4", "A5"),
    ],
)
def test_five_in_a_row_win(five: tuple[str, ...]) -> None:
    position = play(start("gomoku"), *row(*five))
    result = position.result()
    assert position.turn() is OVER
    assert result is not None
    assert result.standings["Black"] is Standing.WIN


def test_a_row_does_not_run_around_the_edge() -> None:
    assert play(start("gomoku"), *row("M1", "N1", "O1", "A2", "B2")).turn() is not OVER


def test_six_in_a_row_win_or_do_not() -> None:
    six = row("A1", "B1", "C1", "E1", "F1", "D1")
    assert play(start("gomoku"), *six).turn() is OVER
    position = play(start("gomoku", rows="exactly_five"), *six)
    assert position.turn() is not OVER
    assert play(start("gomoku", rows="exactly_five"), *row("A1", "B1", "C1", "E1", "D1")).turn() is OVER


def test_white_may_begin() -> None:
    assert start("gomoku", starting_player="White").turn().players == ("White",)


def test_the_picture_marks_nothing_in_ascii() -> None:
    assert play(start("gomoku", size="5"), "B2").picture(None).plain(ascii_only=True)[4:] == [
        "2 . X . . .", "1 . . . . .", "White to move"
    ]  # fmt: skip
