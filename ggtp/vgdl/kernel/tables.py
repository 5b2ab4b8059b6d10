"""A game with a level as the tables of the kernel.

Types that no rule mentions and that do nothing by themselves (floors, backgrounds) are left
out of the state: they are where the level puts them, for ever.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ggtp.vgdl.kernel import layout as k
from ggtp.vgdl.language.analysis import INERT, all_effects, background, effects_by_type
from ggtp.vgdl.language.definition import EffectLine, Game, SpriteType
from ggtp.vgdl.language.level import Level
from ggtp.vgdl.language.vocabulary import Effect
from ggtp.vgdl.world.world import MOST_SPRITES

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]

MOVERS = {
    Effect.STEP_BACK,
    Effect.BOUNCE_FORWARD,
    Effect.ATTRACT_GAZE,
    Effect.WRAP_AROUND,
    Effect.TURN_AROUND,
    Effect.TELEPORT_TO_EXIT,
    Effect.PULL_WITH_IT,
}
"""Effects that can move a sprite which has stood still."""
MOST_TIMERS = 256
CAPACITY = 256
"""For how many sprites there is room besides four times those of the level."""


class Tables:
    """The tables of the kernel, `ints` and `floats`, and what is needed to understand its states."""

    def __init__(self, game: Game, level: Level, capacity: int | None = None) -> None:
        self.game = game
        self.level = level
        self.resources = tuple(_resources(game))
        """The types that are had as resources, in the order of their columns in a record."""
        self.background = background(game)
        """Types that are left out."""
        self.record = k.RECORD + len(self.resources)
        self.lines: list[EffectLine] = []
        """Every effect by its number."""
        self._columns = {number: index for index, number in enumerate(self.resources)}
        self._g: list[int] = [0] * k.GAME_HEAD
        kept = sum(number not in self.background for number, _, _ in level.placed)
        self._write_sizes(min(MOST_SPRITES + 1, capacity or 4 * kept + CAPACITY))
        self._write_types()
        self._write_rules()
        self._write_layout()
        self.ints = np.array(self._g, np.int32)
        by_type = [(kind.chance, kind.spread, kind.reach, kind.epsilon) for kind in game.types]
        chances = [line.chance for line in self.lines]
        self.floats = np.array([value for row in by_type for value in row] + chances, np.float64)

    @property
    def size(self) -> int:
        """The number of words of a state."""
        return int(self.ints[k.G_SPRITES]) + int(self.ints[k.G_CAPACITY]) * self.record

    def line_number(self, line: EffectLine) -> int:
        """The number of an effect; a new one, where it has none yet."""
        for index, known in enumerate(self.lines):
            if known is line:
                return index
        self.lines.append(line)
        number = len(self.lines) - 1
        if line.inner is not None:
            self.line_number(line.inner)
        return number

    def _table(self, rows: Iterable[Sequence[int]]) -> int:
        start = len(self._g)
        for row in rows:
            self._g.extend(int(value) for value in row)
        return start

    def _lists(self, items: Iterable[Sequence[int]]) -> int:
        """A list for each type: where it begins and how long it is, in a table of their own."""
        return self._table([(self._table([item]), len(item)) for item in items])

    def _write_sizes(self, capacity: int) -> None:
        g, level = self._g, self.level
        g[k.G_TYPES], g[k.G_BLOCK] = len(self.game.types), level.block
        g[k.G_COLUMNS], g[k.G_ROWS] = level.width, level.height
        g[k.G_WIDTH], g[k.G_HEIGHT] = level.width * level.block, level.height * level.block
        g[k.G_RESOURCES], g[k.G_PLAYABLE] = len(self.resources), int(level.playable)
        g[k.G_MOST_SPRITES], g[k.G_CAPACITY] = MOST_SPRITES, capacity

    def _write_types(self) -> None:
        g, types = self._g, self.game.types
        g[k.G_KIN] = self._lists([kind.kin for kind in types])
        g[k.G_RANK] = self._table([_ranks(kind, len(types)) for kind in types])
        g[k.G_SINGLE] = self._lists([[one for one in kind.ancestry if types[one].singleton] for kind in types])
        shots = [self._table(self._shots(kind)) for kind in types]
        g[k.G_KIND] = self._table([self._kind(kind, start) for kind, start in zip(types, shots, strict=True)])
        fixed = self._fixed()
        moving = [
            number
            for number in reversed(self.game.draw_order)
            if (word := types[number].word) is not None and not word.avatar and number not in fixed
        ]
        g[k.G_UPDATE], g[k.G_UPDATES] = self._table([moving]), len(moving)
        obstacles = [one for number in self.game.obstacles for one in types[number].kin]
        g[k.G_OBSTACLES], g[k.G_OBSTACLE_COUNT] = self._table([obstacles]), len(obstacles)

    def _shots(self, kind: SpriteType) -> list[tuple[int, int, int, int]]:
        rows = []
        for index, number in enumerate(kind.targets):
            ammo = kind.ammo[index] if index < len(kind.ammo) else -1
            least = kind.ammo_least[index] if index < len(kind.ammo_least) else -1
            cost = kind.ammo_cost[index] if index < len(kind.ammo_cost) else 1
            rows.append((number, self._columns.get(ammo, -1), max(least, 0), cost))
        return rows

    def _kind(self, kind: SpriteType, shots: int) -> list[int]:
        row = [0] * k.KIND_ROW
        row[k.K_CLASS] = -1 if kind.word is None else int(kind.word.number)
        row[k.K_STATIC], row[k.K_ORIENTED], row[k.K_ROTATE] = kind.static, kind.oriented, kind.rotate
        row[k.K_WAY_X], row[k.K_WAY_Y] = kind.orientation
        row[k.K_SPAWN_X], row[k.K_SPAWN_Y] = kind.spawn_orientation
        row[k.K_COOLDOWN], row[k.K_LIMIT], row[k.K_VALUE] = kind.cooldown, kind.limit, kind.value
        row[k.K_STEP], row[k.K_SPEED] = int(kind.speed * self.level.block), int(kind.speed)
        row[k.K_MOVES], row[k.K_TOTAL], row[k.K_KEEPS] = kind.speed != 0, kind.total, kind.keeps
        row[k.K_TARGET], row[k.K_CHASED], row[k.K_FEARED] = kind.target, kind.chased, kind.feared
        row[k.K_HEALTH], row[k.K_MOST_HEALTH] = kind.health, kind.most_health
        row[k.K_IS_RESOURCE] = kind.class_name == "Resource"
        row[k.K_RESOURCE] = self._columns.get(kind.number, -1)
        row[k.K_SHOTS], row[k.K_SHOT_COUNT] = shots, len(kind.targets)
        if kind.word is not None and kind.word.avatar:
            row[k.K_AVATAR] = 1
            row[k.K_ACTIONS] = sum(1 << int(action) for action in kind.word.actions)
        return row

    def _write_rules(self) -> None:
        g, game = self._g, self.game
        pairs = [(rule.first, rule.second, *self._effect_list(rule.effects)) for rule in game.pairs]
        edges = [(rule.first, *self._effect_list(rule.effects)) for rule in game.edges]
        for rule in game.times:
            self.line_number(rule.effect)
        g[k.G_PAIRS], g[k.G_PAIR_COUNT] = self._table(pairs), len(pairs)
        g[k.G_EDGES], g[k.G_EDGE_COUNT] = self._table(edges), len(edges)
        g[k.G_EFFECTS] = self._table([self._effect(line) for line in self.lines])
        ends = [
            (rule.end, rule.win, rule.limit, rule.at_least, *(*rule.stypes, -1, -1, -1)[: k.MOST_END_TYPES], 0)
            for rule in game.ends
        ]
        g[k.G_ENDS], g[k.G_END_COUNT] = self._table(ends), len(ends)
        g[k.G_ALIGNED] = self._aligned()

    def _effect_list(self, effects: Sequence[EffectLine]) -> tuple[int, int]:
        return self._table([[self.line_number(line) for line in effects]]), len(effects)

    def _effect(self, line: EffectLine) -> list[int]:
        row = [0] * k.EFFECT_ROW
        row[k.E_EFFECT], row[k.E_SCORE], row[k.E_REPEAT] = line.effect, line.score, line.repeat
        row[k.E_STYPE], row[k.E_STYPE_TO], row[k.E_NOT_STYPE] = line.stype, line.stype_to, line.not_stype
        if line.resource >= 0:
            row[k.E_RESOURCE] = self._columns[line.resource]
            row[k.E_RESOURCE_LIMIT] = self.game.resource_limit(line.resource)
        row[k.E_VALUE], row[k.E_LIMIT], row[k.E_SPEND] = line.value, line.limit, line.spend
        row[k.E_KILL_SECOND], row[k.E_KILL_RESOURCE] = line.kill_second, line.kill_resource
        row[k.E_PIXEL], row[k.E_ALIGN], row[k.E_TAKE] = line.pixel_perfect, line.align, line.take_orientation
        row[k.E_SCORE_KILLED], row[k.E_INSET] = line.score_if_killed, int(line.offset * self.level.block)
        row[k.E_SHIELDED], row[k.E_TIMER], row[k.E_REPEATING] = line.shielded, line.timer, line.repeating
        row[k.E_INNER] = -1 if line.inner is None else self.line_number(line.inner)
        return row

    def _write_layout(self) -> None:
        g = self._g
        shields = sum(line.effect is Effect.SHIELD_FROM for line in self.lines) * len(self.game.types)
        timed = bool(self.game.times) or any(line.inner is not None for line in self.lines)
        g[k.G_MOST_SHIELDS], g[k.G_MOST_TIMERS] = shields, MOST_TIMERS if timed else 0
        g[k.G_HEADS] = k.HEAD
        g[k.G_CELLS] = g[k.G_HEADS] + len(self.game.types) * k.GROUP
        g[k.G_SHIELD_ROWS] = g[k.G_CELLS] + (self.level.width + 2) * (self.level.height + 2)
        g[k.G_TIMER_ROWS] = g[k.G_SHIELD_ROWS] + shields * k.SHIELD
        g[k.G_SPRITES] = g[k.G_TIMER_ROWS] + g[k.G_MOST_TIMERS] * k.TIMER

    def _aligned(self) -> bool:
        """Return whether every sprite always covers exactly one square."""
        block = self.level.block
        whole = all(
            int(kind.speed * block) % block == 0 and (kind.speed == 0 or int(kind.speed * block) != 0)
            for kind in self.game.types
        )
        return whole and all(int(line.offset * block) % block == 0 for line in self.lines)

    def _fixed(self) -> set[int]:
        """Types whose sprites never move: what they were in the last tick need not be remembered."""
        moved: set[int] = set()
        for first, effects in effects_by_type(self.game):
            if any(line.effect in MOVERS for line in effects):
                moved.update(self.game.types[first].kin)
        return {
            kind.number
            for kind in self.game.types
            if kind.word is not None
            and kind.word.number in INERT
            and (kind.static or kind.speed == 0)
            and kind.number not in moved
        }


def _ranks(kind: SpriteType, count: int) -> list[int]:
    ranks = [-1] * count
    for index, number in enumerate(kind.kin):
        ranks[number] = index
    return ranks


def _resources(game: Game) -> list[int]:
    """All types that an avatar can have: resources, ammunition, and what effects name as such."""
    found = {kind.number for kind in game.types if kind.class_name == "Resource"}
    found |= {number for kind in game.types for number in kind.ammo}
    found |= {line.resource for line in all_effects(game) if line.resource >= 0}
    return sorted(found)
