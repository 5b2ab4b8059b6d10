"""One effect, applied by the plain world and by the kernel to the same sprites."""

from __future__ import annotations

from collections.abc import Iterable

from support.vgdl import world

from ggtp.vgdl.kernel import effects
from ggtp.vgdl.kernel import layout as k
from ggtp.vgdl.kernel.model import Model, State
from ggtp.vgdl.world.effects import apply
from ggtp.vgdl.world.world import Sprite, World

SPRITES = """
avatar > OrientedAvatar rotateInPlace=False
gem > Resource limit=2 value=2
box > Passive
arrow > Missile orientation=UP
gate > Portal stype=hole
hole > Immovable
f > Immovable
"""
LETTERS = "g > gem\nb > box\na > arrow\np > gate\nh > hole\n. > f\n"
LEVEL = "A.g.b a.p.h ....h"

Change = tuple[str, str, int]
"""A type, an attribute of its first sprite, and its value."""


def first(made: World, name: str) -> Sprite:
    """The first sprite of a type."""
    return next(group[0] for group in made.groups if group and group[0].kind.name == name)


def record(state: State, name: str) -> int:
    """Where the record of the first sprite of a type is in a state."""
    number = next(one.number for one in state.model.game.types if one.name == name)
    return int(state.numbers[int(state.model.ints[k.G_HEADS]) + number * k.GROUP + k.GROUP_FIRST])


def at_first(line: str, seed: int = 1) -> World:
    """The game of a line at its start."""
    return world(LEVEL, SPRITES, line, mapping=LETTERS, seed=seed)


def applied(line: str, changes: Iterable[Change] = (), seed: int = 1) -> tuple[World, State]:
    """What both come to, if the first sprites of the two types of a line meet.

    Args:
        line: the only line of the game: the types that meet, and what happens then.
        changes: what is different at first from the level's start.
        seed: of chance.
    """
    made = at_first(line, seed)
    for name, word, value in changes:
        setattr(first(made, name), word, value)
    state = Model(made.game, made.level).state_of(made)
    one, other = line.split()[:2]
    a, b = record(state, one), record(state, other)
    apply(made, made.game.pairs[0].effects[0], first(made, one), first(made, other))
    effects.apply(state.numbers, state.model.ints, state.model.floats, 0, a, b)
    return made, state


def of_world(made: World) -> list[tuple[object, ...]]:
    """All that an effect may change of the sprites that live, and the score."""
    found: list[tuple[object, ...]] = [
        (one.kind.number, one.x, one.y, *one.orientation, one.last_move, one.health, sum(one.resources.values()))
        for one in made.sprites()
        if one.kind.number not in made.background
    ]
    return [*sorted(found, key=repr), (made.score, made.chance.calls)]


def of_state(state: State) -> list[tuple[object, ...]]:
    """The same of the kernel."""
    found: list[tuple[object, ...]] = [
        (
            *(row[word] for word in (k.KIND, k.X, k.Y, k.WAY_X, k.WAY_Y, k.LAST_MOVE, k.HEALTH)),
            sum(row[k.RECORD : state.model.tables.record]),
        )
        for row in state.records()
        if not row[k.KILLED]
    ]
    return [*sorted(found, key=repr), (state.score, state.calls)]
