from __future__ import annotations

from support.vgdl import named, world

from ggtp.vgdl.language.vocabulary import DOWN, LEFT, NOWHERE, RIGHT, UP
from ggtp.vgdl.world.moves import Moved, drift, push, step
from ggtp.vgdl.world.world import Sprite, World


def one(sprites: str) -> tuple[World, Sprite]:
    made = world("A.x", sprites + "\nf > Immovable", mapping=". > f\nx > x\n")
    return made, named(made, "x")[0]


def test_nobody_moves_again_before_the_cooldown_is_over() -> None:
    _, sprite = one("x > Passive cooldown=2")
    sprite.last_move = 1
    assert not step(sprite, LEFT, 4)
    sprite.last_move = 2
    assert step(sprite, LEFT, 4)
    assert (sprite.x, sprite.last_move) == (16, 0)
    sprite.last_move = 2
    assert not step(sprite, NOWHERE, 4)


def test_a_step_of_no_pixels_is_the_speed() -> None:
    _, sprite = one("x > Passive speed=3")
    sprite.last_move = 1
    step(sprite, RIGHT, 0)
    assert sprite.x == 23


def test_drifting_begins_in_the_second_tick() -> None:
    made, sprite = one("x > Missile orientation=UP speed=0.55")
    for wanted in (0, -5, -10):
        sprite.last_move += 1
        drift(made, sprite)
        assert sprite.y == wanted


def test_what_is_static_or_faces_nowhere_does_not_drift() -> None:
    for sprites in ("x > SpawnPoint orientation=UP speed=1", "x > Missile", "x > Passive speed=1"):
        made, sprite = one(sprites)
        for _ in range(3):
            sprite.last_move += 1
            drift(made, sprite)
        assert (sprite.x, sprite.y) == (20, 0)


def test_pushing() -> None:
    made, sprite = one("x > Missile orientation=UP rotateInPlace=True speed=0.5")
    sprite.last_move = 1
    assert push(made, sprite, NOWHERE, 1) is Moved.NOT
    assert push(made, sprite, DOWN, 1) is Moved.TURNED
    assert push(made, sprite, DOWN, 0) is Moved.STEPPED  # without a speed its own counts
    assert (sprite.y, sprite.orientation) == (5, DOWN)
    assert push(made, sprite, DOWN, 1) is Moved.NOT
    made, sprite = one("x > Passive")
    sprite.last_move = 1
    assert push(made, sprite, UP, 0) is Moved.STEPPED  # and without one of its own, a square
    assert sprite.y == -10
