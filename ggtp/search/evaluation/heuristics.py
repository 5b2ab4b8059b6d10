"""Heuristic values about positions of games that nobody has explained: points from 0 to 100, for one player.

*Mobility*: who can do more stands better. *Novelty*: the farther from where the game began, the
nearer its end. *Proximity*: the points that the rule would give already now, where it gives any
before the end. Those that are wanted are averaged; proximity, which is about this game and not
about games, counts as much as the others together.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

EVEN = 50.0
LEAST, MOST = 1.0, 99.0
"""A heuristic value is never as bad as a loss and never as good as a win."""
NOVEL = 20.0
"""How many points novelty can make, around an even score. Whoever loses everything has changed much, too: it may decide
among positions of equal mobility, but not against that."""
SMALLEST = 8
"""The distance that counts as half of all novelty, where a game begins with next to nothing."""


def distance(one: Hashable, other: Hashable) -> int:
    """In how many places two keys of positions differ: bits of numbers, letters of words, members of sets."""
    if one == other:
        return 0
    if isinstance(one, tuple) and isinstance(other, tuple):
        apart = abs(len(one) - len(other))
        for mine, yours in zip(one, other, strict=False):
            # Most keys are tuples of numbers, and this is asked at every position.
            if type(mine) is int and type(yours) is int:
                apart += (mine ^ yours).bit_count()
            elif mine is not yours:
                apart += distance(mine, yours)
        return apart
    if isinstance(one, frozenset) and isinstance(other, frozenset):
        return len(one ^ other)
    if isinstance(one, str) and isinstance(other, str):
        return sum(a != b for a, b in zip(one, other, strict=False)) + abs(len(one) - len(other))
    if isinstance(one, bytes) and isinstance(other, bytes):
        return (int.from_bytes(one, "little") ^ int.from_bytes(other, "little")).bit_count()
    if isinstance(one, int) and isinstance(other, int):
        return (one ^ other).bit_count()
    return 1


def size(key: Hashable) -> int:
    """How much there is in a key, counted as `distance` counts."""
    if isinstance(key, tuple):
        return sum(map(size, key))
    if isinstance(key, frozenset | str):
        return len(key)
    if isinstance(key, bytes):
        return int.from_bytes(key, "little").bit_count()
    return key.bit_count() if isinstance(key, int) else 1


def mobility(choices: Sequence[float], player: int, usual: float) -> float:
    """What a player's choices are worth against those of the others, or alone against what is usual."""
    own = choices[player]
    others = len(choices) - 1
    against = (sum(choices) - own) / others if others else usual
    return 100 * own / (own + against) if own + against else EVEN


class Novelty:
    """How far positions are from the first one."""

    __slots__ = ("_first", "_half")

    def __init__(self, first: Hashable) -> None:
        self._first = first
        self._half = max(SMALLEST, size(first))

    def __call__(self, key: Hashable) -> float:
        """Points that grow with the distance."""
        apart = distance(self._first, key)
        return EVEN - NOVEL / 2 + NOVEL * apart / (apart + self._half)


def proximity(points: Sequence[float], player: int, opposed: bool) -> float:
    """What a player would have now; where two play against each other, how far it is ahead."""
    if opposed:
        return EVEN + (points[player] - points[1 - player]) / 2
    return points[player]


def blend(mobile: float | None, novel: float | None, near: float | None) -> float:
    """One heuristic value of those that there are."""
    heuristic = novel if mobile is None else mobile if novel is None else (mobile + novel) / 2
    if near is not None:
        heuristic = near if heuristic is None else (heuristic + near) / 2
    if heuristic is None:
        return EVEN
    return LEAST if heuristic < LEAST else MOST if heuristic > MOST else heuristic
