from __future__ import annotations

import pytest
from support.vgdl import cells, named, play, world

from ggtp.errors import RulesError
from ggtp.vgdl.world.world import MOST_SPRITES, sign


def test_a_copy_goes_its_own_way_with_a_chance_of_its_own() -> None:
    start = world("A.r", "r > RandomNPC\nf > Immovable", mapping=". > f\nr > r\n", seed=3)
    play(start, "..")
    before = cells(start, "r")
    ways = set()
    for seed in range(12):
        other = start.copy(seed)
        play(other, "...r")
        ways.add(tuple(cells(other, "r")))
        assert other.avatar is not start.avatar
    assert cells(start, "r") == before
    assert cells(start, "avatar") == [(0, 0)]
    assert len(ways) > 1


def test_a_twin_draws_the_same() -> None:
    start = world("A.r", "r > RandomNPC\nf > Immovable", mapping=". > f\nr > r\n", seed=3)
    other = start.twin()
    play(start, "....")
    play(other, "....")
    assert cells(start, "r") == cells(other, "r")
    assert start.chance.state == other.chance.state


def test_singletons() -> None:
    made = world("A", "one > singleton=True\n  x > Passive\n  y > Passive\n")
    number = {kind.name: kind.number for kind in made.game.types}
    assert made.put(number["x"], 0, 0) is not None
    assert made.put(number["y"], 0, 0) is None
    assert made.put(number["y"], 0, 0, force=True) is not None
    assert made.put(number["one"], 0, 0) is None  # it has no class


def test_there_is_a_limit_to_sprites() -> None:
    made = world("A", "x > Passive")
    for _ in range(MOST_SPRITES - 1):
        made.put(2, 0, 0)
    assert made.count == MOST_SPRITES
    with pytest.raises(RulesError, match=f"more than {MOST_SPRITES} sprites"):
        made.put(2, 0, 0)


def test_a_level_with_too_many_sprites_is_refused() -> None:
    row = "x" * 500
    with pytest.raises(RulesError, match=f"more than {MOST_SPRITES} sprites$"):
        world(" ".join(["A" + row[1:], *[row] * 20]), "x > Passive", mapping="x > x\n")


def test_a_killed_avatar_stays_but_does_not_count() -> None:
    made = world("A", "x > Passive")
    assert made.avatar is not None
    made.kill(made.avatar)
    made.bury()
    assert made.kin(1) == [made.avatar]
    assert made.living(1) == 0
    assert named(made, "avatar") == []


def test_geometry() -> None:
    made = world("A. ..", "x > Passive", mapping=". > x\n")
    first, right, below, slanted = (made.groups[1] + made.groups[2])[:4]
    assert not made.overlap(first, right)
    right.x -= 1
    assert made.overlap(first, right)
    assert not made.outside(below)
    below.y += 1
    assert made.outside(below)
    slanted.x, slanted.y = slanted.last_x - 3, slanted.last_y + 9
    assert slanted.moved() == (-1, 1)
    assert (sign(-5), sign(0), sign(2)) == (-1, 0, 1)


def test_resources_never_fall_below_nothing() -> None:
    made = world("A")
    assert made.avatar is not None
    made.avatar.gain(3, 2)
    made.avatar.gain(3, -5)
    assert made.avatar.has(3) == 0
