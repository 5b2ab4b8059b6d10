"""The war of HexWar: maps, marches and battles."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from ggtp.rules.hexwar.war import MAPS, TABLE, Counter, War, begin, field_of


def war(*counters: Counter, name: str = "valley", turn: int = 1) -> War:
    ground = field_of(name)
    return War(ground, 8, counters, (-1,) * len(ground.towns), turn=turn)


def at(text: str) -> int:
    return field_of("valley").numbers[text]


@pytest.mark.parametrize("name", MAPS)
def test_maps_are_the_same_from_both_sides(name: str) -> None:
    ground = field_of(name)
    assert ground.terrain == ground.terrain[::-1]
    assert len({len(row) for row in MAPS[name]}) == 1
    first = begin(name, 8)
    assert {one.at for one in first.side(0)} == {ground.opposite(one.at) for one in first.side(1)}
    assert all(ground.terrain[one.at] != "~" for one in first.counters)


def test_hexes_touch_as_in_hex() -> None:
    ground = field_of("valley")
    assert {ground.names[near] for near in ground.beside[at("C3")]} == {"B3", "D3", "C2", "D2", "C4", "B4"}
    assert ground.far(at("A1"), at("C3")) == 4
    assert ground.far(at("C1"), at("A3")) == 2


def test_no_side_is_better_off_on_the_march() -> None:
    """Whatever is ordered, turning the board and then marching is marching and then turning."""
    rng = random.Random(3)
    for name in MAPS:
        now = begin(name, 30)
        ground = now.field

        def turned(one: War) -> War:
            counters = sorted(
                (replace(c, side=1 - c.side, at=one.field.opposite(c.at)) for c in one.counters),
                key=lambda c: (c.side, c.name[1]),
            )
            owners = tuple(-1 if owner < 0 else 1 - owner for owner in reversed(one.owners))
            return replace(one, counters=tuple(counters), owners=owners, points=one.points[::-1])

        while not now.over():
            orders, others = {}, {}
            for one in now.counters:
                order = rng.choice([choice for choice in now.choices(one) if not choice.startswith("attack")])
                orders[one.side, one.name] = order
                opposite = order
                if order in ground.numbers:
                    opposite = ground.names[ground.opposite(ground.numbers[order])]
                others[1 - one.side, one.name] = opposite
            after = now.marched(orders)
            assert turned(turned(after)) == turned(turned(now).marched(others))
            now = after


def test_enemies_that_march_to_the_same_hex_both_stay() -> None:
    now = war(Counter(0, "I1", at("C3")), Counter(1, "I1", at("E3")))
    after = now.marched({(0, "I1"): "D3", (1, "I1"): "D3"})
    assert [one.at for one in after.counters] == [at("C3"), at("E3")]


def test_a_hex_that_is_left_can_be_entered() -> None:
    now = war(Counter(0, "I1", at("C3")), Counter(0, "I2", at("D3")), Counter(1, "I1", at("I7")))
    after = now.marched({(0, "I1"): "D3", (0, "I2"): "E2", (1, "I1"): "hold"})
    assert [one.at for one in after.side(0)] == [at("D3"), at("E2")]


def test_odds_and_shifts() -> None:
    defender = Counter(1, "I1", at("D3"))
    now = war(Counter(0, "I1", at("C3")), Counter(0, "I2", at("D2")), defender)
    orders = {(0, "I1"): "attack D3", (0, "I2"): "attack D3", (1, "I1"): "D4"}
    assert now.odds(at("D3"), orders) == 3  # two to one
    assert now.odds(at("D3"), {**orders, (1, "I1"): "hold"}) == 2
    woods = replace(defender, at=at("E3"))
    assert field_of("valley").terrain[woods.at] == "w"
    near = war(Counter(0, "I1", at("D3")), woods)
    assert near.odds(at("E3"), {(0, "I1"): "attack E3"}) == 0


def test_every_result_of_the_table() -> None:
    defender, attacker = Counter(1, "I1", at("D3")), Counter(0, "I1", at("C3"))
    now, orders = war(attacker, defender, Counter(1, "G5", at("I7"))), {(0, "I1"): "attack D3"}
    column = now.odds(at("D3"), orders)
    assert column == 1
    for die, result in enumerate(TABLE[column], 1):
        after, found = now.fought(at("D3"), orders, die)
        assert found == result
        mine, theirs = after.find(0, "I1"), after.find(1, "I1")
        assert mine is not None
        assert theirs is not None
        assert mine.steps == (1 if result in ("AL", "EX") else 2)
        assert theirs.steps == (1 if result in ("EX", "DL") else 2)
        assert (mine.at == at("D3")) == (result in ("DR", "DL"))
        assert theirs.halted == (result in ("DR", "DL"))


def test_guns_fire_from_afar_unhurt() -> None:
    now = war(Counter(0, "G5", at("B3")), Counter(1, "I1", at("D3")))
    assert now.targets(now.counters[0]) == [at("D3")]
    after, result = now.fought(at("D3"), {(0, "G5"): "attack D3"}, 1)
    assert result == "AL"
    assert after.find(0, "G5") == now.counters[0]


def test_who_can_not_fall_back_loses_a_step() -> None:
    corner = Counter(1, "I1", at("A1"))
    beside = [Counter(0, f"I{n}", near) for n, near in enumerate(field_of("valley").beside[corner.at], 1)]
    after = war(corner, *beside)._fallen_back(corner)
    left = after.find(1, "I1")
    assert left is not None
    assert left.steps == 1


def test_towns_give_points_to_who_was_there_last() -> None:
    ground = field_of("valley")
    now = war(Counter(0, "I1", ground.towns[1]), Counter(1, "I1", at("I6")))
    after = now.marched({})
    assert after.points == (1, 0)
    left = after.marched({(0, "I1"): ground.names[ground.beside[ground.towns[1]][0]]})
    assert left.points == (2, 0)
