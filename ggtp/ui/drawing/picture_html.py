"""Pictures as HTML: every part drawn as SVG that fits any width, with a numbered place for each text that may change.

A picture's *layout* is what stays the same from move to move: grids, labels, how many notes there are. Its *slots* are
the cells and notes, counted from 0. A page holds each layout once, and of each position only what the slots hold; the
page's script puts that in. `picture_html` does the same here, for a picture alone.

Nothing here makes `style` attributes, which a strict content security policy would refuse: colours are classes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final, TypeAlias

from ggtp.game.picture import Cell, Note, Picture, text_width

SIDE: Final = 40
"""The height of a cell, and its least width."""
LETTER: Final = 13
"""What each character adds to the width of a cell whose texts are longer than two."""
LABEL: Final = 16
"""The size of labels."""
NOTE: Final = 26
"""The height of a note's line."""

Slot: TypeAlias = tuple[str, str]
"""A text and its tone."""


@dataclass(frozen=True, slots=True)
class GridLayout:
    """What stays the same of a grid."""

    widths: tuple[int, ...]
    """How many cells each row has."""
    columns: tuple[str, ...]
    row_labels: tuple[str, ...]
    hexagonal: bool
    chequered: bool


@dataclass(frozen=True, slots=True)
class Layout:
    """What stays the same of a picture: its grids, and None for each note."""

    parts: tuple[GridLayout | None, ...]


def layout_of(picture: Picture) -> tuple[Layout, list[Slot]]:
    """A picture taken apart: its layout, and what is in its slots."""
    parts: list[GridLayout | None] = []
    slots: list[Slot] = []
    for part in picture.parts:
        if isinstance(part, Note):
            parts.append(None)
            slots.append((part.text, part.tone))
        else:
            widths = tuple(len(row) for row in part.rows)
            parts.append(GridLayout(widths, part.columns, part.row_labels, part.shape == "hex", part.chequered))
            slots += [cell_slot(cell) for row in part.rows for cell in row]
    return Layout(tuple(parts)), slots


def cell_slot(cell: Cell) -> Slot:
    """What a cell shows. The dot of an empty place is for terminals: a square is seen to be empty."""
    return ("" if cell.tone == "empty" and cell.text in (".", "·") else cell.text), cell.tone


def picture_html(picture: Picture) -> str:
    """A picture alone."""
    layout, slots = layout_of(picture)
    return layout_html(layout, [text_width(text) for text, _ in slots], slots.__getitem__)


def layout_html(layout: Layout, widths: Sequence[int], slot: Callable[[int], Slot] | None = None) -> str:
    """A layout, with room for texts as wide as `widths` says for each slot; empty where no slots are given."""
    pieces: list[str] = []
    number = 0
    for part in layout.parts:
        if part is None:
            text, tone = slot(number) if slot else ("", "plain")
            pieces.append(f'<p class="note t-{escape(tone)}" data-slot="{number}">{escape(text)}</p>')
            number += 1
        else:
            count = sum(part.widths)
            widest = max([*widths[number : number + count], *map(text_width, part.columns), 1])
            pieces.append("".join(_grid(part, widest, number, slot)))
            number += count
    return f'<div class="picture">{"".join(pieces)}</div>'


def _grid(grid: GridLayout, widest: int, first: int, slot: Callable[[int], Slot] | None) -> Iterator[str]:
    width = SIDE if widest <= 2 else max(SIDE, widest * LETTER + 12)
    if grid.hexagonal:
        width = max(width, 46)
    step = SIDE * 1.0 if not grid.hexagonal else SIDE * 0.86
    left = max((text_width(label) for label in grid.row_labels), default=0) * 10 + (12 if grid.row_labels else 2)
    top = LABEL + 10 if grid.columns else 2
    lean = width / 2 if grid.hexagonal else 0
    rows = len(grid.widths)
    across = left + width * max(grid.widths, default=0) + lean * max(0, rows - 1) + 4
    down = top + step * max(0, rows - 1) + SIDE + 4
    size = "small" if widest > 2 else "two" if widest == 2 else "one"
    # Not wider than it needs, so that small boards are not blown up; and at most as wide as there is room.
    yield f'<svg class="board {size}" viewBox="0 0 {across:g} {down:g}" width="{across:g}" height="{down:g}" '
    yield 'role="img" focusable="false">'
    for column, label in enumerate(grid.columns):
        yield f'<text class="label" x="{left + width * (column + 0.5):g}" y="{LABEL:g}">{escape(label)}</text>'
    number = first
    for row, count in enumerate(grid.widths):
        shift, y = left + lean * row, top + step * row
        if row < len(grid.row_labels):
            label = escape(grid.row_labels[row])
            yield f'<text class="label end" x="{shift - 6:g}" y="{y + SIDE / 2 + 5:g}">{label}</text>'
        for column in range(count):
            dark = grid.chequered and (rows - 1 - row + column) % 2 == 0
            text, tone = slot(number) if slot else ("", "empty")
            yield f'<g class="cell t-{escape(tone)}{" dark" if dark else ""}" data-slot="{number}">'
            yield _outline(grid.hexagonal, shift + width * column, y, width)
            x, middle = shift + width * (column + 0.5), y + SIDE / 2
            yield f'<text x="{x:g}" y="{middle:g}">{escape(text)}</text></g>'
            number += 1
    yield "</svg>"


def _outline(hexagonal: bool, x: float, y: float, width: float) -> str:
    if not hexagonal:
        return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{SIDE}"/>'
    half, low, high = width / 2, y - SIDE * 0.14 * 0.5, y + SIDE * 1.07
    points = [
        (x + half, low), (x + width, y + SIDE * 0.23), (x + width, y + SIDE * 0.77),
        (x + half, high), (x, y + SIDE * 0.77), (x, y + SIDE * 0.23),
    ]  # fmt: skip
    return f'<polygon points="{" ".join(f"{a:g},{b:g}" for a, b in points)}"/>'
