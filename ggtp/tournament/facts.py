"""What a journal keeps of each move: the time, and what the engine told of its search."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite

import msgspec

MOST_NUMBER = 2**63 - 1
"""No depth and no count of nodes is larger."""


class MoveFacts(msgspec.Struct, frozen=True, omit_defaults=True):
    """The facts of a move. The journal leaves unknown ones out."""

    seconds: float | None = None
    """The time that the engine took; None where no engine was asked."""
    left: float | None = None
    """The seconds left in its bank after the move, increment included."""
    value: float | None = None
    """What the engine expected for itself, from 0, lost, to 100, won."""
    score: str = ""
    """The same in the engine's own words, as `cp 35` or `mate -3`."""
    depth: int | None = None
    seldepth: int | None = None
    nodes: int | None = None
    """Positions, or playouts where the engine counts those alone."""
    line: str = ""
    """How the engine expected the game to go on, in its own words."""


def facts_from(player: str, seconds: float | None, left: float | None, search: Mapping[str, str]) -> MoveFacts:
    """The facts of a player's move; `search` has what its engine said, by name. What can't be read is left out."""
    return MoveFacts(
        seconds=None if seconds is None else round(seconds, 4),
        left=None if left is None else round(left, 3),
        value=_value(player, search.get("value", "")),
        score=search.get("score", ""),
        depth=_count(search, "depth"),
        seldepth=_count(search, "seldepth"),
        nodes=_count(search, "nodes", "playouts"),
        line=search.get("line", ""),
    )


def trimmed(facts: Iterable[MoveFacts]) -> tuple[MoveFacts, ...]:
    """The facts of a game's moves, without those at the end that tell nothing."""
    kept = list(facts)
    while kept and kept[-1] == NOTHING:
        kept.pop()
    return tuple(kept)


NOTHING = MoveFacts()


def both(first: Sequence[MoveFacts], begin: int, then: Iterable[MoveFacts]) -> tuple[MoveFacts, ...]:
    """The facts of the first `begin` moves, as far as they are known, and those of the moves behind them."""
    kept = first[:begin]
    return trimmed((*kept, *[NOTHING] * (begin - len(kept)), *then))


def _value(player: str, text: str) -> float | None:
    """`61.5`, or the player's own in `Cross 61.5 Circle 38.5`."""
    _, named, rest = f" {text}".rpartition(f" {player} ")
    try:
        value = float((rest if named else text).split(" ")[0])
    except ValueError:
        return None
    return round(value, 2) if isfinite(value) and 0 <= value <= 100 else None


def _count(search: Mapping[str, str], *names: str) -> int | None:
    for name in names:
        text = search.get(name, "")
        if text.isascii() and text.isdigit() and len(text) < 20:
            return min(int(text), MOST_NUMBER)
    return None
