"""Facts about ConnectFour."""

from __future__ import annotations

import importlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ggtp.errors import IllegalMove, OptionError
from ggtp.game import OVER, Position, Standing
from ggtp.game.building.boards import SquareBoard
from ggtp.game.checks.contract import perft

connectfour = importlib.import_module("ggtp.rules.connectfour")


def after(moves: str = "", **options: str) -> Position:
    position: Position = connectfour.RULES.start(options)
    for move in moves:
        position = position.play({position.turn().players[0]: move}).position
    return position


@pytest.mark.slow
def test_perft() -> None:
    assert [perft(after(), depth) for depth in range(1, 8)] == [7, 49, 343, 2401, 16807, 117649, 823536]


@pytest.mark.parametrize(
    ("moves", "way"),
    [
        ("AABBCCD", "along a row"),
        ("ABABABA", "up a column"),
        ("ABBCCDCDDFD", "up to the right"),
        ("GFFEEDEDDBD", "up to the left"),
        ("GGFFEED", "at the right edge"),
    ],
)
def test_four_in_a_row_win(moves: str, way: str) -> None:
    assert after(moves[:-1]).result() is None, way
    position = after(moves)
    result = position.result()
    assert position.turn() is OVER
    assert result is not None
    assert result.standings == {"Yellow": Standing.WIN, "Red": Standing.LOSS}
    assert result.reason == "four in a row"


def test_a_line_does_not_run_over_the_top() -> None:
    # Yellow has the three highest places of column A and the lowest of column B: four bits in a row but for the gap.
    position = after("CADADAAEAEAGB")
    assert position.view(None).startswith("RYY")
    assert [row[0] for row in position.view(None).split(" ")[0].split("/")] == ["R", "R", "R", "Y", "Y", "Y"]
    assert position.turn() is not OVER


def test_a_full_column_is_not_listed() -> None:
    position = after("AAAAAA")
    assert position.moves("Yellow") == ("B", "C", "D", "E", "F", "G")
    with pytest.raises(IllegalMove):
        position.play({"Yellow": "A"})


def test_a_full_board_is_a_draw() -> None:
    position = after("AAAABBBBCCCCDDDD", columns="4", rows="4", connect="5")
    result = position.result()
    assert result is not None
    assert result.standings == {"Yellow": Standing.DRAW, "Red": Standing.DRAW}
    assert result.reason == "the board is full"


@pytest.mark.parametrize(("connect", "moves"), [("3", "ABABA"), ("5", "ABABABABA"), ("6", "ABABABABABA")])
def test_other_lengths(connect: str, moves: str) -> None:
    assert after(moves[:-1], connect=connect).result() is None
    assert after(moves, connect=connect).result() is not None


@pytest.mark.parametrize(("option", "value"), [("columns", "3"), ("rows", "13"), ("connect", "2"), ("connect", "four")])
def test_sizes_have_limits(option: str, value: str) -> None:
    with pytest.raises(OptionError):
        after(**{option: value})


def test_the_picture_stands_upright() -> None:
    position = after("DDC", columns="4", rows="4", starting_player="Red")
    assert position.picture(None).plain() == ["  A B C D", "4 . . . .", "3 . . . .", "2 . . . Y", "1 . . R R"]
    assert position.view(None) == "..RR/...Y/..../.... Yellow"


@settings(deadline=None)  # a busy machine is not a fault
@given(st.data(), st.integers(4, 8), st.integers(4, 7), st.integers(3, 6))
def test_bits_and_lines_agree(data: st.DataObject, columns: int, rows: int, connect: int) -> None:
    """The shifted integers find exactly the lines that one finds square by square."""
    game = connectfour.game_of(columns, rows, connect)
    board = SquareBoard(columns, rows)
    marks = data.draw(st.lists(st.booleans(), min_size=board.size, max_size=board.size))
    discs = sum(1 << (index % columns) * (rows + 1) + index // columns for index, mark in enumerate(marks) if mark)
    assert game.connected(discs) == any(all(marks[index] for index in line) for line in board.lines(connect))
    assert game.marks((discs, 0, 0)) == "".join("Y" if mark else "." for mark in marks)
