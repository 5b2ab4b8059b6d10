from __future__ import annotations

import pytest
from support.vgdl import game

from ggtp.vgdl.language.analysis import all_effects, background, effects_by_type, has_chance


@pytest.mark.parametrize(
    ("sprites", "rules", "wanted"),
    [
        ("x > Missile", "", False),
        ("x > RandomNPC", "", True),
        ("x > Chaser stype=avatar", "", True),
        ("x > SpawnPoint stype=avatar", "", False),
        ("x > SpawnPoint stype=avatar prob=0.5", "", True),
        ("x > Spreader spreadprob=0.5", "", True),
        ("x > Spreader", "", False),
        ("x > Passive", "x avatar > flipDirection", True),
        ("x > Passive", "x avatar > spawn stype=x", False),
        ("x > Passive", "x avatar > spawn stype=x prob=0.2", True),
        ("x > Portal stype=x", "avatar x > teleportToExit", True),
    ],
)
def test_whether_chance_matters(sprites: str, rules: str, wanted: bool) -> None:
    assert has_chance(game(sprites, rules)) is wanted


def test_effects_inside_of_timers_are_effects_too() -> None:
    made = game("x > Passive", "avatar x > addTimer timer=2 ftype=transformToAll stype=x stypeTo=x\nx EOS > stepBack")
    assert len(all_effects(made)) == 3
    assert [first for first, _ in effects_by_type(made)] == [1, 2]


def test_floors_are_background() -> None:
    made = game("f > Immovable\nx > Missile\ny > Immovable", "x y > killSprite")
    assert {made.types[number].name for number in background(made)} == {"wall", "f"}
