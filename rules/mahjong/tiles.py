"""Mah Jong tiles: their names, which of them make a hand, and how far a hand is from one.

A kind of tile is a number from 0 to 33: characters 1 to 9, circles, bamboos, the winds East South
West North, the dragons White Green Red. Tiles are counted: a tuple or list with a count for each
kind. Written they are `1m` to `9m`, `1p`, `1s`, and `1z` to `7z`; many as `123m44p5z`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

KINDS = 34
TILES = tuple(f"{number}{suit}" for suit in "mps" for number in range(1, 10)) + tuple(f"{n}z" for n in range(1, 8))
NUMBERS = {name: kind for kind, name in enumerate(TILES)}
ALIASES = {
    "e": "1z", "east": "1z", "s": "2z", "south": "2z", "w": "3z", "west": "3z", "n": "4z", "north": "4z",
    "white": "5z", "haku": "5z", "green": "6z", "hatsu": "6z", "red": "7z", "chun": "7z",
}  # fmt: skip
SUITS = ((0, 9), (9, 18), (18, 27))
HONOURS = range(27, 34)
TERMINALS = frozenset((0, 8, 9, 17, 18, 26))
ENDS = TERMINALS | frozenset(HONOURS)
"""The kinds that are no simples."""
ORPHANS = tuple(sorted(ENDS))


def text_of(counts: Sequence[int]) -> str:
    """Tiles as `123m44p5z`; `-` for none."""
    parts = []
    for suit, (low, high) in zip("mpsz", (*SUITS, (27, 34)), strict=True):
        numbers = "".join(str(kind - low + 1) * counts[kind] for kind in range(low, high))
        if numbers:
            parts.append(numbers + suit)
    return "".join(parts) or "-"


def read_tiles(text: str) -> list[int]:
    """The kinds of the tiles that are written so, in order.

    Raises:
        ValueError: it is no list of tiles.
    """
    if text == "-":
        return []
    if not re.fullmatch(r"(?:[1-9]+[mps]|[1-7]+z)+", text):
        raise ValueError(f"{text[:40]} is no list of tiles")
    found = []
    for numbers, suit in re.findall(r"([1-9]+)([mpsz])", text):
        found += [NUMBERS[number + suit] for number in numbers]
    return found


def count(kinds: Iterable[int]) -> list[int]:
    """How many there are of each kind."""
    counts = [0] * KINDS
    for kind in kinds:
        counts[kind] += 1
    return counts


def splits(counts: Sequence[int]) -> list[tuple[int, tuple[tuple[int, int], ...]]]:
    """Every way to make a pair and sets of concealed tiles: the pair, and each set's first kind and size of step.

    A set is `(kind, 1)` for a run that begins there and `(kind, 0)` for three alike.
    """
    found = []
    for pair in range(KINDS):
        if counts[pair] >= 2:
            rest = list(counts)
            rest[pair] -= 2
            found += [(pair, sets) for sets in _sets(rest, 0)]
    return found


def _sets(counts: list[int], low: int) -> list[tuple[tuple[int, int], ...]]:
    while low < KINDS and not counts[low]:
        low += 1
    if low == KINDS:
        return [()]
    found = []
    if counts[low] >= 3:
        counts[low] -= 3
        found += [((low, 0), *rest) for rest in _sets(counts, low)]
        counts[low] += 3
    if low < 27 and low % 9 < 7 and counts[low + 1] and counts[low + 2]:
        for step in range(3):
            counts[low + step] -= 1
        found += [((low, 1), *rest) for rest in _sets(counts, low)]
        for step in range(3):
            counts[low + step] += 1
    return found


@lru_cache(maxsize=1 << 16)
def _suit_splits(numbers: tuple[int, ...]) -> bool:
    """Whether the tiles of one suit make sets, and a pair where their number leaves two over."""
    over = sum(numbers) % 3
    if over == 1:
        return False
    if over == 2:
        return any(
            amount >= 2 and _suit_splits((*numbers[:at], amount - 2, *numbers[at + 1 :]))
            for at, amount in enumerate(numbers)
        )
    left = list(numbers)
    for at in range(9):
        runs = left[at] % 3
        if runs:
            if at > 6 or left[at + 1] < runs or left[at + 2] < runs:
                return False
            left[at + 1] -= runs
            left[at + 2] -= runs
    return True


def complete(counts: Sequence[int], melds: int = 0) -> bool:
    """Whether concealed tiles, with so many melds beside them, make a hand: sets and a pair, pairs, or orphans."""
    pairs = 0
    good = True
    for kind in HONOURS:
        amount = counts[kind]
        if amount == 2:
            pairs += 1
        elif amount not in (0, 3):
            good = False
    if good and pairs < 2:
        for low, high in SUITS:
            numbers = tuple(counts[low:high])
            over = sum(numbers) % 3
            if over == 2:
                pairs += 1
            if over == 1 or pairs > 1 or not _suit_splits(numbers):
                break
        else:
            if pairs == 1:
                return True
    return not melds and (seven_pairs(counts) or thirteen_orphans(counts))


def seven_pairs(counts: Sequence[int]) -> bool:
    """Whether these are seven different pairs."""
    return sum(amount == 2 for amount in counts) == 7


def thirteen_orphans(counts: Sequence[int]) -> bool:
    """Whether these are all terminals and honours, one of them twice."""
    return sum(counts) == 14 and all(counts[kind] for kind in ORPHANS) and sum(counts[k] for k in ORPHANS) == 14


def waits(counts: Sequence[int], melds: int = 0) -> list[int]:
    """The kinds that complete a hand that is short of one tile; not those of which it has all four itself."""
    if distance(counts, melds) > 0:
        return []
    found, trial = [], list(counts)
    for kind in range(KINDS):
        if trial[kind] < 4:
            trial[kind] += 1
            if complete(trial, melds):
                found.append(kind)
            trial[kind] -= 1
    return found


@lru_cache(maxsize=1 << 16)
def _blocks(numbers: tuple[int, ...]) -> tuple[tuple[int, int, int], ...]:
    """What the tiles of a suit can be cut into: sets, pairs or halves of runs, and whether a pair is set apart."""
    found: set[tuple[int, int, int]] = set()

    def cut(left: list[int], at: int, sets: int, halves: int, pair: int) -> None:
        while at < len(left) and not left[at]:
            at += 1
        if at == len(left):
            found.add((sets, halves, pair))
            return
        runs = len(left) == 9
        if left[at] >= 3:
            left[at] -= 3
            cut(left, at, sets + 1, halves, pair)
            left[at] += 3
        if runs and at < 7 and left[at + 1] and left[at + 2]:
            for step in range(3):
                left[at + step] -= 1
            cut(left, at, sets + 1, halves, pair)
            for step in range(3):
                left[at + step] += 1
        if left[at] >= 2:
            left[at] -= 2
            if not pair:
                cut(left, at, sets, halves, 1)
            cut(left, at, sets, halves + 1, pair)
            left[at] += 2
        for step in (1, 2) if runs else ():
            if at + step < 9 and left[at + step]:
                left[at] -= 1
                left[at + step] -= 1
                cut(left, at, sets, halves + 1, pair)
                left[at] += 1
                left[at + step] += 1
        left[at] -= 1
        cut(left, at, sets, halves, pair)
        left[at] += 1

    cut(list(numbers), 0, 0, 0, 0)
    best = [
        one
        for one in found
        if not any(other != one and all(a >= b for a, b in zip(other, one, strict=True)) for other in found)
    ]
    return tuple(best)


def distance(counts: Sequence[int], melds: int = 0) -> int:
    """How many tiles must be exchanged until only one is missing; 0 where that is so, -1 for a whole hand."""
    parts = {(0, 0, 0)}
    for low, high in (*SUITS, (27, 34)):
        numbers = tuple(counts[low:high])
        if any(numbers):
            parts = {
                (sets + more, halves + others, pair | another)
                for sets, halves, pair in parts
                for more, others, another in _blocks(numbers)
                if not (pair and another)
            } | {
                (sets + more, halves + others + 1, pair)
                for sets, halves, pair in parts
                for more, others, another in _blocks(numbers)
                if pair and another
            }
    best = 8
    for sets, halves, pair in parts:
        whole = sets + melds
        if whole <= 4:
            best = min(best, 8 - 2 * whole - min(halves, 4 - whole) - pair)
    if not melds:
        pairs = sum(amount >= 2 for amount in counts)
        kinds = sum(amount >= 1 for amount in counts)
        best = min(best, 6 - pairs + max(0, 7 - kinds))
        orphans = sum(counts[kind] >= 1 for kind in ORPHANS)
        best = min(best, 13 - orphans - any(counts[kind] >= 2 for kind in ORPHANS))
    return best
