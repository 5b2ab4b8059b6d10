"""The state of a game under way, as plain objects: sprites by type, score, chance.

All places are in pixels, and every sprite is as big as a square.
"""

from __future__ import annotations

from collections.abc import Iterator

from ggtp.errors import RulesError
from ggtp.vgdl.language.analysis import background
from ggtp.vgdl.language.definition import EffectLine, Game, SpriteType
from ggtp.vgdl.language.level import Level
from ggtp.vgdl.language.vocabulary import NOWHERE, Vector
from ggtp.vgdl.world.chance import Chance, spread

MOST_SPRITES = 10_000
MOST_CONTACTS = 250_000
"""How many pairs of sprites may meet in a tick: 500 in one place, or all of a large level with some others."""
MOST_TIMERS = 10_000
"""How many effects may wait for their time; machine code has room for fewer."""
UNDECIDED, LOST, WON = -1, 0, 1


class Sprite:
    """One sprite. `killed` ones are removed at the end of the tick; a `disabled` avatar stays where it died."""

    __slots__ = (
        "age",
        "disabled",
        "first_tick",
        "from_avatar",
        "goal",
        "health",
        "identity",
        "kept",
        "killed",
        "kind",
        "last_move",
        "last_x",
        "last_y",
        "made",
        "orientation",
        "oriented",
        "pulled",
        "resources",
        "start",
        "way",
        "x",
        "y",
    )

    def __init__(self, kind: SpriteType, identity: int, x: int, y: int) -> None:
        self.kind = kind
        self.identity = identity
        self.x = self.last_x = x
        self.y = self.last_y = y
        self.orientation = kind.orientation
        self.oriented = kind.oriented
        self.last_move = 0
        self.first_tick = True
        self.age = 0
        self.start = -1
        self.made = 0
        self.kept = 0
        self.way = NOWHERE
        self.health = kind.health
        self.resources: dict[int, int] = {}
        self.killed = self.disabled = self.from_avatar = False
        self.pulled = -1
        self.goal: tuple[int, int] | None = None

    def copy(self) -> Sprite:
        """Another sprite in the same state."""
        other = Sprite.__new__(Sprite)
        other.kind, other.identity, other.x, other.y = self.kind, self.identity, self.x, self.y
        other.last_x, other.last_y, other.last_move = self.last_x, self.last_y, self.last_move
        other.orientation, other.oriented, other.first_tick = self.orientation, self.oriented, self.first_tick
        other.age, other.start, other.made, other.kept, other.way = self.age, self.start, self.made, self.kept, self.way
        other.health, other.killed, other.disabled = self.health, self.killed, self.disabled
        other.from_avatar, other.pulled, other.goal = self.from_avatar, self.pulled, self.goal
        other.resources = dict(self.resources) if self.resources else {}
        return other

    def moved(self) -> Vector:
        """The direction in which it has moved since the last tick: along an axis, or slanted."""
        return sign(self.x - self.last_x), sign(self.y - self.last_y)

    def has(self, resource: int) -> int:
        """How much it has of a resource."""
        return self.resources.get(resource, 0)

    def gain(self, resource: int, amount: int) -> None:
        """Gives it more of a resource, or takes some; it never has less than nothing."""
        self.resources[resource] = max(0, self.has(resource) + amount)


def sign(number: int) -> int:
    """-1, 0 or 1."""
    return (number > 0) - (number < 0)


class Timer:
    """An effect that waits for its tick."""

    __slots__ = ("due", "effect", "first")

    def __init__(self, first: int, effect: EffectLine, due: int) -> None:
        self.first = first
        self.effect = effect
        self.due = due


