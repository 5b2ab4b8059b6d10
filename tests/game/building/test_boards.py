"""Square boards."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ggtp.game.building.boards import SquareBoard, bits
from ggtp.game.picture import Cell, Picture

SIZES = st.integers(1, 9)


def test_squares_are_named_row_by_row_from_the_lower_left() -> None:
    assert SquareBoard(3, 2).names == ("A1", "B1", "C1", "A2", "B2", "C2")
    assert SquareBoard(2, 1, lower=True).names == ("a1", "b1")


@settings(deadline=None)  # a busy machine is not a fault
@given(SIZES, SIZES)
def test_names_and_numbers_belong_together(columns: int, rows: int) -> None:
    board = SquareBoard(columns, rows)
    assert board.size == len(board.names) == len(board.numbers) == columns * rows
    assert [board.names[board.numbers[name]] for name in board.names] == list(board.names)


@pytest.mark.parametrize(("columns", "rows"), [(0, 3), (3, 0), (-1, -1)])
def test_a_board_has_squares(columns: int, rows: int) -> None:
    with pytest.raises(ValueError, match="at least one square"):
        SquareBoard(columns, rows)


@pytest.mark.parametrize(
    ("square", "east", "north", "to"),
    [
        ("A1", 1, 0, "B1"),
        ("A1", 0, 1, "A2"),
        ("C2", -2, -1, "A1"),
        ("A1", -1, 0, None),
        ("C2", 1, 0, None),
        ("C2", 0, 1, None),
    ],
)
def test_steps_end_at_the_edge(square: str, east: int, north: int, to: str | None) -> None:
    board = SquareBoard(3, 2)
    found = board.step(board.numbers[square], east, north)
    assert (None if found is None else board.names[found]) == to


def test_the_lines_of_tictactoe() -> None:
    board = SquareBoard(3, 3)
    lines = {"".join(sorted(board.names[square] for square in line)) for line in board.lines(3)}
    assert lines == {"A1B1C1", "A2B2C2", "A3B3C3", "A1A2A3", "B1B2B3", "C1C2C3", "A1B2C3", "A3B2C1"}


@pytest.mark.parametrize(
    ("columns", "rows", "length", "count"),
    [(7, 6, 4, 69), (3, 3, 2, 20), (15, 15, 5, 572), (2, 2, 3, 0), (5, 1, 5, 1), (3, 2, 1, 6)],
)
def test_how_many_lines_there_are(columns: int, rows: int, length: int, count: int) -> None:
    lines = SquareBoard(columns, rows).lines(length)
    assert len(lines) == len(set(lines)) == count


@settings(deadline=None)  # a busy machine is not a fault
@given(SIZES, SIZES, st.integers(2, 6))
def test_lines_are_straight_and_on_the_board(columns: int, rows: int, length: int) -> None:
    board = SquareBoard(columns, rows)
    for line in board.lines(length):
        places = [divmod(square, columns) for square in line]
        steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(places)}
        assert len(line) == length
        assert len(steps) == 1
        assert all(0 <= row < rows for row, _ in places)


def test_lines_through_a_square_leave_it_out() -> None:
    through = SquareBoard(3, 3).lines_through(3)
    assert [len(lines) for lines in through] == [3, 2, 3, 2, 4, 2, 3, 2, 3]
    assert all(square not in line for square, lines in enumerate(through) for line in lines)


def test_masks_are_the_lines_as_bits() -> None:
    board = SquareBoard(4, 3)
    assert [tuple(bits(mask)) for mask in board.line_masks(3)] == [tuple(sorted(line)) for line in board.lines(3)]


def test_marks_say_whose_bit_each_square_has() -> None:
    assert SquareBoard(3, 2).marks((0b100001, 0b001000), "XO") == "X..O.X"


def test_text_and_grid() -> None:
    board = SquareBoard(3, 2)
    assert board.text("XO.OX.") == "XO./OX."
    assert Picture((board.grid([Cell(mark) for mark in "XO.OX."]),)).plain() == ["  A B C", "2 O X .", "1 X O ."]


@settings(deadline=None)  # a busy machine is not a fault
@given(st.sets(st.integers(0, 200)))
def test_bits(numbers: set[int]) -> None:
    assert list(bits(sum(1 << number for number in numbers))) == sorted(numbers)


def test_a_grid_may_count_its_rows_downwards() -> None:
    board = SquareBoard(2, 2, lower=True)
    grid = board.grid([Cell(name) for name in board.names], downwards=True)
    assert [[cell.text for cell in row] for row in grid.rows] == [["a1", "b1"], ["a2", "b2"]]
    assert grid.row_labels == ("1", "2")
