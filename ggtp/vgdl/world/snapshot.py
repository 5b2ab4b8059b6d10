"""Worlds that are kept: as numbers, but for the latest.

A referee keeps every position of a play, and a game has thousands of ticks with hundreds of sprites
each. As objects they would take a garbage collector a tenth of a second to look through, while a
tick has 40 ms.
"""

from __future__ import annotations

import weakref
from array import array
from collections import deque

from ggtp.vgdl.world.chance import Chance
from ggtp.vgdl.world.world import Sprite, Timer, World

RECENT = 16
"""How many worlds of a play are at hand as they are."""
FIELDS = 21
"""How many numbers a sprite has; then follow its resources."""
NOBODY, GONE = -1, -2
"""There is no avatar; or it has become something else, and is only remembered."""


class Snapshot:
    """A world of a play. Nobody may change it: who plays on makes a twin."""

    __slots__ = ("__weakref__", "_figures", "_numbers", "_shelf", "_timers", "_world")

    def __init__(self, world: World, shelf: Shelf) -> None:
        self._world: World | None = world
        self._shelf = shelf
        self._numbers = b""
        self._figures: tuple[int, ...] = ()
        self._timers: tuple[tuple[int, object, int], ...] = ()
        shelf.add(self)

    @property
    def shelf(self) -> Shelf:
        """Where the worlds of the play are at hand."""
        return self._shelf

    @property
    def world(self) -> World:
        """The world itself."""
        world = self._world
        if world is None:
            world = self._world = self._unpacked()
            self._shelf.add(self)
        return world

    def pack(self) -> None:
        """Keep numbers alone."""
        world = self._world
        if world is None:
            return
        place = NOBODY
        rows: list[int] = []
        for number, group in enumerate(world.groups):
            if number not in world.background:
                rows.append(len(group))
                for index, sprite in enumerate(group):
                    place = index if sprite is world.avatar else place
                    _write(sprite, rows)
        if world.avatar is not None and place == NOBODY:
            place = GONE
            _write(world.avatar, rows)
        try:
            self._numbers = array("i", rows).tobytes()
        except OverflowError:
            self._numbers = b"q" + array("q", rows).tobytes()
        kind = NOBODY if world.avatar is None else world.avatar.kind.number
        self._figures = (
            world.tick, world.score, world.winner, world.ended, world.count, world.next_identity, world.chance.state,
            world.chance.calls, kind, place,
        )  # fmt: skip
        self._timers = tuple((timer.first, timer.effect, timer.due) for timer in world.timers)
        self._world = None

    def _unpacked(self) -> World:
        first = self._shelf.first
        numbers = array("q" if len(self._numbers) % 4 else "i")
        numbers.frombytes(self._numbers[len(self._numbers) % 4 :])
        world = World.__new__(World)
        world.__dict__.update(first.__dict__)
        (tick, score, winner, ended, count, identity, state, calls, kind, place) = self._figures
        world.tick, world.score, world.winner, world.ended = tick, score, winner, bool(ended)
        world.count, world.next_identity = count, identity
        world.chance = Chance(0)
        world.chance.state, world.chance.calls = state, calls
        world.dying, world.shields = [], set()
        world.timers = [Timer(at, effect, due) for at, effect, due in self._timers]  # type: ignore[arg-type]
        at = 0
        world.groups = []
        for number, group in enumerate(first.groups):
            if number in first.background:
                world.groups.append(group)
                continue
            sprites: list[Sprite] = []
            length, at = numbers[at], at + 1
            for _ in range(length):
                sprite, at = _read(numbers, at, first)
                sprites.append(sprite)
            world.groups.append(sprites)
        if place == GONE:
            world.avatar, at = _read(numbers, at, first)
        else:
            world.avatar = None if place == NOBODY else world.groups[kind][place]
        return world


class Shelf:
    """The worlds of one play that are at hand, and what all of them share."""

    def __init__(self, first: World) -> None:
        """A play that begins with a world."""
        self.first = first
        self._recent: deque[weakref.ref[Snapshot]] = deque()

    def add(self, snapshot: Snapshot) -> None:
        """Another world is at hand; the one that has been there for the longest time becomes numbers."""
        self._recent.append(weakref.ref(snapshot))
        while len(self._recent) > RECENT:
            oldest = self._recent.popleft()()
            if oldest is not None:
                oldest.pack()


def _write(sprite: Sprite, rows: list[int]) -> None:
    goal = sprite.goal
    flags = (
        sprite.oriented | sprite.first_tick << 1 | sprite.killed << 2 | sprite.disabled << 3 | sprite.from_avatar << 4
        | (goal is not None) << 5
    )  # fmt: skip
    rows += (
        sprite.kind.number, sprite.identity, sprite.x, sprite.y, sprite.last_x, sprite.last_y, *sprite.orientation,
        flags, sprite.last_move, sprite.age, sprite.start, sprite.made, sprite.kept, *sprite.way, sprite.health,
        sprite.pulled, *(goal or (0, 0)), len(sprite.resources),
    )  # fmt: skip
    for item in sprite.resources.items():
        rows += item


def _read(numbers: array[int], at: int, first: World) -> tuple[Sprite, int]:
    row = numbers[at : at + FIELDS]
    sprite = Sprite.__new__(Sprite)
    sprite.kind, sprite.identity, sprite.x, sprite.y = first.game.types[row[0]], row[1], row[2], row[3]
    sprite.last_x, sprite.last_y, sprite.orientation = row[4], row[5], (row[6], row[7])
    flags = row[8]
    sprite.oriented, sprite.first_tick, sprite.killed = bool(flags & 1), bool(flags & 2), bool(flags & 4)
    sprite.disabled, sprite.from_avatar = bool(flags & 8), bool(flags & 16)
    sprite.last_move, sprite.age, sprite.start, sprite.made, sprite.kept = row[9], row[10], row[11], row[12], row[13]
    sprite.way, sprite.health, sprite.pulled = (row[14], row[15]), row[16], row[17]
    sprite.goal = (row[18], row[19]) if flags & 32 else None
    at += FIELDS
    end = at + 2 * row[20]
    sprite.resources = {numbers[i]: numbers[i + 1] for i in range(at, end, 2)}
    return sprite, end
