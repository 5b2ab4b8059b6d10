"""Square boards: names for the squares, lines of several in a row, one-line texts and grids.

A board is geometry only. What stands on it is the position's affair: a string with one mark
for each square, or one integer for each player with a bit for each square.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ggtp.game.picture import Cell, Grid, letters

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
"""The four ways in which a line can run, as steps east and north."""


class SquareBoard:
    """`columns` times `rows` squares, numbered row by row from the lower left: A1, B1, ..., A2, B2, ..."""

    __slots__ = ("columns", "labels", "names", "numbers", "rows")

    def __init__(self, columns: int, rows: int, *, lower: bool = False) -> None:
        """A board of that size; `lower` writes the columns in small letters, as chess players do."""
        if columns < 1 or rows < 1:
            raise ValueError("a board has at least one square")
        self.columns = columns
        self.rows = rows
        self.labels = tuple(label.lower() if lower else label for label in letters(columns))
        """The letters of the columns."""
        self.names = tuple(f"{label}{row}" for row in range(1, rows + 1) for label in self.labels)
        """The name of each square."""
        self.numbers: Mapping[str, int] = {name: index for index, name in enumerate(self.names)}
        """The number of each name."""

    @property
    def size(self) -> int:
        """How many squares there are."""
        return self.columns * self.rows

    def step(self, square: int, east: int, north: int) -> int | None:
        """The square so many steps away, or None where the board ends before."""
        row, column = divmod(square, self.columns)
        row, column = row + north, column + east
        return row * self.columns + column if 0 <= row < self.rows and 0 <= column < self.columns else None

    def lines(self, length: int) -> tuple[tuple[int, ...], ...]:
        """Every straight line of `length` squares: along rows, columns and diagonals."""
        return tuple(self._lines(length))

    def _lines(self, length: int) -> Iterator[tuple[int, ...]]:
        # A line of one square runs in no direction: it would be found four times.
        for east, north in DIRECTIONS if length > 1 else DIRECTIONS[:1]:
            for square in range(self.size):
                if self.step(square, east * (length - 1), north * (length - 1)) is not None:
                    row_step = north * self.columns + east
                    yield tuple(square + index * row_step for index in range(length))

    def lines_through(self, length: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """For each square, the other squares of each line that it belongs to.

        A stone put on a square wins if, on one of these, all the others are its player's.
        """
        through: list[list[tuple[int, ...]]] = [[] for _ in range(self.size)]
        for line in self._lines(length):
            for square in line:
                through[square].append(tuple(other for other in line if other != square))
        return tuple(tuple(others) for others in through)

    def line_masks(self, length: int) -> tuple[int, ...]:
        """Every line as an integer with its squares' bits set."""
        return tuple(sum(1 << square for square in line) for line in self._lines(length))

    def marks(self, sides: Sequence[int], letters: str) -> str:
        """A letter for each square: the side's that has its bit there, or `.`."""
        return "".join(
            next((letter for side, letter in zip(sides, letters, strict=True) if side >> square & 1), ".")
            for square in range(self.size)
        )

    def text(self, marks: Sequence[str]) -> str:
        """The marks of the squares on one line, row 1 first, rows apart by `/`."""
        width = self.columns
        return "/".join("".join(marks[start : start + width]) for start in range(0, self.size, width))

    def grid(self, cells: Sequence[Cell], *, chequered: bool = False, downwards: bool = False) -> Grid:
        """The squares as a grid to draw, row 1 at the bottom, or at the top where rows are counted downwards."""
        width = self.columns
        rows = tuple(tuple(cells[start : start + width]) for start in range(0, self.size, width))
        row_labels = tuple(str(row) for row in range(1, self.rows + 1))
        if not downwards:
            rows, row_labels = rows[::-1], row_labels[::-1]
        return Grid(rows, columns=self.labels, row_labels=row_labels, chequered=chequered)


def bits(mask: int) -> Iterator[int]:
    """The numbers of the bits that are set, the lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
