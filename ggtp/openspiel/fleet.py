"""Battleship: fleets that explain where shots have hit.

Whether a ship can stand somewhere is seen from the shots at its squares alone: none was water, and the last one has
sunk it if all of them were hit, and none before. So what is left is to cover every hit by a ship of its own.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ggtp.game import Move, Observation, Seen
from ggtp.openspiel.spec import TELL

SHIPS = (2, 3, 3, 4, 5)
"""How long they are, in the order in which they are placed, where the rules do not say otherwise."""
SHOT = re.compile(rf"{TELL} .*Last shot at (\d+) (\d+) (water|hit|sunk)")
MOST_STEPS = 2000
"""How many places are tried for ships before another beginning is looked for."""

Cell = tuple[int, int]


class Place(NamedTuple):
    """Where a ship stands."""

    name: Move
    cells: frozenset[Cell]


class Fleet:
    """Finds fleets on a sea."""

    def __init__(self, parameters: Mapping[str, object]) -> None:
        self._wide, self._high = (int(str(parameters.get(side, 10))) for side in ("board_width", "board_height"))
        self._left = 0

    def place(self, seen: Sequence[Observation], rng: random.Random) -> list[Move]:
        """The other's placements, in order, drawn at random among those that explain the player's shots."""
        shots: dict[Cell, str] = {}
        for item in seen:
            if isinstance(item, Seen) and (found := SHOT.match(item.text)):
                shots.setdefault((int(found[1]), int(found[2])), found[3])
        when = {cell: index for index, cell in enumerate(shots)}
        options = [[place for place in self._places(size) if _possible(place.cells, shots, when)] for size in SHIPS]
        hits = [cell for cell, result in shots.items() if result != "water"]
        self._left = MOST_STEPS
        chosen = self._cover(options, hits, {}, rng)
        return [chosen[ship].name for ship in range(len(SHIPS))] if chosen is not None else []

    def _places(self, size: int) -> list[Place]:
        found = []
        for row in range(self._high):
            for column in range(self._wide):
                if column + size <= self._wide:
                    cells = frozenset((row, column + step) for step in range(size))
                    found.append(Place(f"across {row} {column}", cells))
                if row + size <= self._high:
                    cells = frozenset((row + step, column) for step in range(size))
                    found.append(Place(f"down {row} {column}", cells))
        return found

    def _cover(
        self, options: Sequence[Sequence[Place]], hits: Sequence[Cell], chosen: dict[int, Place], rng: random.Random
    ) -> dict[int, Place] | None:
        """The places of all ships, so that every hit is on one; None where there are none."""
        if len(chosen) == len(options):
            return None if hits else chosen
        self._left -= 1
        if self._left < 0:
            return None
        taken = frozenset[Cell]().union(*(place.cells for place in chosen.values()))
        ships = [ship for ship in range(len(options)) if ship not in chosen]
        if not hits:
            ships = ships[:1]
        ways = [
            (ship, place)
            for ship in ships
            for place in options[ship]
            if not place.cells & taken and (not hits or hits[0] in place.cells)
        ]
        rng.shuffle(ways)
        for ship, place in ways:
            rest = [cell for cell in hits if cell not in place.cells]
            found = self._cover(options, rest, {**chosen, ship: place}, rng)
            if found is not None or self._left < 0:
                return found
        return None


def _possible(cells: frozenset[Cell], shots: Mapping[Cell, str], when: Mapping[Cell, int]) -> bool:
    results = [shots[cell] for cell in sorted((cell for cell in cells if cell in shots), key=when.__getitem__)]
    if len(results) == len(cells):
        return results[-1] == "sunk" and all(result == "hit" for result in results[:-1])
    return all(result == "hit" for result in results)
