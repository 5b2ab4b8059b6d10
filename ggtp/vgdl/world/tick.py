"""One tick of a game, plainly: the judge of every faster way to play it."""

from __future__ import annotations

from ggtp.vgdl.language.definition import EndRule, PairRule
from ggtp.vgdl.language.vocabulary import Action, End
from ggtp.vgdl.world.effects import apply
from ggtp.vgdl.world.updates import update_avatar, update_sprite
from ggtp.vgdl.world.world import LOST, UNDECIDED, WON, Sprite, World

LAST_TICK = 2000
"""Whoever has not won by then has lost."""


def advance(world: World, action: Action) -> None:
    """Plays one tick. Nothing happens in a game that is over.

    Raises:
        RulesError: there are too many sprites, or too many meet. The world is of no use then.
    """
    if world.ended:
        return
    world.tick += 1
    world.contacts = 0
    avatar = world.avatar
    if avatar is not None and not avatar.disabled:
        update_avatar(world, avatar, action)
    for number in reversed(world.game.draw_order):
        if number in world.background:
            continue
        for sprite in list(world.groups[number]):
            word = sprite.kind.word
            if word is not None and not word.avatar:
                update_sprite(world, sprite)
    _run_timers(world)
    _run_edges(world)
    for pair in world.game.pairs:
        _run_pair(world, pair)
    world.bury()
    world.shields.clear()
    _look_for_end(world)


def _run_timers(world: World) -> None:
    """The effects whose time has come, the earliest first."""
    due = sorted((timer for timer in world.timers if timer.due <= world.tick), key=lambda timer: timer.due)
    for timer in due:
        world.timers.remove(timer)
        if timer.first < 0:
            apply(world, timer.effect, None, None)
        else:
            for sprite in world.kin(timer.first):
                if not sprite.killed and not sprite.disabled:
                    apply(world, timer.effect, sprite, None)
        if timer.effect.repeating:
            timer.due = world.tick + max(1, timer.effect.timer)
            world.timers.append(timer)


def _run_edges(world: World) -> None:
    for rule in world.game.edges:
        for line in rule.effects:
            for sprite in world.kin(rule.first):
                if not sprite.killed and not sprite.disabled and world.outside(sprite):
                    apply(world, line, sprite, None)


def _run_pair(world: World, pair: PairRule) -> None:
    for line in pair.effects:
        if (pair.first, pair.second, int(line.effect)) in world.shields:
            continue
        for _ in range(line.repeat):
            before = world.contacts
            firsts, seconds = world.kin(pair.first), world.kin(pair.second)
            for first in firsts:
                if first.killed:
                    continue
                touching = _touching(world, first, seconds)
                world.meet(len(touching))
                for second in touching:
                    if not first.killed and world.overlap(first, second):
                        apply(world, line, first, second)
            if world.contacts == before:
                break  # nothing has changed, and repeating it changes nothing either


def _touching(world: World, first: Sprite, seconds: list[Sprite]) -> list[Sprite]:
    return [second for second in seconds if second is not first and world.overlap(first, second)]


def _look_for_end(world: World) -> None:
    if not world.level.playable:
        world.ended = True
        return
    for rule in world.game.ends:
        if _holds(world, rule):
            world.ended = True
            world.winner = WON if rule.win else LOST
            return
    if world.tick >= LAST_TICK:
        world.ended = True
        if world.winner is UNDECIDED:
            world.winner = LOST


def _holds(world: World, rule: EndRule) -> bool:
    if rule.end is End.TIMEOUT:
        return world.tick >= rule.limit
    count = sum(world.living(number) for number in rule.stypes)
    if rule.end is End.SPRITE_COUNTER:
        return count <= rule.limit
    return count >= rule.limit if rule.at_least else count == rule.limit
