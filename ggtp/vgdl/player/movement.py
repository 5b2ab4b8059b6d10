"""How things move by themselves, learned by comparing states: how far, how often, where not, and what appears where.

A kind is taken to be left to chance, or to a will of its own, when it moves while the avatar does
nothing and nothing that moved beside it can have been the cause; or when the same action in the
same state lets it come to different places.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ggtp.vgdl.kernel import layout as k
from ggtp.vgdl.kernel.model import State
from ggtp.vgdl.kernel.native import Ints
from ggtp.vgdl.player.options import Learning

COLUMNS = [k.NAME, k.KIND, k.X, k.Y, k.FROM_AVATAR]
"""What `sprites` takes from the records; the names below are those of its columns."""
C_NAME, C_KIND, C_X, C_Y, C_SHOT = range(5)
TELEPORT = 2
"""More squares than this at once are no step."""
MOST_REMEMBERED = 4000
"""Of how many sprites it is remembered when they moved."""


def sprites(state: State) -> Ints:
    """Name, kind, place of every sprite that lives, and whether the avatar has shot it."""
    model = state.model
    record, first, used = model.tables.record, int(model.ints[k.G_SPRITES]), int(state.numbers[k.USED])
    rows = state.numbers[first : first + used * record].reshape(used, record)
    found = rows[(rows[:, k.KILLED] == 0) & (rows[:, k.DISABLED] == 0)][:, COLUMNS]
    return np.ascontiguousarray(found, np.int32)


@dataclass(slots=True)
class Habit:
    """How a kind moves."""

    step_x: int = 0
    step_y: int = 0
    """The longest steps that were seen, in pixels."""
    moves: int = 0
    intervals: dict[int, int] = field(default_factory=dict)
    """Ticks between two moves of one sprite, and how often."""

    @property
    def interval(self) -> int:
        """The least number of ticks between two moves; 1 if none is known."""
        return min(self.intervals) if self.intervals else 1


class Movements:
    """All that was learned of movements in a game."""

    def __init__(
        self, block: int, portal: Callable[[int], bool] = lambda kind: False, learning: Learning | None = None
    ) -> None:
        """Nothing is known; `portal` tells which kinds are seen as portals."""
        self._learning = learning or Learning()
        self._block = block
        self._portal = portal
        self.habits: defaultdict[int, Habit] = defaultdict(Habit)
        self.stochastic: set[int] = set()
        """Kinds that move as chance wants, or by a will of their own."""
        self.shares: defaultdict[int, set[int]] = defaultdict(set)
        """For each kind that moves, the kinds that were seen on its square: all others block it."""
        self.spawners: defaultdict[int, set[int]] = defaultdict(set)
        """Kinds on which others appear, and those that do."""
        self._moved: dict[int, int] = {}
        self.transitions = 0

    def observe(self, before: State, after: State, nothing_done: bool) -> None:
        """One tick: of the game itself, or of a look ahead."""
        self.transitions += 1
        old, new = sprites(before), sprites(after)
        avatar = int(before.numbers[before.numbers[k.AVATAR] + k.NAME])
        _, i, j = np.intersect1d(old[:, C_NAME], new[:, C_NAME], assume_unique=True, return_indices=True)
        shift = new[j][:, [C_X, C_Y]] - old[i][:, [C_X, C_Y]]
        steps = np.flatnonzero(shift.any(axis=1))
        movers = new[j[steps]]
        for index, row in zip(steps.tolist(), movers.tolist(), strict=True):
            if row[C_NAME] != avatar:
                dx, dy = shift[index].tolist()
                self._note(row, dx, dy, before.tick, new)
        fresh = new[new[:, C_NAME] >= int(before.numbers[k.IDENTITY])]
        gone = old[np.isin(old[:, C_NAME], new[:, C_NAME], invert=True)]
        changed = np.concatenate([movers, fresh, gone])
        if nothing_done and self._learning.wills:
            self._find_wills(movers, changed, avatar)
        if len(fresh) and self._learning.spawners:
            self._find_spawners(fresh, changed, old, avatar)

    def compare(self, one: State, other: State) -> None:
        """Compare two states after the same action in the same state: what differs is left to chance."""
        if not self._learning.wills:
            return
        old, new = sprites(one), sprites(other)
        _, i, j = np.intersect1d(old[:, C_NAME], new[:, C_NAME], assume_unique=True, return_indices=True)
        differ = (old[i][:, [C_X, C_Y]] != new[j][:, [C_X, C_Y]]).any(axis=1)
        avatar = int(one.numbers[one.numbers[k.AVATAR] + k.NAME])
        for row in old[i][differ].tolist():
            if row[C_NAME] != avatar:
                self.stochastic.add(row[C_KIND])

    def blockers(self, kind: int, kinds: int) -> list[int]:
        """Return for each of the other kinds whether a kind was never seen on a square with it."""
        shared = self.shares[kind]
        return [int(other not in shared and other != kind) for other in range(kinds)]

    def forget_times(self) -> None:
        """A look ahead begins elsewhere: what was seen of single sprites no longer tells how often they move."""
        self._moved.clear()

    def _note(self, row: list[int], dx: int, dy: int, tick: int, new: Ints) -> None:
        kind = row[C_KIND]
        if abs(dx) + abs(dy) > TELEPORT * self._block:
            return
        habit = self.habits[kind]
        habit.moves += 1
        if not self._learning.habits:
            dx = dy = self._block
        habit.step_x, habit.step_y = max(habit.step_x, abs(dx)), max(habit.step_y, abs(dy))
        last = self._moved.get(row[C_NAME])
        if last is not None and tick > last and self._learning.habits:
            habit.intervals[tick - last] = habit.intervals.get(tick - last, 0) + 1
        if len(self._moved) > MOST_REMEMBERED:
            self._moved.clear()
        self._moved[row[C_NAME]] = tick
        half = self._block // 2
        here = (abs(new[:, C_X] - row[C_X]) <= half) & (abs(new[:, C_Y] - row[C_Y]) <= half)
        self.shares[kind].update(new[here, C_KIND].tolist())

    def _find_wills(self, movers: Ints, changed: Ints, avatar: int) -> None:
        """Find kinds that move though the avatar did nothing, and nothing beside them has changed."""
        for row in movers.tolist():
            if row[C_NAME] == avatar or row[C_KIND] in self.stochastic or row[C_SHOT]:
                continue
            if not _beside(changed, row, 2 * self._block):
                self.stochastic.add(row[C_KIND])

    def _find_spawners(self, fresh: Ints, changed: Ints, old: Ints, avatar: int) -> None:
        """Find spawners: what appears away from the avatar and from all other changes was made by what is there."""
        if len(fresh) > 20:
            return
        player = old[old[:, C_NAME] == avatar]
        for row in fresh.tolist():
            if row[C_SHOT] or _beside(changed, row, self._block + 1) or _beside(player, row, self._block + 1):
                continue
            under = old[(old[:, C_X] == row[C_X]) & (old[:, C_Y] == row[C_Y]) & (old[:, C_KIND] != row[C_KIND])]
            kinds = under[:, C_KIND].tolist()
            if kinds and not any(row[C_KIND] in self.spawners.get(kind, ()) for kind in kinds):
                portals = [kind for kind in kinds if self._portal(kind)]
                unmarked = [kind for kind in kinds if kind not in self.spawners]
                self.spawners[(portals or unmarked or kinds)[-1]].add(row[C_KIND])


def _beside(others: Ints, row: list[int], reach: int) -> bool:
    """Return whether any other of these is beside a sprite."""
    near = (abs(others[:, C_X] - row[C_X]) <= reach) & (abs(others[:, C_Y] - row[C_Y]) <= reach)
    return bool((near & (others[:, C_NAME] != row[C_NAME])).any())
