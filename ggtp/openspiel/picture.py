"""Tables as the library writes them, drawn: boards in Forsyth-Edwards notation as boards, the rest line by line."""

from __future__ import annotations

import re

from ggtp.game import EMPTY, Cell, Grid, Note, Picture, letters

WIDE = 200
"""Characters of a line that are drawn."""
BOARD = re.compile(r"(?P<rows>(?:[A-Za-z0-9+~?]+/){3,}[A-Za-z0-9+~?]+)(?:\[(?P<held>[^\]]*)\])? (?P<rest>.*)")
FRAME = re.compile(r"\+-+\+")
CELLS = re.compile(r"[A-Za-z.*#]{2,30}")
CHESS = dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟", strict=True))


def draw(text: str, said: str, count_from: int | None = None) -> Picture:
    """The table, and a line below it; rows and columns of a plain board are numbered where it is known from what."""
    lines = ["".join(char if char.isprintable() else " " for char in line).rstrip() for line in text.splitlines()]
    found = BOARD.fullmatch(lines[0].strip()) if len(lines) == 1 else None
    grid = board(found["rows"]) if found else None
    if found is None and count_from is not None:
        plain = rectangle([line for line in lines if line], count_from)
        if plain is not None:
            return Picture((plain, Note(said, "muted")))
        lines = numbered(lines, count_from)
    if found is None or grid is None:
        return Picture((*(Note(line[:WIDE]) for line in lines if line), Note(said, "muted")))
    held = [Note(f"in hand: {found['held']}")] if found["held"] else []
    return Picture((grid, *held, Note(found["rest"], "muted"), Note(said, "muted")))


def numbered(lines: list[str], first: int) -> list[str]:
    """The lines, with the numbers of rows and columns at boards in frames."""
    found: list[str] = []
    row: int | None = None
    for line in lines:
        if FRAME.fullmatch(line):
            if row is None:
                found.append("   " + "".join(str((first + index) % 10) for index in range(len(line) - 2)))
            row = first if row is None else None
            found.append(f"  {line}")
        elif row is not None:
            found.append(f"{row:2}{line}")
            row += 1
        else:
            found.append(line)
    return found


def board(text: str) -> Grid | None:
    """A board from its rows, or None where they are not equally long.

    Eight columns are those of chess; on others they are numbered from the right and rows lettered, as in shogi.
    """
    rows = [_row(row) for row in text.split("/")]
    width = len(rows[0])
    if any(len(row) != width for row in rows):
        return None
    if width == 8:
        columns = tuple(label.lower() for label in letters(width))
        labels = tuple(str(row) for row in range(len(rows), 0, -1))
        cells = [[Cell(CHESS.get(cell.text, cell.text), cell.tone, cell.text) for cell in row] for row in rows]
    else:
        columns = tuple(str(column) for column in range(width, 0, -1))
        labels = tuple(label.lower() for label in letters(len(rows)))
        cells = rows
    return Grid(tuple(map(tuple, cells)), columns=columns, row_labels=labels, chequered=width == 8)


def rectangle(lines: list[str], first: int) -> Grid | None:
    """A board from lines of one character for each cell, or None where they are not that.

    Rows and columns are counted from the upper left.
    """
    if len(lines) < 2 or any(len(line) != len(lines[0]) or not CELLS.fullmatch(line) for line in lines):
        return None
    rows = tuple(tuple(_mark(char) for char in line) for line in lines)
    columns = tuple(str(first + index) for index in range(len(lines[0])))
    return Grid(rows, columns=columns, row_labels=tuple(str(first + index) for index in range(len(lines))))


def _mark(char: str) -> Cell:
    return EMPTY if char == "." else Cell(char, "first" if char.isupper() or char in "x#" else "second")


def _row(text: str) -> list[Cell]:
    cells: list[Cell] = []
    for part in re.findall(r"\d+|\+?[A-Za-z]~?|\?", text):
        if part.isdigit():
            cells += [EMPTY] * int(part)
        elif part == "?":
            cells.append(Cell("?", "muted"))
        else:
            cells.append(Cell(part, "first" if part.strip("+~").isupper() else "second"))
    return cells
