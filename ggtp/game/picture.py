"""Pictures as data: what a position looks like, for any front end to draw.

A picture is a column of parts. A *grid* is a board of cells with labels; a *note* is a line
of text. Cells and notes have a *tone*, a word that says what the thing is to the players
(`first`, `second`, `empty`, `mark`, ...); which colour that becomes is the front end's affair.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias
from unicodedata import east_asian_width

Tone: TypeAlias = Literal[
    "plain", "empty", "first", "second", "third", "fourth", "fifth", "sixth", "mark", "good", "bad", "muted"
]


@dataclass(frozen=True, slots=True)
class Cell:
    """One place on a board: what stands there, in a few characters."""

    text: str = ""
    tone: Tone = "plain"
    ascii: str = ""
    """What to write where only ASCII can be shown; empty: the same text."""


EMPTY = Cell(".", "empty")


@dataclass(frozen=True, slots=True)
class Grid:
    """A board of cells, the top row first, with labels on its sides."""

    rows: tuple[tuple[Cell, ...], ...]
    columns: tuple[str, ...] = ()
    """A label for each column, written above and below."""
    row_labels: tuple[str, ...] = ()
    """A label for each row, from the top, written at its left."""
    shape: Literal["square", "hex"] = "square"
    """In a hex grid each row is shifted half a cell to the right of the one above it."""
    chequered: bool = False
    """Whether the squares alternate, as on a chessboard."""


@dataclass(frozen=True, slots=True)
class Note:
    """A line of text beside the board."""

    text: str
    tone: Tone = "plain"


Part: TypeAlias = Grid | Note


@dataclass(frozen=True, slots=True)
class Picture:
    """What a position looks like, from top to bottom."""

    parts: tuple[Part, ...]

    def plain(self, *, ascii_only: bool = False) -> list[str]:
        """The picture as lines of plain text."""
        lines: list[str] = []
        for part in self.parts:
            lines += _plain_grid(part, ascii_only) if isinstance(part, Grid) else [part.text]
        return lines


def letters(count: int) -> tuple[str, ...]:
    """Column labels: A to Z, then AA, AB and so on."""
    labels = []
    for index in range(count):
        label, rest = "", index
        while rest >= 0:
            label = chr(ord("A") + rest % 26) + label
            rest = rest // 26 - 1
        labels.append(label)
    return tuple(labels)


def text_width(text: str) -> int:
    """How many columns of a terminal the text takes; chess pieces and suits take one, most CJK two."""
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in text)


def cell_text(cell: Cell, ascii_only: bool) -> str:
    """What to write for a cell."""
    return cell.ascii or cell.text if ascii_only else cell.text


def pad(text: str, width: int) -> str:
    """The text in the middle of `width` columns, to the left of it where they are uneven."""
    space = max(0, width - text_width(text))
    return " " * (space // 2) + text + " " * (space - space // 2)


def cell_width(grid: Grid, ascii_only: bool = False) -> int:
    """The width that the widest cell or column label of a grid needs."""
    widths = [text_width(cell_text(cell, ascii_only)) for row in grid.rows for cell in row]
    widths += [text_width(label) for label in grid.columns]
    return max(widths, default=1)


def _plain_grid(grid: Grid, ascii_only: bool) -> Iterator[str]:
    width = cell_width(grid, ascii_only)
    margin = max((text_width(label) for label in grid.row_labels), default=0)
    # Odd widths shift by whole columns, so a hex row's half cell is (width + 1) / 2.
    shift = (width + 1) // 2 if grid.shape == "hex" else 0

    def line(label: str, texts: Iterable[str], row: int) -> str:
        head = f"{label:>{margin}} " if margin else ""
        return (head + " " * (shift * row) + " ".join(pad(text, width) for text in texts)).rstrip()

    if grid.columns:
        yield line("", grid.columns, 0)
    for index, row in enumerate(grid.rows):
        label = grid.row_labels[index] if index < len(grid.row_labels) else ""
        yield line(label, [cell_text(cell, ascii_only) for cell in row], index)
