from __future__ import annotations

import pytest
from support.vgdl import game

pytest.importorskip("llvmlite", reason="the compiler is not installed")

from ggtp.vgdl.kernel import layout as k
from ggtp.vgdl.kernel.tables import CAPACITY, Tables
from ggtp.vgdl.language.level import parse_level


def tables(sprites: str, rules: str = "", letters: str = "", level: str = "A") -> Tables:
    made = game(sprites, rules, mapping=letters)
    return Tables(made, parse_level(level, made))


def names(made: Tables, numbers: frozenset[int]) -> set[str]:
    return {made.game.types[number].name for number in numbers}


def test_what_no_rule_mentions_is_background() -> None:
    made = tables("f > Immovable\ng > Immovable\nm > Missile\nq > Immovable singleton=True", "avatar g > stepBack")
    assert names(made, made.background) == {"f", "wall"}


def test_a_rule_mentions_the_whole_family() -> None:
    made = tables("f > Immovable\n  g >\n", "avatar f > stepBack")
    assert names(made, made.background) == {"wall"}


def test_what_is_made_is_no_background() -> None:
    made = tables("f > Immovable\np > SpawnPoint stype=f")
    assert "f" not in names(made, made.background)


def test_only_what_can_move_is_updated() -> None:
    made = tables("b > Passive\nw > Immovable\nm > Missile", "b avatar > bounceForward\nb w > undoAll")
    g = made.ints
    updated = {made.game.types[number].name for number in g[g[k.G_UPDATE] : g[k.G_UPDATE] + g[k.G_UPDATES]]}
    assert updated == {"b", "m"}


def test_alignment() -> None:
    assert tables("m > Missile speed=2").ints[k.G_ALIGNED]
    assert not tables("m > Missile speed=0.5").ints[k.G_ALIGNED]
    assert not tables("m > Missile speed=0.01").ints[k.G_ALIGNED]


def test_resources_have_columns() -> None:
    made = tables("r > Resource\ns > ShootAvatar ammo=x stype=r\nx > Passive")
    assert [made.game.types[number].name for number in made.resources] == ["r", "x"]
    assert made.record == k.RECORD + 2


def test_there_is_room() -> None:
    assert tables("x > Passive", "avatar x > stepBack", level="A").ints[k.G_CAPACITY] == 4 + CAPACITY
    made = game("x > Passive")
    assert Tables(made, parse_level("A", made), 7).ints[k.G_CAPACITY] == 7


def test_effects_are_numbered_with_what_is_inside() -> None:
    made = tables("x > Passive", "avatar x > addTimer timer=3 ftype=transformToAll stype=x stypeTo=x")
    assert [made.line_number(line) for line in made.lines] == [0, 1]
    assert made.ints[made.ints[k.G_EFFECTS] + k.E_INNER] == 1
