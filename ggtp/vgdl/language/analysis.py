"""What can be known of a game from its rules alone: what never changes, and whether chance matters."""

from __future__ import annotations

from ggtp.vgdl.language.definition import EffectLine, Game
from ggtp.vgdl.language.vocabulary import Effect, SpriteClass

INERT = {SpriteClass.IMMOVABLE, SpriteClass.PASSIVE, SpriteClass.RESOURCE, SpriteClass.DOOR, SpriteClass.PORTAL}
"""Classes that only drift, if they have a speed."""
ERRATIC = {
    SpriteClass.RANDOM_MISSILE,
    SpriteClass.RANDOM_BOMBER,
    SpriteClass.RANDOM_NPC,
    SpriteClass.CHASER,
    SpriteClass.FLEEING,
    SpriteClass.RANDOM_PATH_ALT_CHASER,
}
"""Classes that choose among directions by chance."""


def effects_by_type(game: Game) -> list[tuple[int, tuple[EffectLine, ...]]]:
    """Every first type of a rule, with the effects on it."""
    found = [(rule.first, rule.effects) for rule in game.pairs]
    found += [(rule.first, rule.effects) for rule in game.edges]
    return found + [(rule.first, (rule.effect,)) for rule in game.times]


def all_effects(game: Game) -> list[EffectLine]:
    """Every effect of a game, those inside of timers too."""
    lines = [line for _, effects in effects_by_type(game) for line in effects]
    return lines + [line.inner for line in lines if line.inner is not None]


def background(game: Game) -> frozenset[int]:
    """Types that do nothing and that no rule mentions: they are where the level puts them, for ever."""
    named = {number for rule in game.pairs for number in (rule.first, rule.second)}
    named |= {rule.first for rule in game.edges} | {rule.first for rule in game.times}
    named |= {number for rule in game.ends for number in rule.stypes} | set(game.obstacles)
    for line in all_effects(game):
        named |= {line.stype, line.stype_to, line.resource}
    for kind in game.types:
        named |= {*kind.targets, kind.chased, kind.feared, *kind.ammo}
    meant = {one for number in named if number >= 0 for one in game.types[number].kin}
    return frozenset(
        kind.number
        for kind in game.types
        if kind.word is not None
        and kind.word.number in INERT
        and (kind.static or kind.speed == 0)
        and kind.number not in meant
        and not any(game.types[one].singleton for one in kind.ancestry)
    )


def has_chance(game: Game) -> bool:
    """Whether what chance draws can make a difference."""
    for kind in game.types:
        if kind.word is None:
            continue
        number = kind.word.number
        if number in ERRATIC or (number is SpriteClass.SPREADER and 0 < kind.spread < 1):
            return True
        if number in (SpriteClass.SPAWN_POINT, SpriteClass.BOMBER) and 0 < kind.chance < 1:
            return True
    for line in all_effects(game):
        if line.effect in (Effect.FLIP_DIRECTION, Effect.TELEPORT_TO_EXIT) or 0 < line.chance < 1:
            return True
    return False
