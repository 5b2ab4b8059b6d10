"""What the avatar does with an action, and what every other class of sprites does by itself in a tick."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ggtp.vgdl.language.vocabulary import DIRECTIONS, DOWN, LEFT, NOWHERE, RIGHT, UP, Action, SpriteClass, Vector
from ggtp.vgdl.world.moves import Moved, drift, push
from ggtp.vgdl.world.paths import path_step
from ggtp.vgdl.world.world import Sprite, World

WAY: Mapping[Action, Vector] = {Action.UP: UP, Action.LEFT: LEFT, Action.DOWN: DOWN, Action.RIGHT: RIGHT}


def prepare(sprite: Sprite) -> None:
    """The beginning of every sprite's update: it remembers where it is."""
    sprite.last_x, sprite.last_y = sprite.x, sprite.y
    sprite.last_move += 1


def update_avatar(world: World, avatar: Sprite, action: Action) -> None:
    """Lets the avatar do what the player wants, as far as its class can."""
    prepare(avatar)
    word = avatar.kind.word
    assert word is not None
    if action not in word.actions:
        action = Action.NIL
    number = word.number
    if number is SpriteClass.MISSILE_AVATAR:
        drift(world, avatar)
    elif number is SpriteClass.ONGOING_AVATAR:
        if action in WAY:
            avatar.orientation = WAY[action]
        drift(world, avatar)
    elif number is SpriteClass.FLAK_AVATAR:
        push(world, avatar, WAY.get(action, NOWHERE), avatar.kind.speed)
        if action is Action.USE:
            _shoot(world, avatar, NOWHERE)
    else:
        moved = push(world, avatar, WAY.get(action, NOWHERE), avatar.kind.speed)
        if number in (SpriteClass.ORIENTED_AVATAR, SpriteClass.SHOOT_AVATAR) and moved is Moved.STEPPED:
            avatar.orientation = avatar.moved()
        if number is SpriteClass.SHOOT_AVATAR and action is Action.USE and moved is Moved.NOT:
            _shoot(world, avatar, avatar.orientation)


def _shoot(world: World, avatar: Sprite, way: Vector) -> None:
    """Makes the first of the avatar's targets for which it has ammunition."""
    kind = avatar.kind
    for index, number in enumerate(kind.targets):
        ammo = kind.ammo[index] if index < len(kind.ammo) else -1
        if ammo >= 0:
            least = kind.ammo_least[index] if index < len(kind.ammo_least) else -1
            if avatar.has(ammo) <= max(least, 0):
                continue
        made = world.put(number, avatar.x + way[0] * world.block, avatar.y + way[1] * world.block)
        if made is not None:
            if made.oriented and way != NOWHERE:
                made.orientation = avatar.orientation
            if ammo >= 0:
                avatar.gain(ammo, -(kind.ammo_cost[index] if index < len(kind.ammo_cost) else 1))
            made.from_avatar = True
        return


def update_sprite(world: World, sprite: Sprite) -> None:
    """Lets a sprite do what its class does."""
    prepare(sprite)
    word = sprite.kind.word
    assert word is not None
    UPDATES.get(word.number, drift)(world, sprite)


def _flicker(world: World, sprite: Sprite) -> None:
    drift(world, sprite)
    if sprite.age > sprite.kind.limit:
        world.kill(sprite)
    sprite.age += 1


def _spreader(world: World, sprite: Sprite) -> None:
    _flicker(world, sprite)
    if sprite.age == 2:
        number = sprite.kind.target if sprite.kind.target >= 0 else sprite.kind.number
        for x, y in DIRECTIONS:
            if world.chance.fraction() < sprite.kind.spread:
                world.put(number, sprite.x + x * world.block, sprite.y + y * world.block)


def _spawn_point(world: World, sprite: Sprite) -> None:
    kind = sprite.kind
    if sprite.start == -1:
        sprite.start = world.tick
    drawn = world.chance.short_fraction()
    if (sprite.start + world.tick) % kind.cooldown == 0 and drawn < kind.chance and kind.target >= 0:
        made = world.put(kind.target, sprite.x, sprite.y)
        if made is not None:
            sprite.made += 1
            if kind.spawn_orientation != NOWHERE:
                made.orientation = kind.spawn_orientation
            elif made.orientation == NOWHERE:
                made.orientation = sprite.orientation
    drift(world, sprite)
    if kind.total > 0 and sprite.made >= kind.total:
        world.kill(sprite)


