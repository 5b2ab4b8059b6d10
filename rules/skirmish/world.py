"""A small battle in ticks: workers gather crystal, bases train, units march and fight by standing orders.

Each tick every unit acts by the order that it was last given, all at once: strikes first, then
steps, then gathering. Nothing is left to chance.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

WORKER, SOLDIER, ARCHER = "worker", "soldier", "archer"


@dataclass(frozen=True, slots=True)
class Kind:
    """What units of a kind cost and can do."""

    cost: int
    ticks: int
    """How long a base trains one."""
    hits: int
    strength: int
    reach: int


KINDS = {WORKER: Kind(2, 2, 2, 1, 1), SOLDIER: Kind(3, 3, 5, 2, 1), ARCHER: Kind(4, 3, 3, 2, 2)}
LETTERS = {WORKER: "w", SOLDIER: "s", ARCHER: "a"}
BASE_HITS, FIRST_STORE, CRYSTAL = 15, 3, 12
MOST_UNITS = 8
STEPS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
HOLD, ATTACK, GATHER, HOME = "hold", "attack", "gather", "home"
ORDERS = (ATTACK, *STEPS, HOME, HOLD)

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: its player's number, its kind, its own number, where it is, and what it is to do."""

    side: int
    kind: str
    number: int
    at: Place
    hits: int
    order: str = HOLD
    loaded: bool = False

    @property
    def name(self) -> str:
        return f"{LETTERS[self.kind]}{self.number}"


@dataclass(frozen=True, slots=True)
class Base:
    """A base: where it is, what it can take, its crystal, and what it trains."""

    at: Place
    hits: int = BASE_HITS
    store: int = FIRST_STORE
    training: str = ""
    ticks: int = 0
    made: int = 1
    """How many units it has had: the last one's number."""


