"""A small wargame of counters on hexes: orders for all counters are carried out at once, battles by dice.

First all attacks are fought, one after the other, each with a die and a table of odds; then all
counters that are left march. Coordinates are as in Hex: each row is half a hex to the right of
the one above it, so that a hex touches those beside it, two above and two below.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from ggtp.game.picture import letters

CLEAR, WOODS, HILL, TOWN, LAKE = ".", "w", "h", "T", "~"
COSTS = {CLEAR: 1, WOODS: 2, HILL: 2, TOWN: 1}
COVER = frozenset((WOODS, HILL, TOWN))
AROUND = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))
MAPS = {
    "valley": ("T....w...", "..w..h..w", ".h..w....", "..w.T.w..", "....w..h.", "w..h..w..", "...w....T"),
    "lake": ("T..w.....", "....h.w..", "w..~~...w", "..T~~~T..", "w...~~..w", "..w.h....", ".....w..T"),
}
INFANTRY, ARMOUR, GUNS = "I", "T", "G"
STRENGTH = {INFANTRY: 3, ARMOUR: 4, GUNS: 2}
PACE = {INFANTRY: 2, ARMOUR: 3, GUNS: 1}
FORCES = ((INFANTRY, (0, 1)), (INFANTRY, (1, 1)), (INFANTRY, (2, 0)), (ARMOUR, (1, 0)), (GUNS, (0, 0)))
"""The counters of the side at the upper left, with row and column; the other's stand opposite."""
STEPS = 2
HOLD, ATTACK = "hold", "attack"
ODDS = ((1, 2), (1, 1), (3, 2), (2, 1), (3, 1))
"""The columns of the table: the least odds for each; below the first, an attack is fought in the first."""
A_LOSS, EXCHANGE, NOTHING, RETREAT, D_LOSS, DESTROYED = "AL", "EX", "NE", "DR", "DL", "DE"
TABLE = (
    (A_LOSS, A_LOSS, A_LOSS, EXCHANGE, NOTHING, RETREAT),
    (A_LOSS, A_LOSS, EXCHANGE, NOTHING, RETREAT, D_LOSS),
    (A_LOSS, EXCHANGE, NOTHING, RETREAT, RETREAT, D_LOSS),
    (EXCHANGE, NOTHING, RETREAT, RETREAT, D_LOSS, D_LOSS),
    (EXCHANGE, RETREAT, RETREAT, D_LOSS, D_LOSS, DESTROYED),
)
WORDS = {
    A_LOSS: "the attacker loses a step",
    EXCHANGE: "both lose a step",
    NOTHING: "nothing happens",
    RETREAT: "the defender falls back",
    D_LOSS: "the defender loses a step and falls back",
    DESTROYED: "the defender is destroyed",
}


class Field:
    """A map: its hexes, what they cost and which touch."""

    def __init__(self, name: str) -> None:
        rows = MAPS[name]
        self.name = name
        self.rows, self.columns = len(rows), len(rows[0])
        self.terrain = "".join(rows)
        self.labels = letters(self.columns)
        self.names = tuple(f"{label}{row}" for row in range(1, self.rows + 1) for label in self.labels)
        self.numbers = {name: number for number, name in enumerate(self.names)}
        self.towns = tuple(at for at, ground in enumerate(self.terrain) if ground == TOWN)
        self.beside = tuple(tuple(self._beside(at)) for at in range(len(self.terrain)))
        """The hexes next to each, lakes left out."""

    def _beside(self, at: int) -> Iterator[int]:
        row, column = divmod(at, self.columns)
        for down, right in AROUND:
            if 0 <= row + down < self.rows and 0 <= column + right < self.columns:
                near = (row + down) * self.columns + column + right
                if self.terrain[near] != LAKE:
                    yield near

    def far(self, one: int, two: int) -> int:
        """How many steps two hexes are apart, over lakes too."""
        down, right = one // self.columns - two // self.columns, one % self.columns - two % self.columns
        return max(abs(down), abs(right), abs(down + right))

    def opposite(self, at: int) -> int:
        """The hex at the same place on the other side."""
        return len(self.terrain) - 1 - at


@cache
def field_of(name: str) -> Field:
    """The map of that name, made once."""
    return Field(name)


