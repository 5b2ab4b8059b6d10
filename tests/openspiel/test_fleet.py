"""Fleets that explain where shots have hit."""

from __future__ import annotations

import random

from ggtp.game import Observation, Seen
from ggtp.openspiel.fleet import SHIPS, Fleet


def shots(*told: str) -> list[Observation]:
    return [Seen("Chance", f"tell .@. Last shot at {text} ~12345678 then Second") for text in told]


def test_a_ship_that_was_sunk_is_where_it_was_hit() -> None:
    seen = shots("5 5 hit", "0 0 water", "5 6 sunk", "5 5 hit")
    for seed in range(20):
        placed = Fleet({}).place(seen, random.Random(seed))
        assert len(placed) == len(SHIPS)
        assert placed[0] == "across 5 5"
        assert not {"across 0 0", "down 0 0"} & set(placed)


def test_every_hit_is_covered_though_nothing_is_sunk() -> None:
    cells = {(3, 3), (3, 4), (4, 3), (9, 9), (0, 9)}
    seen = shots(*(f"{row} {column} hit" for row, column in sorted(cells)))
    covered = set()
    for size, name in zip(SHIPS, Fleet({}).place(seen, random.Random(1)), strict=True):
        way, row, column = name.split()
        for step in range(size):
            covered.add((int(row) + step * (way == "down"), int(column) + step * (way == "across")))
    assert cells <= covered
    assert len(covered) == sum(SHIPS)


def test_what_no_fleet_explains_has_none() -> None:
    alone = [f"{row} {column} water" for row, column in ((0, 1), (1, 0))]
    assert Fleet({}).place(shots("0 0 hit", *alone), random.Random(1)) == []