def _random_bomber(world: World, sprite: Sprite) -> None:
    push(world, sprite, DIRECTIONS[world.chance.below(4)], sprite.kind.speed)
    _spawn_point(world, sprite)


def _random_missile(world: World, sprite: Sprite) -> None:
    if sprite.orientation == NOWHERE:
        sprite.orientation = DIRECTIONS[world.chance.below(4)]
    drift(world, sprite)


def _random_way(world: World, sprite: Sprite) -> Vector:
    """The direction that a random walker keeps, or a new one."""
    if sprite.kept < sprite.kind.keeps:
        sprite.kept += 1
    else:
        sprite.way = DIRECTIONS[world.chance.below(4)]
        sprite.kept = 0
    return sprite.way


def _random_walker(world: World, sprite: Sprite) -> None:
    drift(world, sprite)
    push(world, sprite, _random_way(world, sprite), sprite.kind.speed)


def distance(one: Sprite, other: Sprite) -> int:
    """How far two sprites are apart, along the axes."""
    return abs(one.x - other.x) + abs(one.y - other.y)


def nearest(world: World, sprite: Sprite, number: int) -> list[Sprite]:
    """The nearest sprites of a type; of its kin, where there is none of exactly that type."""
    candidates = world.groups[number] or world.kin(number)
    if not candidates:
        return []
    best = min(distance(sprite, other) for other in candidates)
    return [other for other in candidates if distance(sprite, other) == best]


def _chase(world: World, sprite: Sprite, number: int, flee: bool) -> None:
    """A step that brings it nearer to the nearest of a type, or away from it."""
    ways = []
    for target in nearest(world, sprite, number) if number >= 0 else ():
        far = distance(sprite, target)
        if 0 <= sprite.kind.reach < far:
            continue
        for way in DIRECTIONS:
            then = abs(sprite.x + way[0] - target.x) + abs(sprite.y + way[1] - target.y)
            if (then > far) if flee else (then < far):
                ways.append(way)
    way = ways[world.chance.below(len(ways))] if ways else _random_way(world, sprite)
    push(world, sprite, way, sprite.kind.speed)


def _chaser(world: World, sprite: Sprite) -> None:
    drift(world, sprite)
    _chase(world, sprite, sprite.kind.target, flee=False)


def _fleeing(world: World, sprite: Sprite) -> None:
    drift(world, sprite)
    _chase(world, sprite, sprite.kind.target, flee=True)


def _alternating_chaser(world: World, sprite: Sprite) -> None:
    """Follows a path to whom it chases, or flees from whom it fears: whoever are more."""
    drift(world, sprite)
    kind = sprite.kind
    if world.chance.fraction() < kind.epsilon:
        push(world, sprite, _random_way(world, sprite), kind.speed)
        return
    chased = len(world.groups[kind.chased]) if kind.chased >= 0 else 0
    feared = len(world.groups[kind.feared]) if kind.feared >= 0 else 0
    if feared > chased:
        _chase(world, sprite, kind.feared, flee=True)
        return
    targets = nearest(world, sprite, kind.chased) if chased else []
    if not targets:
        push(world, sprite, _random_way(world, sprite), kind.speed)
        return
    push(world, sprite, path_step(world, sprite, targets[0]), kind.speed)


UPDATES: Mapping[SpriteClass, Callable[[World, Sprite], None]] = {
    SpriteClass.FLICKER: _flicker,
    SpriteClass.ORIENTED_FLICKER: _flicker,
    SpriteClass.SPREADER: _spreader,
    SpriteClass.SPAWN_POINT: _spawn_point,
    SpriteClass.BOMBER: _spawn_point,
    SpriteClass.RANDOM_BOMBER: _random_bomber,
    SpriteClass.RANDOM_MISSILE: _random_missile,
    SpriteClass.RANDOM_NPC: _random_walker,
    SpriteClass.CHASER: _chaser,
    SpriteClass.FLEEING: _fleeing,
    SpriteClass.RANDOM_PATH_ALT_CHASER: _alternating_chaser,
}
"""What each class does; the others only drift."""
