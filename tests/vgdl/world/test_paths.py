from __future__ import annotations

from support.vgdl import named, text

from ggtp.vgdl.language.level import parse_level
from ggtp.vgdl.language.parse import parse
from ggtp.vgdl.language.vocabulary import DOWN, LEFT, NOWHERE, UP
from ggtp.vgdl.world.paths import first_step, path_step
from ggtp.vgdl.world.world import World


def maze(level: str) -> World:
    sprites = "g > RandomPathAltChaser stype1=avatar\nf > Immovable"
    made = parse(text(sprites, mapping="g > g\n. > f\n", head="square_size=10 obs=wall"))
    return World(made, parse_level("\n".join(level.split()), made))


def test_the_way_leads_around_obstacles() -> None:
    made = maze("A.. ww. g..")
    assert first_step(made, (0, 20), (0, 0)) == (1, 0)
    assert first_step(made, (20, 20), (0, 0)) == UP
    assert first_step(made, (20, 0), (0, 0)) == LEFT


def test_among_equal_ways_up_and_down_come_first() -> None:
    made = maze("A.. ... ..g")
    assert first_step(made, (20, 20), (0, 0)) == UP
    assert first_step(made, (0, 0), (20, 20)) == DOWN


def test_where_there_is_no_way_the_last_goal_counts() -> None:
    made = maze("A.. ... ..g")
    assert made.avatar is not None
    (ghost,) = named(made, "g")
    made.avatar.x = 500
    assert path_step(made, ghost, made.avatar) is NOWHERE
    ghost.goal = (20, 0)
    assert path_step(made, ghost, made.avatar) == UP
    made.avatar.x = 10
    assert path_step(made, ghost, made.avatar) == UP
    assert ghost.goal == (10, 0)


def test_walls_in_the_way() -> None:
    made = maze("Aw. ww. ..g")
    assert first_step(made, (20, 20), (0, 0)) is None
    assert first_step(made, (20, 20), (10, 0)) is None
    assert first_step(made, (20, 20), (20, 20)) is None
