"""Where to go: the danger map, distances, and the thing that is most worth meeting.

A thing's interest is a weighted sum of what is expected of a collision with it, and the target is
the one with the least distance for its interest: H(o) = -d(o) c(o), where the cost factor c(o) is
one over the interest. So what is twice as interesting may be twice as far.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ggtp.vgdl.kernel import layout as k
from ggtp.vgdl.kernel.model import State
from ggtp.vgdl.kernel.native import Floats, Ints
from ggtp.vgdl.language.vocabulary import Action, Category
from ggtp.vgdl.player import foresight as f
from ggtp.vgdl.player.knowledge import Knowledge
from ggtp.vgdl.player.movement import C_KIND, C_NAME, C_SHOT, C_X, C_Y, sprites
from ggtp.vgdl.player.options import Interest

DEEPEST = 10
"""How many ticks ahead dangers are looked for."""
SULK = 60
"""For how many ticks a target that could not be reached is left alone."""
FAR_SHOT = 100
BOLD = 1 / 16
"""What is left of the fear of dangers when fear has led nowhere."""


@dataclass(slots=True)
class Target:
    """What is to be met."""

    kind: int = -1
    name: int = -1
    x: int = 0
    y: int = 0
    reach: int = 0
    """From how far it can be shot, in squares; 0 for not at all."""
    column: bool = False
    """Only a column is meant."""
    distance: float = 0.0
    field: Floats = field(default_factory=lambda: np.zeros(1))
    """How far it is from each square."""


class TargetChooser:
    """Chooses targets, and remembers which it could not reach."""

    def __init__(self, knowledge: Knowledge, interest: Interest | None = None) -> None:
        self._knowledge = knowledge
        self._weights = interest or Interest()
        model = knowledge.model
        self._wide, self._high, self._block = model.level.width, model.level.height, model.level.block
        self._memory = f.FloodMemory(np.zeros(self._wide * self._high), np.zeros(3 * self._wide * self._high, np.int32))
        self._last: Target | None = None
        self._nearest, self._since = np.inf, 0
        self._sulking: dict[int, int] = {}
        self.setbacks = 0
        """How often patience was lost since something was achieved."""
        self._score: int | None = None
        self.heat: Floats = np.full(self._wide * self._high, np.inf)
        """In how many ticks a danger can be at each square at the earliest."""

    def cells(self, rows: Ints) -> Ints:
        """The squares of sprites; -1 for those that are outside."""
        half = self._block // 2
        column, row = (rows[:, C_X] + half) // self._block, (rows[:, C_Y] + half) // self._block
        inside = (column >= 0) & (row >= 0) & (column < self._wide) & (row < self._high)
        return np.where(inside, row * self._wide + column, -1).astype(np.int32)

    @property
    def bold(self) -> bool:
        """True if nothing was achieved for so long that it is time to take risks."""
        courage = self._weights.courage
        return courage > 0 and self.setbacks >= courage

    def interest(self, state: State) -> list[float]:
        """Return the interest in meeting each kind now."""
        base, w = self._knowledge, self._weights
        at = int(state.numbers[k.AVATAR])
        avatar, inventory = int(state.numbers[at + k.KIND]), base.inventory(state)
        can_use = Action.USE in state.actions()
        found = []
        for kind in range(base.kinds):
            effects = base.expect(avatar, kind, inventory)
            worth = 0.0
            if effects & f.LOSE:
                worth = -1000.0
            elif effects & f.BLOCKED:
                worth = w.blocks
                known = base.pairs[avatar, kind]
                if known.first == f.UNKNOWN and known.novel(inventory) and _few(state, kind):
                    worth = 0.5 * w.unmet
            else:
                worth += w.win * bool(effects & f.WIN) + w.gain * bool(effects & f.GAIN)
                worth += w.cost * bool(effects & (f.COST | f.HARM)) + w.inventory * bool(effects & f.INVENTORY)
                worth += w.become * bool(effects & f.BECOME)
                if effects & f.PORTAL and kind not in base.teleports:  # where it leads nobody knows yet
                    worth += w.unmet + w.portal
                if effects & f.UNKNOWN:
                    worth += w.unmet + w.portal * (base.categories[kind] == Category.PORTAL)
                elif effects == 0 and base.pairs[avatar, kind].novel(inventory):
                    worth += 0.5 * w.unmet
            if can_use and (shot := self._shot(kind)):
                worth = max(worth, 0.0) + w.use * shot
            found.append(worth)
        return found

    def _shot(self, kind: int) -> float:
        """Return how much it is worth to shoot at a kind."""
        best = 0.0
        for (_, passive), rules in self._knowledge.shots.items():
            if passive == kind:
                effects = rules.first if rules.first != f.UNKNOWN else 0
                best = max(best, 1.0 * bool(effects & (f.GAIN | f.WIN)) + 0.3 * bool(effects == f.GONE))
        return best

    def reach(self, kind: int) -> int:
        """Return from how far a kind is shot, in squares; 0 for not at all."""
        if not self._shot(kind):
            return 0
        moving = self._knowledge.movements.habits
        shots = [shot for shot, passive in self._knowledge.shots if passive == kind]
        return FAR_SHOT if any(shot in moving and moving[shot].moves for shot in shots) else 1

    def warm(self, state: State, rows: Ints, cells: Ints) -> Floats:
        """Return the danger map: the least number of ticks in which a danger can come to each square."""
        base = self._knowledge
        at = int(state.numbers[k.AVATAR])
        feared = base.feared(int(state.numbers[at + k.KIND]), base.inventory(state))
        heat = self.heat
        heat.fill(np.inf)
        for kind in feared:
            habit = base.movements.habits.get(kind)
            if habit is None or kind not in base.movements.stochastic:
                continue
            blocking = np.array(base.movements.blockers(kind, base.kinds), np.int32)
            for mover in base.movements.habits:
                blocking[mover] = 0
            free = np.ones(heat.size, np.int32)
            solid = cells[(blocking[rows[:, C_KIND]] == 1) & (cells >= 0)]
            free[solid] = 0
            pace_x, pace_y = self._pace(habit.step_x, habit.interval), self._pace(habit.step_y, habit.interval)
            for cell in cells[(rows[:, C_KIND] == kind) & (cells >= 0)].tolist():
                f.warm(heat, free, cell, self._wide, pace_x, pace_y, float(DEEPEST), self._memory)
        for kind in base.deadly_spawners(feared):
            heat[cells[(rows[:, C_KIND] == kind) & (cells >= 0)]] = 0.0
        return heat

    def _pace(self, step: int, interval: int) -> float:
        """The ticks for a square along an axis; infinite where nothing was seen to move along it."""
        return max(1.0, self._block / step) * interval if step else np.inf

    def costs(self, state: State, rows: Ints, cells: Ints, heat: Floats) -> Floats:
        """Return the cost of entering each square: more the hotter it is; less than 0 if it must not be entered."""
        base = self._knowledge
        at = int(state.numbers[k.AVATAR])
        avatar, inventory = int(state.numbers[at + k.KIND]), base.inventory(state)
        enter = 1.0 + self._weights.danger * (BOLD if self.bold else 1.0) / (heat + 1.0)
        shut = np.zeros(base.kinds, bool)
        for kind in range(base.kinds):
            effects = base.expect(avatar, kind, inventory)
            if effects == f.UNKNOWN:
                effects = f.BLOCKED if base.blocks_others(avatar, kind) else 0
            moving = kind in base.movements.habits
            shut[kind] = effects == f.BLOCKED or (not moving and bool(effects & f.LOSE))
        for kind in base.deadly_spawners(base.feared(avatar, inventory)):
            shut[kind] = True
        enter[cells[shut[rows[:, C_KIND]] & (cells >= 0)]] = -1.0
        return enter

    def links(self, rows: Ints, cells: Ints) -> tuple[Ints, Ints]:
        """Squares of entries, and the squares that they lead to."""
        entries: list[int] = []
        exits: list[int] = []
        for entry, kinds in self._knowledge.teleports.items():
            ends = cells[np.isin(rows[:, C_KIND], list(kinds)) & (cells >= 0)].tolist()
            for cell in cells[(rows[:, C_KIND] == entry) & (cells >= 0)].tolist():
                entries += [cell] * len(ends)
                exits += ends
        return np.array(entries, np.int32), np.array(exits, np.int32)

    def choose(self, state: State) -> Target:
        """The target for this tick."""
        rows = sprites(state)
        at = int(state.numbers[k.AVATAR])
        own = int(state.numbers[at + k.NAME])
        rows = rows[(rows[:, C_NAME] != own)]
        cells = self.cells(rows)
        worth = np.array(self.interest(state))[rows[:, C_KIND]] if len(rows) else np.zeros(0)
        worth[rows[:, C_SHOT] == 1] = 0.0  # what the avatar itself has shot is nothing to go to
        here = self.cells(np.array([[own, 0, state.numbers[at + k.X], state.numbers[at + k.Y], 0]], np.int32))
        actions = state.actions()
        if state.score != self._score or (self._last is not None and not (rows[:, C_NAME] == self._last.name).any()):
            self._score, self.setbacks = state.score, 0
        if here[0] < 0 or not len(rows):
            return self.nothing()
        if self._weights.columns and Action.UP not in actions and Action.LEFT in actions:
            return self._column(worth, cells, int(here[0]))
        heat = self.warm(state, rows, cells)
        enter = self.costs(state, rows, cells, heat)
        entries, exits = self.links(rows, cells)
        far = np.empty(enter.size)
        f.flood(enter, here, entries, exits, False, self._wide, far, self._memory)
        for cell in cells.tolist():
            if cell >= 0 and enter[cell] < 0 and far[cell] == np.inf:  # what blocks can be met, not entered
                far[cell] = 1.0 + min(self._around(far, cell))
        return self._best(state, rows, cells, worth, far, enter, entries, exits)

    def _around(self, far: Floats, cell: int) -> list[float]:
        column, row = cell % self._wide, cell // self._wide
        beside = []
        for dx, dy in ((0, -1), (-1, 0), (0, 1), (1, 0)):
            if 0 <= column + dx < self._wide and 0 <= row + dy < self._high:
                beside.append(float(far[(row + dy) * self._wide + column + dx]))
        return beside or [np.inf]

    def _best(
        self, state: State, rows: Ints, cells: Ints, worth: Floats, far: Floats, enter: Floats, entries: Ints,
        exits: Ints,
    ) -> Target:  # fmt: skip
        tick = state.tick
        distance = np.where(cells >= 0, far[cells], np.inf)
        usable = (worth > 0) & (distance < np.inf)
        self._sulking = {name: until for name, until in self._sulking.items() if until >= tick}
        others = usable & np.isin(rows[:, C_NAME], list(self._sulking), invert=True)
        usable = others if others.any() else usable  # better one that is hard to reach than none
        if not usable.any():
            return self.nothing()
        value = np.where(usable, -(distance + 1.0) / np.maximum(worth, 1e-9), -np.inf)
        best = int(np.argmax(value))
        last = self._last
        if last is not None:
            again = np.flatnonzero((rows[:, C_NAME] == last.name) & usable)
            # What was chosen stays chosen unless another is clearly better.
            if len(again) and value[best] < 0.8 * value[again[0]]:
                best = int(again[0])
        row, cell = rows[best].tolist(), int(cells[best])
        if last is None or last.name != row[C_NAME]:
            self._nearest, self._since = np.inf, tick
        if distance[best] < self._nearest - 0.5:
            self._nearest, self._since = float(distance[best]), tick
        elif tick - self._since > self._weights.patience:
            self._sulking[row[C_NAME]] = tick + SULK
            self.setbacks += 1
            self._nearest, self._since = np.inf, tick
        field = np.empty(enter.size)
        f.flood(enter, np.array([cell], np.int32), entries, exits, True, self._wide, field, self._memory)
        reach = self.reach(row[C_KIND])
        self._last = Target(row[C_KIND], row[C_NAME], row[C_X], row[C_Y], reach, False, float(distance[best]), field)
        return self._last

    def nothing(self) -> Target:
        """No target."""
        self._last = None
        return Target(field=np.full(self._wide * self._high, np.inf))

    def _column(self, worth: Floats, cells: Ints, here: int) -> Target:
        """Return the column with the most interest, near things first, for an avatar that can only go sideways."""
        self._last = None
        good = (worth > 0) & (cells >= 0)
        if not good.any():
            return self.nothing()
        away = abs(cells[good] % self._wide - here % self._wide)
        sums = np.zeros(self._wide)
        np.add.at(sums, cells[good] % self._wide, worth[good] / (1.0 + away))
        column = int(np.argmax(sums))
        across = abs(np.arange(self._wide) - column).astype(np.float64)
        field = np.tile(across, self._high)
        return Target(column=True, x=column * self._block, distance=float(field[here]), field=field)


def _few(state: State, kind: int) -> bool:
    """Return whether there are only some of a kind: not walls."""
    return state.population(kind) <= 10