@dataclass(frozen=True)
class World:
    """Everything at one tick."""

    width: int
    height: int
    limit: int
    bases: tuple[Base, Base]
    units: tuple[Unit, ...]
    crystals: tuple[tuple[Place, int], ...]
    tick: int = 0

    @cached_property
    def taken(self) -> frozenset[Place]:
        """Where nobody can step."""
        places = [unit.at for unit in self.units] + [base.at for base in self.bases]
        return frozenset(places + [place for place, _ in self.crystals])

    def key(self) -> tuple[object, ...]:
        """Equal for equal worlds."""
        return (self.width, self.height, self.limit, self.bases, self.units, self.crystals, self.tick)

    def over(self) -> bool:
        return self.tick >= self.limit or any(base.hits <= 0 for base in self.bases)

    def worth(self, side: int) -> int:
        """What counts when time is up and the bases are equal: crystal in store, and what the units cost."""
        return self.bases[side].store + sum(KINDS[unit.kind].cost for unit in self.units if unit.side == side)

    def orders(self, side: int) -> list[str]:
        """What a player can order now."""
        base, found = self.bases[side], ["wait"]
        mine = [unit for unit in self.units if unit.side == side]
        if not base.training and len(mine) < MOST_UNITS:
            found += [f"train {kind}" for kind, one in KINDS.items() if one.cost <= base.store]
        for unit in mine:
            orders = (GATHER, *ORDERS) if unit.kind == WORKER else ORDERS
            found += [f"{unit.name} {order}" for order in orders if order != unit.order]
        return found

    def after(self, orders: tuple[str, str]) -> World:
        """One tick later, when the two players have given these orders."""
        world = self._ordered(orders)
        world = world._struck()
        world = world._stepped()
        world = world._gathered()
        return replace(world._trained(), tick=self.tick + 1)

    def _ordered(self, orders: tuple[str, str]) -> World:
        bases, units = list(self.bases), list(self.units)
        for side, text in enumerate(orders):
            what, _, rest = text.partition(" ")
            if what == "train":
                base, kind = bases[side], KINDS[rest]
                bases[side] = replace(base, store=base.store - kind.cost, training=rest, ticks=kind.ticks)
            elif rest:
                units = [replace(one, order=rest) if one.side == side and one.name == what else one for one in units]
        return replace(self, bases=(bases[0], bases[1]), units=tuple(units))

    def _struck(self) -> World:
        """Every unit in reach of an enemy strikes the weakest, all at once; who flees home or gathers does not."""
        wounds: dict[tuple[int, str], int] = {}
        for unit in self.units:
            if unit.order in (HOME, GATHER):
                continue
            foe = self._foe(unit)
            if foe is not None:
                wounds[foe] = wounds.get(foe, 0) + KINDS[unit.kind].strength
        units = [replace(one, hits=one.hits - wounds.get((one.side, one.name), 0)) for one in self.units]
        bases = [replace(base, hits=base.hits - wounds.get((side, ""), 0)) for side, base in enumerate(self.bases)]
        return replace(self, units=tuple(one for one in units if one.hits > 0), bases=(bases[0], bases[1]))

    def _foe(self, unit: Unit) -> tuple[int, str] | None:
        """Whom a unit strikes: units before the base, the weakest before others."""
        reach, other = KINDS[unit.kind].reach, 1 - unit.side
        near = [one for one in self.units if one.side == other and _far(unit.at, one.at) <= reach]
        if near:
            weakest = min(near, key=lambda one: (one.hits, one.number))
            return (other, weakest.name)
        return (other, "") if _far(unit.at, self.bases[other].at) <= reach else None

    def _stepped(self) -> World:
        """Every unit that strikes nobody takes its step, if the place is free and nobody else steps there."""
        wishes: dict[int, Place] = {}
        for index, unit in enumerate(self.units):
            fighting = unit.order not in (HOME, GATHER) and self._foe(unit) is not None
            step = None if fighting else self._step(unit)
            if step is not None:
                wishes[index] = step
        claimed = list(wishes.values())
        units = [
            replace(unit, at=wishes[index]) if index in wishes and claimed.count(wishes[index]) == 1 else unit
            for index, unit in enumerate(self.units)
        ]
        return replace(self, units=tuple(units))

    def _step(self, unit: Unit) -> Place | None:
        if unit.order in STEPS:
            east, north = STEPS[unit.order]
            return self._free((unit.at[0] + east, unit.at[1] + north))
        goal = self._goal(unit)
        if goal is None or _far(unit.at, goal) <= 1:
            return None
        east, north = goal[0] - unit.at[0], goal[1] - unit.at[1]
        ways = [(1 if east > 0 else -1, 0)] * (east != 0) + [(0, 1 if north > 0 else -1)] * (north != 0)
        if abs(north) > abs(east):
            ways.reverse()
        if len(ways) == 1:
            # Straight ahead and blocked: around it, by the left for Red's and Blue's eyes alike.
            toward = 1 if unit.side == 0 else -1
            side = (0, toward) if ways[0][0] else (toward, 0)
            ways += [side, (-side[0], -side[1])]
        for way in ways:
            found = self._free((unit.at[0] + way[0], unit.at[1] + way[1]))
            if found is not None:
                return found
        return None

    def _free(self, place: Place) -> Place | None:
        inside = 0 <= place[0] < self.width and 0 <= place[1] < self.height
        return place if inside and place not in self.taken else None

    def _goal(self, unit: Unit) -> Place | None:
        home = self.bases[unit.side].at
        if unit.order == HOME or (unit.order == GATHER and unit.loaded):
            return home
        if unit.order == GATHER:
            places = [place for place, _ in self.crystals]
        elif unit.order == ATTACK:
            other = 1 - unit.side
            places = [one.at for one in self.units if one.side == other] + [self.bases[other].at]
        else:
            return None
        return min(places, key=lambda place: (_far(unit.at, place), _seen_from(unit.side, place)), default=None)

    def _gathered(self) -> World:
        crystals, bases, units = dict(self.crystals), list(self.bases), []
        for unit in self.units:
            here = unit
            if unit.order == GATHER and unit.loaded and _far(unit.at, bases[unit.side].at) == 1:
                bases[unit.side] = replace(bases[unit.side], store=bases[unit.side].store + 1)
                here = replace(unit, loaded=False)
            elif unit.order == GATHER and not unit.loaded:
                near = [place for place in crystals if _far(unit.at, place) == 1]
                if near:
                    # Several may take the last piece at once: each has one.
                    crystals[_first(unit.side, near)] -= 1
                    here = replace(unit, loaded=True)
            units.append(here)
        left = tuple((place, amount) for place, amount in crystals.items() if amount > 0)
        return replace(self, units=tuple(units), bases=(bases[0], bases[1]), crystals=left)

    def _trained(self) -> World:
        bases, units, taken = list(self.bases), list(self.units), set(self.taken)
        for side, base in enumerate(bases):
            if not base.training:
                continue
            place = self._doorstep(side, taken) if base.ticks <= 1 else None
            if place is None:
                bases[side] = replace(base, ticks=max(1, base.ticks - 1))
                continue
            taken.add(place)
            number, kind = base.made + 1, base.training
            order = GATHER if kind == WORKER else HOLD
            units.append(Unit(side, kind, number, place, KINDS[kind].hits, order))
            bases[side] = replace(base, training="", ticks=0, made=number)
        return replace(self, bases=(bases[0], bases[1]), units=tuple(units))

    def _doorstep(self, side: int, taken: set[Place]) -> Place | None:
        column, row = self.bases[side].at
        toward = 1 if side == 0 else -1
        for east, north in ((toward, 0), (0, toward), (0, -toward), (-toward, 0)):
            place = (column + east, row + north)
            if 0 <= place[0] < self.width and 0 <= place[1] < self.height and place not in taken:
                return place
        return None


def _seen_from(side: int, place: Place) -> Place:
    """The place, so that what comes first to one player comes first to the other on its side of the board."""
    return place if side == 0 else (-place[0], -place[1])


def _first(side: int, places: list[Place]) -> Place:
    return min(places, key=lambda place: _seen_from(side, place))


def _far(one: Place, two: Place) -> int:
    return abs(one[0] - two[0]) + abs(one[1] - two[1])


def begin(width: int, height: int, limit: int) -> World:
    """Bases at the left and at the right, a worker each, and crystals that lie the same to both."""
    middle = height // 2
    bases = (Base((1, middle)), Base((width - 2, height - 1 - middle)))
    units = (
        Unit(0, WORKER, 1, (2, middle), KINDS[WORKER].hits, GATHER),
        Unit(1, WORKER, 1, (width - 3, height - 1 - middle), KINDS[WORKER].hits, GATHER),
    )
    places = [(1, height - 1), (width - 2, 0), (width // 2, 0), (width - 1 - width // 2, height - 1)]
    return World(width, height, limit, bases, units, tuple((place, CRYSTAL) for place in dict.fromkeys(places)))
