"""The forward model: states of a game that are cheap to copy and fast to advance.

    model = Model(game, level)
    state = model.start(seed)          # or model.state_of(world)
    other = state.copy(seed)           # with a chance of its own: look-ahead knows no real draws
    other.advance(Action.LEFT)
    other.score, other.winner, other.observations()

What an observer may know is here and nothing else: no names, no rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ggtp.vgdl.kernel import layout as k
from ggtp.vgdl.kernel import tick as kernel
from ggtp.vgdl.kernel.native import bind, load
from ggtp.vgdl.kernel.sprites import put
from ggtp.vgdl.kernel.tables import Ints, Tables
from ggtp.vgdl.language.definition import Game
from ggtp.vgdl.language.level import Level, parse_level
from ggtp.vgdl.language.parse import parse
from ggtp.vgdl.language.vocabulary import Action, Category
from ggtp.vgdl.world.chance import spread
from ggtp.vgdl.world.world import Sprite, World

if TYPE_CHECKING:
    from ggtp.native.machine import CodeCache

EVENTS = 64
"""How many collisions of a tick are noted."""


@dataclass(frozen=True, slots=True)
class Observation:
    """A sprite as a player sees it."""

    category: Category
    kind: int
    identity: int
    x: int
    y: int


class Model:
    """One game and one level, compiled. Cheap to keep, and all its states share it."""

    def __init__(self, game: Game, level: Level, capacity: int | None = None) -> None:
        self.tables = Tables(game, level, capacity)
        self.game, self.level = game, level
        self.ints, self.floats = self.tables.ints, self.tables.floats
        squares, timers = level.width * level.height, int(self.ints[k.G_MOST_TIMERS])
        self.scratch = np.zeros(max(int(self.ints[k.G_CAPACITY]) * 4 + 8, 2 * squares, k.TIMER * timers), np.int32)
        self.log = np.zeros(k.LOG_HEAD + EVENTS * k.EVENT, np.int32)
        self.silent = np.zeros(0, np.int32)
        self.arrays = kernel.ModelArrays(self.ints, self.floats, self.scratch, self.log)

    def start(self, seed: int) -> State:
        """The level before its first tick."""
        return self.state_of(World(self.game, self.level, seed))

    def state_of(self, world: World) -> State:
        """The state of a game that the interpreter plays."""
        numbers = np.zeros(self.tables.size, np.int32)
        _pack(self.tables, world, numbers)
        return State(self, numbers)

    def rollouts(self, state: State, seed: int, runs: int, depth: int = 10) -> int:
        """Play random actions from a state; return the number of ticks."""
        actions = np.array([int(action) for action in (*state.actions(), Action.NIL)], np.int32)
        copy = np.empty_like(state.numbers)
        silent = self.arrays._replace(log=self.silent)
        return int(kernel.rollouts(state.numbers, copy, silent, actions, seed, runs, depth))

    def warm_up(self) -> None:
        """Have the kernel compiled before a clock runs, unless it was loaded."""
        self.rollouts(self.start(1), 1, 1, 2)
        self.start(1).copy(2).advance(Action.NIL)


class State:
    """A state of a game; `advance` changes it."""

    __slots__ = ("model", "numbers")

    def __init__(self, model: Model, numbers: Ints) -> None:
        self.model = model
        self.numbers = numbers

    def copy(self, seed: int) -> State:
        """The same state, with a chance of its own."""
        other = State(self.model, self.numbers.copy())
        kernel.reseed(other.numbers, spread(seed))
        return other

    def twin(self) -> State:
        """The same state with the same chance: for comparisons, not for looking ahead."""
        return State(self.model, self.numbers.copy())

    def advance(self, action: Action | int) -> None:
        """Play one tick."""
        model = self.model
        kernel.advance(self.numbers, model.ints, model.floats, model.scratch, model.silent, int(action))

    @property
    def tick(self) -> int:
        return int(self.numbers[k.TICK])

    @property
    def score(self) -> int:
        return int(self.numbers[k.SCORE])

    @property
    def winner(self) -> int:
        return int(self.numbers[k.WINNER])

    @property
    def ended(self) -> bool:
        return bool(self.numbers[k.ENDED])

    @property
    def calls(self) -> int:
        """The number of times that chance was asked for bits."""
        return int(self.numbers[k.CALLS])

    @property
    def overflown(self) -> bool:
        """True if there was no room for a sprite: then the state is no longer exact."""
        return bool(self.numbers[k.OVERFLOW])

    @property
    def exceeded(self) -> bool:
        """True if there were too many sprites, or too many met: the rules fail, and the state is ended."""
        return int(self.numbers[k.OVERFLOW]) == k.EXCEEDED

    def actions(self) -> tuple[Action, ...]:
        """The actions of the avatar, without NIL."""
        avatar = self.avatar()
        if avatar is None:
            return ()
        word = self.model.game.types[avatar.kind].word
        return () if word is None else word.actions

    def avatar(self) -> Avatar | None:
        """The avatar, dead or alive."""
        at = int(self.numbers[k.AVATAR])
        if at == 0:
            return None
        row = self.numbers[at : at + self.model.tables.record].tolist()
        resources = {
            number: row[k.RECORD + index] for index, number in enumerate(self.model.tables.resources)
            if row[k.RECORD + index]
        }  # fmt: skip
        return Avatar(
            row[k.KIND],
            row[k.NAME],
            row[k.X],
            row[k.Y],
            (row[k.WAY_X], row[k.WAY_Y]),
            not row[k.DISABLED],
            row[k.HEALTH],
            resources,
        )

    def records(self) -> list[list[int]]:
        """The records of all sprites that live, without the background."""
        tables = self.model.tables
        first, used = int(self.model.ints[k.G_SPRITES]), int(self.numbers[k.USED])
        rows = self.numbers[first : first + used * tables.record].reshape(used, tables.record)
        found = []
        for number in range(len(self.model.game.types)):
            at = int(self.numbers[int(self.model.ints[k.G_HEADS]) + number * k.GROUP + k.GROUP_FIRST])
            while at > 0:
                row = rows[(at - first) // tables.record].tolist()
                if not row[k.DISABLED]:
                    found.append(row)
                at = row[k.NEXT]
        return found

    def population(self, kind: int) -> int:
        """Return how many sprites there are of a type, a dead avatar included."""
        return int(self.numbers[int(self.model.ints[k.G_HEADS]) + kind * k.GROUP + k.GROUP_COUNT])

    def observations(self) -> Iterator[Observation]:
        """Every sprite that lives and is not background."""
        types = self.model.game.types
        for row in self.records():
            category = Category.FROM_AVATAR if row[k.FROM_AVATAR] else types[row[k.KIND]].category
            yield Observation(category, row[k.KIND], row[k.NAME], row[k.X], row[k.Y])

    def background(self) -> Iterator[tuple[int, int, int]]:
        """Type and place of the sprites that are always there."""
        block = self.model.level.block
        for number, column, row in self.model.level.placed:
            if number in self.model.tables.background:
                yield number, column * block, row * block


@dataclass(frozen=True, slots=True)
class Avatar:
    """What a player knows of the avatar."""

    kind: int
    identity: int
    x: int
    y: int
    orientation: tuple[int, int]
    alive: bool
    health: int
    resources: dict[int, int]


def _pack(tables: Tables, world: World, st: Ints) -> None:
    """Write the state of the interpreter into the numbers of the kernel."""
    g = tables.ints
    state = world.chance.state
    st[k.TICK], st[k.SCORE], st[k.WINNER], st[k.ENDED] = world.tick, world.score, world.winner, world.ended
    st[k.CHANCE_HIGH], st[k.CHANCE_LOW], st[k.CALLS] = state >> 24, state & 0xFFFFFF, world.chance.calls
    place = bind(put, st, g)
    for group in world.groups:
        for sprite in group:
            if sprite.kind.number not in tables.background:
                at = place(sprite.kind.number, sprite.x, sprite.y, True)
                _pack_sprite(tables, sprite, st[at : at + tables.record])
                if sprite is world.avatar:
                    st[k.AVATAR] = at
    st[k.IDENTITY] = world.next_identity
    st[k.COUNT] = world.count
    if world.avatar is not None and st[k.AVATAR] == 0:  # it has become something else, and is only remembered
        at = int(g[k.G_SPRITES]) + int(st[k.USED]) * tables.record
        st[k.USED] += 1
        st[at + k.KIND], st[at + k.X], st[at + k.Y] = world.avatar.kind.number, world.avatar.x, world.avatar.y
        _pack_sprite(tables, world.avatar, st[at : at + tables.record])
        st[k.AVATAR] = at
    for index, timer in enumerate(world.timers[: int(g[k.G_MOST_TIMERS])]):
        row = int(g[k.G_TIMER_ROWS]) + index * k.TIMER
        st[row : row + k.TIMER] = timer.first, tables.line_number(timer.effect), timer.due
        st[k.TIMERS] = index + 1


def _pack_sprite(tables: Tables, sprite: Sprite, row: Ints) -> None:
    row[k.LAST_X], row[k.LAST_Y], row[k.NAME] = sprite.last_x, sprite.last_y, sprite.identity
    row[k.WAY_X], row[k.WAY_Y] = sprite.orientation
    row[k.ORIENTED], row[k.LAST_MOVE], row[k.FIRST_TICK] = sprite.oriented, sprite.last_move, sprite.first_tick
    row[k.AGE], row[k.START], row[k.MADE], row[k.KEPT] = sprite.age, sprite.start, sprite.made, sprite.kept
    row[k.KEPT_X], row[k.KEPT_Y] = sprite.way
    row[k.HEALTH], row[k.DISABLED], row[k.FROM_AVATAR] = sprite.health, sprite.disabled, sprite.from_avatar
    row[k.PULLED] = sprite.pulled
    if sprite.goal is not None:
        row[k.GOAL], row[k.GOAL_X], row[k.GOAL_Y] = 1, *sprite.goal
    for index, number in enumerate(tables.resources):
        row[k.RECORD + index] = sprite.has(number)


SMALLEST = "BasicGame\n  TerminationSet\n    Timeout limit=9\n"


def warm_up(kept: CodeCache | None = None) -> None:
    """Have the kernel compiled, or found in the cache."""
    load(kept, kernel.__name__)
    game = parse(SMALLEST)
    Model(game, parse_level("A", game)).warm_up()
