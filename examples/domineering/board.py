"""Where dominoes lie, and where one more fits."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from ggtp.game import EMPTY, Cell
from ggtp.game.building.boards import SquareBoard
from ggtp.game.picture import Grid

UPRIGHT, FLAT = 0, 1
"""The ways in which a domino can lie, which are the numbers of the players."""
CELLS = {"V": Cell("V", "first"), "H": Cell("H", "second"), ".": EMPTY}


class Board:
    """A square board. A domino is named after its lower or left square."""

    def __init__(self, size: int) -> None:
        self.squares = SquareBoard(size, size)
        steps = {UPRIGHT: (0, 1), FLAT: (1, 0)}
        self._masks = {way: self._dominoes(*step) for way, step in steps.items()}

    def _dominoes(self, east: int, north: int) -> dict[int, int]:
        """The bits that a domino covers, by the square that names it."""
        board = self.squares
        others = ((square, board.step(square, east, north)) for square in range(board.size))
        return {square: 1 << square | 1 << other for square, other in others if other is not None}

    def mask(self, way: int, square: int) -> int:
        """The bits of the squares that a domino covers."""
        return self._masks[way][square]

    def fitting(self, way: int, covered: int) -> tuple[int, ...]:
        """The squares where a domino fits, given the bits of those that are covered."""
        return tuple(square for square, mask in self._masks[way].items() if not covered & mask)

    def marks(self, covered: Sequence[int]) -> str:
        """A letter for each square, given the bits that each player's dominoes cover."""
        return self.squares.marks(covered, "VH")

    def grid(self, covered: Sequence[int]) -> Grid:
        """The board as it is drawn."""
        return self.squares.grid([CELLS[mark] for mark in self.marks(covered)])


@cache
def board_of(size: int) -> Board:
    """The board of that size, made once."""
    return Board(size)
