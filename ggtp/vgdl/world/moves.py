"""How sprites move: by themselves, or when somebody moves them."""

from __future__ import annotations

from enum import IntEnum

from ggtp.vgdl.language.vocabulary import NOWHERE, Vector
from ggtp.vgdl.world.world import Sprite, World


class Moved(IntEnum):
    """What came of a wish to move."""

    NOT = 0
    TURNED = 1
    STEPPED = 2


def step(sprite: Sprite, way: Vector, pixels: int) -> bool:
    """Moves a sprite, unless it has moved too recently."""
    if pixels == 0:
        pixels = int(sprite.kind.speed)
    if sprite.kind.cooldown > sprite.last_move or way == NOWHERE:
        return False
    sprite.x += way[0] * pixels
    sprite.y += way[1] * pixels
    sprite.last_move = 0
    return True


def drift(world: World, sprite: Sprite) -> None:
    """What a sprite does by itself: moves on where it faces, but not in its first tick."""
    if sprite.kind.static:
        return
    if sprite.first_tick:
        sprite.first_tick = False
        return
    if sprite.kind.speed != 0 and sprite.oriented:
        step(sprite, sprite.orientation, int(sprite.kind.speed * world.block))


def push(world: World, sprite: Sprite, way: Vector, speed: float) -> Moved:
    """Moves a sprite in a direction; one that rotates in place turns first."""
    if speed == 0:
        speed = sprite.kind.speed or 1.0
    if way == NOWHERE:
        return Moved.NOT
    if sprite.kind.rotate and sprite.oriented and way != sprite.orientation:
        sprite.orientation = way
        return Moved.TURNED
    return Moved.STEPPED if step(sprite, way, int(speed * world.block)) else Moved.NOT
