"""The world of Skirmish: one tick at a time, the same to both sides."""

from __future__ import annotations

import random
from dataclasses import replace

from ggtp.rules.skirmish.world import ARCHER, KINDS, SOLDIER, WORKER, Base, Unit, World, begin

TURNED = {"north": "south", "south": "north", "east": "west", "west": "east"}


def turned(world: World) -> World:
    """The same world seen from the other side: turned half around, with the players changed."""

    def place(at: tuple[int, int]) -> tuple[int, int]:
        return (world.width - 1 - at[0], world.height - 1 - at[1])

    units = sorted(
        (replace(u, side=1 - u.side, at=place(u.at), order=TURNED.get(u.order, u.order)) for u in world.units),
        key=lambda unit: (unit.side, unit.number),
    )
    bases = tuple(replace(base, at=place(base.at)) for base in reversed(world.bases))
    crystals = tuple(sorted((place(at), amount) for at, amount in world.crystals))
    return replace(world, units=tuple(units), bases=(bases[0], bases[1]), crystals=crystals)


def flipped(order: str) -> str:
    what, _, rest = order.partition(" ")
    return f"{what} {TURNED.get(rest, rest)}" if rest else order


def test_no_side_is_better_off() -> None:
    """Whatever is ordered, turning the board and then playing is playing and then turning."""
    rng, looked = random.Random(4), 0
    for _ in range(8):
        world = begin(rng.choice((7, 9, 10)), rng.choice((5, 7, 8)), 90)
        while not world.over():
            orders = (rng.choice(world.orders(0)), rng.choice(world.orders(1)))
            following = world.after(orders)
            other = turned(world).after((flipped(orders[1]), flipped(orders[0])))
            assert turned(turned(following)) == turned(other)
            world, looked = following, looked + 1
    assert looked > 400


def duel(*units: Unit, crystals: tuple[tuple[tuple[int, int], int], ...] = ()) -> World:
    return World(9, 5, 50, (Base((0, 2)), Base((8, 2))), units, crystals)


def test_a_worker_gathers_by_itself() -> None:
    world = begin(9, 7, 100)
    for _ in range(30):
        world = world.after(("wait", "wait"))
    assert world.bases[0].store == world.bases[1].store > 5


def test_training_costs_crystal_and_time() -> None:
    world = begin(9, 7, 100).after(("train soldier", "wait"))
    assert (world.bases[0].store, world.bases[0].training) == (0, SOLDIER)
    assert not [order for order in world.orders(0) if order.startswith("train")]
    for _ in range(2):
        world = world.after(("wait", "wait"))
    assert [unit.name for unit in world.units if unit.side == 0] == ["w1", "s2"]


def test_strikes_are_at_once() -> None:
    one, two = Unit(0, SOLDIER, 1, (4, 2), 2), Unit(1, SOLDIER, 1, (5, 2), 2)
    assert duel(one, two).after(("wait", "wait")).units == ()


def test_archers_reach_farther() -> None:
    world = duel(Unit(0, ARCHER, 1, (3, 2), 3), Unit(1, SOLDIER, 1, (5, 2), 5)).after(("wait", "wait"))
    assert [unit.hits for unit in world.units] == [3, 3]


def test_two_that_want_the_same_place_both_stay() -> None:
    one = Unit(0, WORKER, 1, (3, 2), 2, "east")
    two = Unit(0, WORKER, 2, (5, 2), 2, "west")
    world = duel(one, two).after(("wait", "wait"))
    assert [unit.at for unit in world.units] == [(3, 2), (5, 2)]


def test_who_attacks_marches_to_the_enemy_and_strikes_the_base() -> None:
    world = duel(Unit(0, SOLDIER, 1, (5, 2), 5, "attack"))
    for _ in range(3):
        world = world.after(("wait", "wait"))
    assert world.units[0].at == (7, 2)
    assert world.bases[1].hits == 15 - KINDS[SOLDIER].strength
    for _ in range(10):
        world = world if world.over() else world.after(("wait", "wait"))
    assert world.over()


def test_who_goes_home_does_not_fight() -> None:
    world = duel(Unit(0, SOLDIER, 1, (4, 2), 5, "home"), Unit(1, SOLDIER, 1, (5, 2), 5)).after(("wait", "wait"))
    assert [(unit.at, unit.hits) for unit in world.units] == [((3, 2), 3), ((5, 2), 5)]
