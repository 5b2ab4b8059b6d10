"""Boards that look the same when they are turned or mirrored, and so do the plays on them.

A symmetry is a mapping of the names in moves, of squares or columns, to other names; what it does
not have, such as `pass`, stays. A rule declares those of its board (`Rules.symmetries`), and that a
play with other names is the same play: same moves to choose from, same result.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

Symmetry: TypeAlias = Mapping[str, str]
Place: TypeAlias = tuple[int, int]
"""Column and row, from 0."""

MIRROR = "mirror"
HALF_TURN = "half turn"
DIAGONALS = "diagonals"
TURNS = "turns"

_WAYS: dict[str, tuple[Callable[[int, int, int, int], Place], ...]] = {
    MIRROR: (lambda x, y, w, h: (w - x, y),),
    HALF_TURN: (lambda x, y, w, h: (w - x, h - y),),
    DIAGONALS: (lambda x, y, w, h: (y, x), lambda x, y, w, h: (w - y, h - x)),
    TURNS: (lambda x, y, w, h: (w - y, x), lambda x, y, w, h: (y, h - x), lambda x, y, w, h: (x, h - y)),
}
"""Where a place goes, on a board whose last column and row are `w` and `h`."""
ALL = (MIRROR, HALF_TURN, DIAGONALS, TURNS)
"""The seven symmetries of a square besides staying as it is."""


@lru_cache(maxsize=64)
def board_symmetries(names: tuple[str, ...], columns: int, ways: tuple[str, ...]) -> tuple[Symmetry, ...]:
    """The mappings of a board's names, row by row, for some of `ALL`; all but the first two need a square."""
    rows = len(names) // columns
    found = []
    for way in ways:
        for move in _WAYS[way]:
            places = [move(index % columns, index // columns, columns - 1, rows - 1) for index in range(len(names))]
            found.append({name: names[y * columns + x] for name, (x, y) in zip(names, places, strict=True)})
    return tuple(found)


def renamed(symmetry: Symmetry, move: str) -> str:
    """A move with the other names."""
    return _renamer(symmetry)(move)


def _renamer(symmetry: Symmetry) -> Callable[[str], str]:
    """A function that gives moves the other names."""
    pattern = _pattern((*symmetry,))
    return lambda move: pattern.sub(lambda found: symmetry[found[0]], move)


@lru_cache(maxsize=64)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    # The longest first: A10 is not A1 and a nought.
    return re.compile("|".join(re.escape(name) for name in sorted(names, key=len, reverse=True)) or r"(?!)")


def simplest(symmetries: Sequence[Symmetry], moves: Sequence[str]) -> tuple[str, ...]:
    """Of a play and all that look the same, the one that comes first; moves are `PLAYER MOVE`."""
    parts = [move.partition(" ")[::2] for move in moves]
    # Lists, since a tuple that is made of a generator is cut to its length, and CPython keeps what was so long.
    plays = [list(moves)]
    for symmetry in symmetries:
        rename = _renamer(symmetry)
        plays.append([f"{player} {rename(move)}" for player, move in parts])
    return tuple(min(plays))
