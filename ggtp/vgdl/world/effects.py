"""What happens when sprites meet, leave the screen, or when a time has come.

An effect answers the change of the score, or None where it has declined to do anything.
The first sprite is the one that is acted upon; the second may be missing (edge and time)
and may be dead already.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ggtp.errors import RulesError
from ggtp.vgdl.language.definition import EffectLine
from ggtp.vgdl.language.vocabulary import DIRECTIONS, DOWN, LEFT, NOWHERE, RIGHT, UP, Effect, Vector
from ggtp.vgdl.world.moves import push, step
from ggtp.vgdl.world.world import MOST_TIMERS, Sprite, Timer, World

Act = Callable[[World, EffectLine, Sprite, Sprite | None], int | None]


def apply(world: World, line: EffectLine, first: Sprite | None, second: Sprite | None) -> None:
    """Does what a line says, and adds to the score what it is worth."""
    if line.effect is Effect.ADD_TIMER:
        change = _add_timer(world, line)
    elif first is None:
        if line.effect is not Effect.TRANSFORM_TO_ALL:  # only this one means something without sprites
            return
        change = _transform_all(world, line, None, None)
    else:
        change = ACTS[line.effect](world, line, first, second)
    if change is not None:
        world.score += change


def _back(sprite: Sprite) -> None:
    sprite.x, sprite.y = sprite.last_x, sprite.last_y


def _reversed(way: Vector) -> Vector:
    return -way[0], -way[1]


def _step_back(world: World, line: EffectLine, first: Sprite, second: Sprite | None) -> int | None:
    if not line.pixel_perfect or second is None:
        _back(first)
        return line.score
    way = first.moved()
    if way == DOWN:
        first.y = second.y - world.block
    elif way == UP:
        first.y = second.y + world.block
    elif way == RIGHT:
        first.x = second.x - world.block
    elif way == LEFT:
        first.x = second.x + world.block
    else:
        _back(first)
    return line.score


def _kill(world: World, line: EffectLine, first: Sprite, second: Sprite | None) -> int | None:
    world.kill(first)
    return line.score


def _kill_both(world: World, line: EffectLine, first: Sprite, second: Sprite | None) -> int | None:
    world.kill(first)
    if second is not None:
        world.kill(second)
    return line.score


def _become(world: World, line: EffectLine, old: Sprite, new: Sprite | None, second: Sprite | None) -> None:
    """Lets a new sprite take the place of an old one, with all that it has."""
    if new is None:
        return
    if line.take_orientation or (new.oriented and old.oriented and new.orientation == NOWHERE):
        new.orientation = old.orientation
    new.last_x, new.last_y = old.last_x, old.last_y
    for resource, amount in old.resources.items():
        new.gain(resource, amount)
    new.health = old.health
    if old is world.avatar and new.kind.word is not None and new.kind.word.avatar:
        world.avatar = new
    world.kill(old, transformed=True)
    if line.kill_second and second is not None:
        world.kill(second, transformed=True)


def _transform(world: World, line: EffectLine, first: Sprite, second: Sprite | None) -> int | None:
    if not first.disabled:
        _become(world, line, first, world.put(line.stype, first.x, first.y), second)
    return line.score


def _transform_all(world: World, line: EffectLine, first: Sprite | None, second: Sprite | None) -> int | None:
    for old in list(world.groups[line.stype]):
        if not old.disabled:
            _become(world, line, old, world.put(line.stype_to, old.x, old.y, force=True), second)
    return line.score


def _transform_singleton(world: World, line: EffectLine, first: Sprite, second: Sprite | None) -> int | None:
    """There is one such sprite: the one before becomes something else again."""
    for old in list(world.groups[line.stype]):
        new = world.put(line.stype_to, old.x, old.y)
        if new is not None:
            if new.oriented and new.orientation == NOWHERE:
                new.orientation = old.orientation
            new.last_x, new.last_y = old.last_x, old.last_y
            world.kill(old, transformed=True)
    new = world.put(line.stype, first.x, first.y)
    if new is None:
        return line.score
    if line.take_orientation and second is not None:
        new.oriented = True
        new.orientation = _reversed(second.orientation)
    new.last_x, new.last_y = first.last_x, first.last_y
    if first is world.avatar:
        world.avatar = new
    world.kill(first, transformed=True)
    return line.score


def _bounce_forward(world: World, line: EffectLine, first: Sprite, second: Sprite | None) -> int | None:
    if second is not None:
        way = second.moved()
        push(world, first, way, second.kind.speed)
        first.orientation = way
    return line.score


def _undo_all(world: World, line: EffectLine, first: Sprite, second: Sprite | None) -> int | None:
    spared = world.game.types[line.not_stype].kin if line.not_stype >= 0 else ()
    for number, group in enumerate(world.groups):
        if number not in spared:
            for sprite in group:
                _back(sprite)
    return line.score


def _collect(world: World, line: EffectLine, first: Sprite, second: Sprite | None) -> int | None:
    if first.kind.class_name != "Resource" or second is None:
        return line.score
    resource = first.kind.number
    room = first.kind.limit - second.has(resource)
    if room <= 0:
        return None
    second.gain(resource, min(first.kind.value, room))
    if line.kill_resource:
        world.kill(first, transformed=True)
    return line.score


def _collect_if_held(world: World, line: EffectLine, first: Sprite, second: Sprite | None) -> int | None:
    if second is None or second.has(line.resource) < line.value:
        return None
    return _collect(world, line, first, second)


def _change_resource(world: World, line: EffectLine, first: Sprite, second: Sprite | None) -> int | None:
    if first.has(line.resource) + line.value > world.game.resource_limit(line.resource):
        return None
    if line.kill_resource and second is not None:
        world.kill(second, transformed=True)
    first.gain(line.resource, line.value)
    return line.score


def _kill_if_other_has_more(world: World, line: EffectLine, first: Sprite, second: Sprite | None) -> int | None:
    if second is None or second.has(line.resource) < line.limit:
        return None
    return _kill(world, line, first, second)


def _kill_if_has_more(world: World, line: EffectLine, first: Sprite, second: Sprite | None) -> int | None:
    return _kill(world, line, first, second) if first.has(line.resource) >= line.limit else None


def _kill_if_has_less(world: World, line: EffectLine, first: Sprite, second: Sprite | None) -> int | None:
    return _kill(world, line, first, second) if first.has(line.resource) <= line.limit else None


def _subtract_health(world: World, line: EffectLine, first: Sprite, second: Sprite | None) -> int | None:
    change = line.score
    for sprite in world.kin(line.stype) if line.stype >= 0 else [first]:
        sprite.health -= line.value
        if sprite.health <= line.limit:
            world.kill(sprite)
            change = line.score_if_killed
    if line.kill_second and second is not None:
        world.kill(second, transformed=True)
    return change


def _add_health(world: World, line: EffectLine, first: Sprite, second: Sprite | None) -> int | None:
    if first.health + line.value >= first.kind.most_health:
        return None
    first.health += line.value
    if line.kill_second and second is not None:
        world.kill(second, transformed=True)
    return line.score


def _spawn(world: World, line: EffectLine, first: Sprite, second: Sprite | None) -> int | None:
    if world.chance.fraction() < line.chance:
        world.put(line.stype, first.x, first.y)
    return line.score


def _spawn_if(world: World, line: EffectLine, first: Sprite, second: Sprite | None) -> int | None:
    has, more = first.has(line.resource), line.effect is Effect.SPAWN_IF_HAS_MORE
    if world.chance.fraction() >= line.chance or (has < line.limit if more else has > line.limit):
        return None
    world.put(line.stype, first.x, first.y)
    first.gain(line.resource, -line.spend)
    return line.score


def _attract_gaze(world: World, line: EffectLine, first: Sprite, second: Sprite | None) -> int | None:
    if second is not None and first.oriented and second.oriented and world.chance.fraction() < line.chance:
        first.orientation = second.orientation
        if line.align and first.orientation[0] != 0:
            first.y = second.y
        elif line.align and first.orientation[1] != 0:
            first.x = second.x
    return line.score


def _reverse(world: World, line: EffectLine, first: Sprite, second: Sprite | None) -> int | None:
    first.orientation = _reversed(first.orientation)
    return line.score


def _flip(world: World, line: EffectLine, first: Sprite, second: Sprite | None) -> int | None:
    first.orientation = DIRECTIONS[world.chance.below(4)]
    return line.score


def _wrap_around(world: World, line: EffectLine, first: Sprite, second: Sprite | None) -> int | None:
    inset = int(line.offset * world.block)
    x, y = first.orientation
    if x > 0:
        first.x = inset
    elif x < 0:
        first.x = world.width - world.block - inset
    elif y > 0:
        first.y = inset
    elif y < 0:
        first.y = world.height - world.block - inset
    first.last_move = 0
    return line.score


def _turn_around(world: World, line: EffectLine, first: Sprite, second: Sprite | None) -> int | None:
    _back(first)
    for _ in range(2):
        first.last_move = first.kind.cooldown
        push(world, first, DOWN, first.kind.speed)
    return _reverse(world, line, first, second)


def _shield(world: World, line: EffectLine, first: Sprite, second: Sprite | None) -> int | None:
    world.shields.add((first.kind.number, line.stype, line.shielded))
    return line.score


def _teleport(world: World, line: EffectLine, first: Sprite, second: Sprite | None) -> int | None:
    exits = world.groups[second.kind.target] if second is not None and second.kind.target >= 0 else []
    if not exits:
        world.kill(first)
        return line.score
    way_out = exits[world.chance.below(len(exits))]
    first.x, first.y = way_out.x, way_out.y
    first.last_move = 0
    return line.score


def _frontal(first: Sprite, second: Sprite | None) -> bool:
    """Whether they have moved against one another."""
    return second is None or first.moved() == _reversed(second.moved())


def _kill_if_frontal(world: World, line: EffectLine, first: Sprite, second: Sprite | None) -> int | None:
    return _kill(world, line, first, second) if first.moved() == NOWHERE or _frontal(first, second) else None


def _kill_if_not_frontal(world: World, line: EffectLine, first: Sprite, second: Sprite | None) -> int | None:
    return _kill(world, line, first, second) if first.moved() == NOWHERE or not _frontal(first, second) else None


def _kill_if_from_above(world: World, line: EffectLine, first: Sprite, second: Sprite | None) -> int | None:
    if second is None or not (first.last_y > second.last_y + world.block // 2 and second.y > second.last_y):
        return None
    return _kill(world, line, first, second)


def _pull_with_it(world: World, line: EffectLine, first: Sprite, second: Sprite | None) -> int | None:
    if second is None or first.pulled == world.tick:
        return line.score
    first.pulled = world.tick
    step(first, second.moved(), int(second.kind.speed * world.block))
    return line.score


def _clone(world: World, line: EffectLine, first: Sprite, second: Sprite | None) -> int | None:
    world.put(first.kind.number, first.x, first.y)
    return line.score


def _add_timer(world: World, line: EffectLine) -> int | None:
    if line.inner is not None:
        if len(world.timers) >= MOST_TIMERS:
            raise RulesError(f"more than {MOST_TIMERS} effects wait for their time in tick {world.tick + 1}")
        world.timers.append(Timer(-1, line.inner, world.tick + line.timer))
    return line.score


ACTS: Mapping[Effect, Act] = {
    Effect.STEP_BACK: _step_back,
    Effect.KILL_SPRITE: _kill,
    Effect.KILL_BOTH: _kill_both,
    Effect.TRANSFORM_TO: _transform,
    Effect.TRANSFORM_TO_ALL: _transform_all,
    Effect.TRANSFORM_TO_SINGLETON: _transform_singleton,
    Effect.BOUNCE_FORWARD: _bounce_forward,
    Effect.UNDO_ALL: _undo_all,
    Effect.COLLECT_RESOURCE: _collect,
    Effect.COLLECT_RESOURCE_IF_HELD: _collect_if_held,
    Effect.CHANGE_RESOURCE: _change_resource,
    Effect.KILL_IF_OTHER_HAS_MORE: _kill_if_other_has_more,
    Effect.KILL_IF_HAS_MORE: _kill_if_has_more,
    Effect.KILL_IF_HAS_LESS: _kill_if_has_less,
    Effect.SUBTRACT_HEALTH_POINTS: _subtract_health,
    Effect.ADD_HEALTH_POINTS: _add_health,
    Effect.SPAWN: _spawn,
    Effect.SPAWN_IF_HAS_MORE: _spawn_if,
    Effect.SPAWN_IF_HAS_LESS: _spawn_if,
    Effect.ATTRACT_GAZE: _attract_gaze,
    Effect.REVERSE_DIRECTION: _reverse,
    Effect.FLIP_DIRECTION: _flip,
    Effect.WRAP_AROUND: _wrap_around,
    Effect.TURN_AROUND: _turn_around,
    Effect.SHIELD_FROM: _shield,
    Effect.TELEPORT_TO_EXIT: _teleport,
    Effect.KILL_IF_FRONTAL: _kill_if_frontal,
    Effect.KILL_IF_NOT_FRONTAL: _kill_if_not_frontal,
    Effect.KILL_IF_FROM_ABOVE: _kill_if_from_above,
    Effect.PULL_WITH_IT: _pull_with_it,
    Effect.CLONE_SPRITE: _clone,
}
"""What each effect does to a sprite."""
