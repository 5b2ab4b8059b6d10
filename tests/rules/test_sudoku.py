"""Facts about Sudoku."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
from support.oracles import moves, play, start

from ggtp.errors import IllegalMove, MalformedMove, OptionError
from ggtp.game import OVER, Position, Standing

sudoku = importlib.import_module("ggtp.rules.sudoku")
ALL = [(size, number) for size, puzzles in sudoku.PUZZLES.items() for number in range(1, len(puzzles) + 1)]


def solutions(game: Any, state: str, most: int = 2) -> list[str]:
    """Fills the cell with the fewest digits first."""
    open_cells = [
        (len(digits := game.open_digits(state, cell)), cell, digits) for cell, mark in enumerate(state) if mark == "."
    ]
    if not open_cells:
        return [state]
    found: list[str] = []
    _, cell, digits = min(open_cells)
    for digit in digits:
        found += solutions(game, f"{state[:cell]}{digit}{state[cell + 1 :]}", most - len(found))
        if len(found) >= most:
            break
    return found


@pytest.mark.parametrize(("size", "number"), ALL)
def test_every_puzzle_has_one_solution(size: int, number: int) -> None:
    puzzle = sudoku.PUZZLES[size][number - 1]
    (solution,) = solutions(sudoku.sudoku_of(size, puzzle), puzzle)
    position: Position = start("sudoku", size=str(size), puzzle=str(number))
    for cell, (asked, digit) in enumerate(zip(puzzle, solution, strict=True)):
        if asked == ".":
            position = play(position, f"r{cell // size + 1}c{cell % size + 1}={digit}")
    result = position.result()
    assert position.turn() is OVER
    assert result is not None
    assert (result.standings["Solo"], result.scores["Solo"]) == (Standing.WIN, 100)
    for part in range(size):
        assert len(set(solution[part * size : part * size + size])) == size
        assert len(set(solution[part::size])) == size


def test_a_digit_fits_only_where_no_other_is() -> None:
    position = start("sudoku", size="4", puzzle="1... .... .... ....")
    found = moves(position)
    assert "r1c2=1" not in found
    assert "r3c1=1" not in found
    assert "r2c2=1" not in found
    assert {"r3c3=1", "r1c2=2"} <= set(found)


def test_who_is_stuck_has_lost() -> None:
    position = play(start("sudoku", size="4", puzzle="12.. ..3. .... ...."), "r1c3=4")
    while position.turn() is not OVER:
        position = play(position, moves(position)[0])
    result = position.result()
    assert result is not None
    assert result.standings["Solo"] is Standing.LOSS
    assert result.reason.startswith("no digit fits into")
    assert result.scores["Solo"] < 100


@pytest.mark.parametrize("text", ["r1c2=4", "R1C2 4", "124", "1 2 4"])
def test_ways_to_write_a_move(text: str) -> None:
    assert start("sudoku", size="4", puzzle="1" + "." * 15).parse("Solo", text) == "r1c2=4"


def test_what_does_not_fit_is_no_move() -> None:
    position = start("sudoku", size="4", puzzle="1" + "." * 15)
    for text, error, said in (
        ("r1c2=1", IllegalMove, "there is a 1 in r1c1, which is of the same row"),
        ("r1c1=2", IllegalMove, "there is a 1 in r1c1"),
        ("r1c2=5", MalformedMove, "a digit that fits"),
        ("A1", MalformedMove, "a digit that fits"),
    ):
        with pytest.raises(error, match=said):
            position.parse("Solo", text)


@pytest.mark.parametrize(
    ("puzzle", "said"),
    [
        ("99", "there are 1 to"),
        ("12", "there are 1 to"),
        ("1.2", "81 cells"),
        ("11" + "." * 79, "twice"),
        ("x" * 81, "81 cells"),
    ],
)
def test_what_is_no_puzzle(puzzle: str, said: str) -> None:
    with pytest.raises(OptionError, match=said):
        start("sudoku", puzzle=puzzle)


def test_the_picture_shows_the_boxes() -> None:
    assert start("sudoku", size="4").picture(None).plain() == [
        "  1 2   3 4", "1 . . | . 2", "2 3 2 | . .", "  - - + - -", "3 . 1 | 2 3", "4 . . | 4 .", "9 cells are open"
    ]  # fmt: skip
