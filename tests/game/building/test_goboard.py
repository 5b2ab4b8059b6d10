"""Facts about Go boards."""

from __future__ import annotations

import pytest

from ggtp.game.building.goboard import go_board


def stones(size: int, *names: str) -> int:
    board = go_board(size)
    return sum(board.bits[board.numbers[name]] for name in names)


def test_there_is_no_column_called_i() -> None:
    assert "".join(go_board(19).labels) == "ABCDEFGHJKLMNOPQRST"
    assert go_board(9).numbers["J9"] == 80


def test_neighbours_stop_at_the_edge() -> None:
    board = go_board(3)
    assert board.near(stones(3, "C1")) == stones(3, "B1", "C2")
    assert board.near(stones(3, "B2")) == stones(3, "A2", "C2", "B1", "B3")


def test_chains_are_apart_where_nothing_joins_them() -> None:
    board = go_board(4)
    chains = set(board.chains(stones(4, "A1", "A2", "B2", "D4", "D2")))
    assert chains == {stones(4, "A1", "A2", "B2"), stones(4, "D4"), stones(4, "D2")}


def test_a_survey_says_what_a_stone_takes() -> None:
    board = go_board(3)
    breathing, taken = board.survey(stones(3, "A2", "C1"), stones(3, "A1", "B2"))
    assert taken == {stones(3, "B1"): stones(3, "A1")}
    assert breathing & stones(3, "C2") == stones(3, "C2")
    both = board.survey(stones(3, "A2", "C2", "B3"), stones(3, "A1", "C1", "B2"))[1]
    assert both == {stones(3, "B1"): stones(3, "A1", "C1", "B2")}


def test_a_point_without_liberties_takes_its_own_stone() -> None:
    board = go_board(3)
    breathing, taken = board.survey(0, stones(3, "A2", "B1", "B2"))
    assert not taken
    assert not breathing & stones(3, "A1")
    assert breathing & stones(3, "C3")


def test_territory_is_what_one_colour_surrounds() -> None:
    board = go_board(3)
    black, white = board.territory(stones(3, "A2", "B2", "B1"), stones(3, "C1", "C2", "C3"))
    assert (black, white) == (stones(3, "A1"), 0)


def test_handicap_stones() -> None:
    board = go_board(19)
    assert board.handicap(2) == stones(19, "D4", "Q16")
    assert board.handicap(5) == stones(19, "D4", "Q16", "D16", "Q4", "K10")
    assert board.handicap(6) == stones(19, "D4", "Q16", "D16", "Q4", "D10", "Q10")
    assert board.handicap(9).bit_count() == 9
    assert len(go_board(8).stars()) == 4
    assert go_board(6).stars() == ()


@pytest.mark.parametrize(
    ("rows", "eyes"),
    [
        (("....", ".XXX", ".X.X", ".XXX"), "C2"),  # whole
        ((".....", ".XX..", ".X.X.", ".XXX.", "....."), "C3"),  # one corner is missing
        ((".....", "..X..", ".X.X.", ".XXX.", "....."), ""),  # two are
        (("....", "....", "XX..", ".X.."), "A1"),  # in the corner of the board
        (("....", "....", ".X..", "X.X."), ""),  # an edge wants all of them
        (("....", "....", "XXX.", "X.X."), "B1"),
    ],
)
def test_eyes(rows: tuple[str, ...], eyes: str) -> None:
    board = go_board(len(rows))
    marks = "".join(rows[::-1])
    own = sum(bit for bit, mark in zip(board.bits, marks, strict=True) if mark == "X")
    found = board.eyes(own)
    assert [name for name, bit in zip(board.names, board.bits, strict=True) if bit & found] == eyes.split()
