"""Text in columns, and times for people: tables, reports and benchmarks are written with these."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ggtp.game.picture import text_width

DAY, HOUR, MINUTE = 86_400, 3600, 60


def columns(rows: Iterable[Sequence[str]], *, right: Iterable[int] | None = None) -> list[str]:
    """Return the rows as lines whose cells stand below each other; rows may be of different lengths.

    Args:
        rows: the cells of each row; a head is a row like the others.
        right: the columns to align on the right; by default all but the first.
    """
    table = [list(row) for row in rows]
    widths = [0] * max(map(len, table), default=0)
    for row in table:
        for column, cell in enumerate(row):
            widths[column] = max(widths[column], text_width(cell))
    aligned = frozenset(range(1, len(widths)) if right is None else right)
    padded = ([_padded(cell, widths[column], column in aligned) for column, cell in enumerate(row)] for row in table)
    return ["  ".join(cells).rstrip() for cells in padded]


def _padded(cell: str, width: int, right: bool) -> str:
    space = " " * (width - text_width(cell))
    return space + cell if right else cell + space


def duration(seconds: float) -> str:
    """Return a time with the two units that matter: `45 s`, `12 min`, `3 h 20 min`, `2 d 3 h`."""
    whole = int(seconds)
    if whole < 90:
        return f"{whole} s"
    if whole < 90 * MINUTE:
        return f"{whole // MINUTE} min"
    if whole < 2 * DAY:
        return f"{whole // HOUR} h {whole % HOUR // MINUTE} min"
    return f"{whole // DAY} d {whole % DAY // HOUR} h"
