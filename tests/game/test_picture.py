"""Pictures as plain text."""

from __future__ import annotations

import pytest

from ggtp.game.picture import EMPTY, Cell, Grid, Note, Picture, cell_text, cell_width, letters, pad, text_width

CROSS = Cell("X", "first")
KING = Cell("♔", "first", ascii="K")


def test_a_board_has_its_labels() -> None:
    grid = Grid(((EMPTY, CROSS), (CROSS, EMPTY)), columns=("A", "B"), row_labels=("2", "1"))
    assert Picture((grid, Note("Cross to move"))).plain() == ["  A B", "2 . X", "1 X .", "Cross to move"]


def test_a_board_without_labels() -> None:
    assert Picture((Grid(((EMPTY, CROSS),)),)).plain() == [". X"]


def test_ascii_is_used_where_there_is_some() -> None:
    picture = Picture((Grid(((KING, CROSS),)),))
    assert picture.plain() == ["♔ X"]
    assert picture.plain(ascii_only=True) == ["K X"]


def test_cells_are_as_wide_as_the_widest() -> None:
    grid = Grid(((Cell("10"), Cell("1")), (Cell("2"), Cell("3"))), columns=("A", "B"))
    assert cell_width(grid) == 2
    assert Picture((grid,)).plain() == ["A  B", "10 1", "2  3"]


def test_wide_characters_take_two_columns() -> None:
    grid = Grid(((Cell("将"), Cell("a")), (Cell("b"), Cell("c"))))
    assert text_width("将a") == 3
    assert Picture((grid,)).plain() == ["将 a", "b  c"]


def test_a_hex_board_is_shifted_row_by_row() -> None:
    grid = Grid(((EMPTY, EMPTY), (EMPTY, EMPTY), (EMPTY, EMPTY)), shape="hex", row_labels=("3", "2", "1"))
    assert Picture((grid,)).plain() == ["3 . .", "2  . .", "1   . ."]


@pytest.mark.parametrize(
    ("count", "last"), [(1, "A"), (26, "Z"), (27, "AA"), (28, "AB"), (52, "AZ"), (53, "BA"), (702, "ZZ"), (703, "AAA")]
)
def test_letters(count: int, last: str) -> None:
    labels = letters(count)
    assert labels[-1] == last
    assert len(set(labels)) == len(labels) == count


def test_no_letters() -> None:
    assert letters(0) == ()


@pytest.mark.parametrize(("width", "text"), [(0, "ab"), (2, "ab"), (3, "ab "), (4, " ab ")])
def test_pad(width: int, text: str) -> None:
    assert pad("ab", width) == text


def test_cell_text_falls_back_to_the_text() -> None:
    assert cell_text(CROSS, True) == "X"
    assert cell_text(KING, False) == "♔"