class World:
    """The state of a game. `world.tick.advance` changes it; `copy` makes another one that goes its own way."""

    def __init__(self, game: Game, level: Level, seed: int = 0) -> None:
        """The start of a level; the seed decides what chance will draw.

        Raises:
            RulesError: it has too many sprites.
        """
        self.game = game
        self.level = level
        self.block = level.block
        self.width, self.height = level.width * level.block, level.height * level.block
        self.background = background(game)
        """Types of which nothing ever changes: copies share them."""
        self.chance = Chance(seed)
        self.tick = -1
        self.score = 0
        self.winner = UNDECIDED
        self.ended = False
        self.groups: list[list[Sprite]] = [[] for _ in game.types]
        self.count = 0
        self.contacts = 0
        """How many pairs have met in this tick."""
        self.next_identity = 0
        self.dying: list[Sprite] = []
        self.shields: set[tuple[int, int, int]] = set()
        self.timers: list[Timer] = []
        self.avatar: Sprite | None = None
        for number, column, row in level.placed:
            sprite = self.put(number, column * level.block, row * level.block, force=True)
            if sprite is not None and self.avatar is None and sprite.kind.word is not None and sprite.kind.word.avatar:
                self.avatar = sprite
        for rule in game.times:
            self.timers.append(Timer(rule.first, rule.effect, 0))

    def copy(self, seed: int) -> World:
        """The same state, with a chance of its own: who looks ahead must not know what chance will draw."""
        other = self.twin()
        other.chance = Chance(spread(seed))
        return other

    def twin(self) -> World:
        """The same state with the same chance: for the referee, who keeps every position."""
        other = World.__new__(World)
        other.__dict__.update(self.__dict__)
        other.chance = self.chance.copy()
        other.groups = [
            group if number in self.background else [sprite.copy() for sprite in group]
            for number, group in enumerate(self.groups)
        ]
        other.dying, other.shields = [], set()
        other.timers = [Timer(timer.first, timer.effect, timer.due) for timer in self.timers]
        if self.avatar is not None:
            group = self.groups[self.avatar.kind.number]
            place = next((index for index, sprite in enumerate(group) if sprite is self.avatar), None)
            if place is None:
                other.avatar = self.avatar.copy()
            else:
                other.avatar = other.groups[self.avatar.kind.number][place]
        return other

    def put(self, number: int, x: int, y: int, force: bool = False) -> Sprite | None:
        """Makes a sprite; None where a singleton of its ancestry is there already, or its type has no class.

        Raises:
            RulesError: there are too many.
        """
        kind = self.game.types[number]
        if kind.word is None:
            return None
        if self.count >= MOST_SPRITES:
            raise RulesError(f"there are more than {MOST_SPRITES} sprites{self._when()}")
        if not force and any(self.game.types[one].singleton and self.kin(one) for one in kind.ancestry):
            return None
        sprite = Sprite(kind, self.next_identity, x, y)
        self.next_identity += 1
        self.groups[number].append(sprite)
        self.count += 1
        return sprite

    def meet(self, contacts: int) -> None:
        """Counts pairs of sprites that meet in this tick.

        Raises:
            RulesError: there are too many.
        """
        self.contacts += contacts
        if self.contacts > MOST_CONTACTS:
            raise RulesError(f"more than {MOST_CONTACTS} pairs of sprites meet{self._when()}")

    def _when(self) -> str:
        return f" in tick {self.tick + 1}" if self.tick >= 0 else ""

    def kill(self, sprite: Sprite, transformed: bool = False) -> None:
        """Has a sprite removed at the end of the tick; an avatar is only disabled, unless it has become another."""
        word = sprite.kind.word
        if word is not None and word.avatar:
            sprite.disabled = True
            if not transformed:
                return
        if not sprite.killed:
            sprite.killed = True
            self.dying.append(sprite)

    def bury(self) -> None:
        """Removes what has been killed."""
        for number in {sprite.kind.number for sprite in self.dying}:
            self.groups[number] = [sprite for sprite in self.groups[number] if not sprite.killed]
        self.count -= len(self.dying)
        self.dying.clear()

    def kin(self, number: int) -> list[Sprite]:
        """All sprites that are meant by a type, in their order; the dying ones too."""
        return [sprite for one in self.game.types[number].kin for sprite in self.groups[one]]

    def living(self, number: int) -> int:
        """How many sprites are meant by a type, without dead avatars."""
        return sum(not sprite.disabled for sprite in self.kin(number))

    def sprites(self) -> Iterator[Sprite]:
        """Every sprite that lives."""
        for group in self.groups:
            for sprite in group:
                if not sprite.disabled and not sprite.killed:
                    yield sprite

    def outside(self, sprite: Sprite) -> bool:
        """Whether some of a sprite is beyond the edge of the screen."""
        return not (0 <= sprite.x <= self.width - self.block and 0 <= sprite.y <= self.height - self.block)

    def overlap(self, one: Sprite, other: Sprite) -> bool:
        """Whether two sprites share some area."""
        return abs(one.x - other.x) < self.block and abs(one.y - other.y) < self.block