@dataclass(frozen=True, slots=True)
class Counter:
    """A counter: its side, its name, where it is and how many steps it has left."""

    side: int
    name: str
    at: int
    steps: int = STEPS
    halted: bool = False
    """Whether it has fallen back or advanced this turn, so that it can't march or attack."""

    @property
    def kind(self) -> str:
        return self.name[0]

    @property
    def strength(self) -> int:
        full = STRENGTH[self.kind]
        return full if self.steps == STEPS else (full + 1) // 2


Orders = Mapping[tuple[int, str], str]
"""What each counter, by its side and name, is ordered to do: `hold`, `attack D4` or `D4`."""


@dataclass(frozen=True, slots=True)
class War:
    """Where everything stands."""

    field: Field = field(compare=False, repr=False)
    turns: int
    counters: tuple[Counter, ...]
    owners: tuple[int, ...]
    """Who holds each town: 0, 1, or -1 for nobody."""
    points: tuple[int, int] = (0, 0)
    turn: int = 1

    def side(self, side: int) -> list[Counter]:
        """A side's counters in order."""
        return [counter for counter in self.counters if counter.side == side]

    def on(self, at: int) -> Counter | None:
        """Who stands on a hex."""
        return next((counter for counter in self.counters if counter.at == at), None)

    def find(self, side: int, name: str) -> Counter | None:
        """The counter of that name, if it is still there."""
        return next((one for one in self.counters if one.side == side and one.name == name), None)

    def over(self) -> bool:
        return self.turn > self.turns or not all(self.side(side) for side in (0, 1))

    def targets(self, counter: Counter) -> list[int]:
        """The hexes with enemies that a counter can attack."""
        reach = 2 if counter.kind == GUNS else 1
        foes = (one.at for one in self.counters if one.side != counter.side)
        return sorted(at for at in foes if self.field.far(at, counter.at) <= reach)

    def reachable(self, counter: Counter) -> list[int]:
        """The hexes that a counter can march to: past its own side, not past the enemy; one step is always possible."""
        blocked = {one.at for one in self.counters if one.side != counter.side}
        best, edge = {counter.at: 0}, [counter.at]
        while edge:
            following = []
            for at in edge:
                for near in self.field.beside[at]:
                    cost = best[at] + COSTS[self.field.terrain[near]]
                    allowed = cost <= PACE[counter.kind] or at == counter.at
                    if near not in blocked and allowed and cost < best.get(near, 99):
                        best[near] = cost
                        following.append(near)
            edge = following
        return sorted(at for at in best if at != counter.at)

    def choices(self, counter: Counter) -> list[str]:
        """What a counter can be ordered to do."""
        names = self.field.names
        attacks = [f"{ATTACK} {names[at]}" for at in self.targets(counter)]
        return [HOLD, *attacks, *(names[at] for at in self.reachable(counter))]

    # Battles.

    def battles(self, orders: Orders) -> list[int]:
        """The hexes that are attacked, in the order in which they are fought for: it turns around every turn."""
        found = {
            self.field.numbers[order.split()[1]]
            for (side, name), order in orders.items()
            if order.startswith(ATTACK) and self.find(side, name) is not None
        }
        return sorted(found, reverse=self.turn % 2 == 0)

    def attackers(self, at: int, orders: Orders) -> list[Counter]:
        """Who takes part in the attack on a hex, as far as it still can."""
        target = f"{ATTACK} {self.field.names[at]}"
        return [one for one in self.counters if orders.get((one.side, one.name)) == target and not one.halted]

    def odds(self, at: int, orders: Orders) -> int:
        """The column of the table in which a battle is fought; cover and digging in shift it."""
        defender = self.on(at)
        attack = sum(one.strength for one in self.attackers(at, orders))
        if defender is None or not attack:
            return -1
        column = max((index for index, (a, d) in enumerate(ODDS) if attack * d >= defender.strength * a), default=0)
        shifts = (self.field.terrain[at] in COVER) + (orders.get((defender.side, defender.name)) == HOLD)
        return max(0, column - shifts)

    def fought(self, at: int, orders: Orders, die: int) -> tuple[War, str]:
        """After a battle with that roll, and what came of it."""
        column, defender = self.odds(at, orders), self.on(at)
        if column < 0 or defender is None:
            return self, NOTHING
        result, attackers = TABLE[column][die - 1], self.attackers(at, orders)
        war = self
        if result in (A_LOSS, EXCHANGE):
            # Guns that fire from afar are not hit; of the others the strongest is.
            near = [one for one in attackers if self.field.far(one.at, at) == 1]
            if near:
                war = war._hit(max(near, key=lambda one: (one.strength, one.name)))
        if result in (EXCHANGE, D_LOSS):
            war = war._hit(defender)
        if result == DESTROYED:
            war = war._without(defender)
        if result in (RETREAT, D_LOSS):
            left = war.find(defender.side, defender.name)
            war = war._fallen_back(left) if left is not None else war
        if war.on(at) is None:
            war = war._advanced(at, attackers)
        return war, result

    def _without(self, counter: Counter) -> War:
        rest = tuple(one for one in self.counters if (one.side, one.name) != (counter.side, counter.name))
        return replace(self, counters=rest)

    def _with(self, counter: Counter) -> War:
        found = tuple(counter if (one.side, one.name) == (counter.side, counter.name) else one for one in self.counters)
        return replace(self, counters=found)

    def _hit(self, counter: Counter) -> War:
        if counter.steps == 1:
            return self._without(counter)
        return self._with(replace(counter, steps=counter.steps - 1))

    def _fallen_back(self, counter: Counter) -> War:
        """The counter one hex back, as far from its enemies as can be; if there is no way, it loses a step."""
        foes = [one.at for one in self.counters if one.side != counter.side]
        free = [at for at in self.field.beside[counter.at] if self.on(at) is None]
        if not free:
            return self._hit(counter)

        def safety(at: int) -> tuple[int, int, int]:
            ways = [self.field.far(at, foe) for foe in foes]
            return (min(ways, default=0), sum(ways), at if counter.side else -at)

        return self._with(replace(counter, at=max(free, key=safety), halted=True))

    def _advanced(self, at: int, attackers: Sequence[Counter]) -> War:
        """The first attacker that stood beside an empty hex goes there; guns stay."""
        for one in attackers:
            now = self.find(one.side, one.name)
            if now is not None and now.kind != GUNS and self.field.far(now.at, at) == 1:
                return self._with(replace(now, at=at, halted=True))
        return self

    # Marching, and the end of a turn.

    def marched(self, orders: Orders) -> War:
        """After all marches at once: nobody enters a hex that an enemy also marches to, or that stays taken."""
        wishes: dict[tuple[int, str], int] = {}
        for one in self.counters:
            order = orders.get((one.side, one.name), HOLD)
            if order in self.field.numbers and not one.halted:
                wishes[one.side, one.name] = self.field.numbers[order]
        sides: dict[int, set[int]] = {}
        for (side, _), at in wishes.items():
            sides.setdefault(at, set()).add(side)
        war, moving = self, {who: at for who, at in wishes.items() if len(sides[at]) == 1}
        while moving:
            ready = [who for who, at in moving.items() if war.on(at) is None]
            if not ready:
                break
            counter = war.find(*ready[0])
            assert counter is not None
            war = war._with(replace(counter, at=moving.pop(ready[0])))
        return war._turned()

    def _turned(self) -> War:
        owners = list(self.owners)
        for index, at in enumerate(self.field.towns):
            holder = self.on(at)
            if holder is not None:
                owners[index] = holder.side
        points = (self.points[0] + owners.count(0), self.points[1] + owners.count(1))
        rested = tuple(replace(one, halted=False) for one in self.counters)
        return replace(self, counters=rested, owners=tuple(owners), points=points, turn=self.turn + 1)


def begin(name: str, turns: int) -> War:
    """The war on a map, each side around the town in its corner."""
    ground = field_of(name)
    counters = []
    for side in (0, 1):
        for index, (kind, (row, column)) in enumerate(FORCES, 1):
            at = row * ground.columns + column
            counters.append(Counter(side, f"{kind}{index}", ground.opposite(at) if side else at))
    first, last = ground.towns[0], ground.towns[-1]
    owners = tuple(0 if at == first else 1 if at == last else -1 for at in ground.towns)
    return War(ground, turns, tuple(counters), owners)
