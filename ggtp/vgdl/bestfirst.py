"""Best-first search over states of a game without chance: a plan of actions that wins.

The state with the best sum of score and few steps is looked at first; a state that was met before,
by the places and kinds of its sprites and what the avatar has, is not looked at again.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable

from ggtp.vgdl import kernel as k
from ggtp.vgdl.model import State
from ggtp.vgdl.vocabulary import Action
from ggtp.vgdl.world import WON

COLUMNS = (k.KIND, k.X, k.Y, k.WAY_X, k.WAY_Y, k.HEALTH, k.KILLED, k.DISABLED)
"""What of a sprite makes states differ."""


def signature(state: State) -> bytes:
    """Equal for states that look the same, whenever they were reached."""
    model, numbers = state.model, state.numbers
    record, first, used = model.tables.record, int(model.ints[k.G_SPRITES]), int(numbers[k.USED])
    rows = numbers[first : first + used * record].reshape(used, record)
    return bytes(rows[:, [*COLUMNS, *range(k.RECORD, record)]].tobytes()) + bytes(numbers[k.COUNT : k.COUNT + 1])


class BestFirst:
    """A search that can be interrupted: `run` as often as wanted, until `plan` or `exhausted`."""

    def __init__(self, root: State, score_weight: float = 0.0, most_states: int = 100_000, prune: bool = True) -> None:
        """With a weight of nothing it is breadth-first; without pruning, states are looked at again and again."""
        self._weight = score_weight
        self._most = most_states
        self._prune = prune
        self._order = 0
        self._heap: list[tuple[float, int, State, tuple[Action, ...]]] = []
        self._seen: set[bytes] = set()
        self.plan: tuple[Action, ...] | None = None
        """The actions that win, as soon as they are found."""
        self.best: tuple[int, tuple[Action, ...]] = (root.score, ())
        """The highest score that was met, and the way to it."""
        self.advances = 0
        self.expanded = 0
        self._actions = root.actions()
        self._push(root.twin(), ())

    @property
    def exhausted(self) -> bool:
        """Whether there is nothing left to look at, or no more room for what was seen."""
        return not self._heap or self._order >= self._most

    def run(self, should_stop: Callable[[], bool]) -> None:
        """Looks for a plan until it is found, nothing is left, or somebody says stop."""
        while not self.exhausted and self.plan is None and not should_stop():
            _, _, state, way = heapq.heappop(self._heap)
            self.expanded += 1
            for action in self._actions:
                after = state.twin()
                after.advance(action)
                self.advances += 1
                there = (*way, action)
                if after.ended:
                    if after.winner == WON:
                        self.plan = there
                        return
                    continue
                if after.score > self.best[0]:
                    self.best = (after.score, there)
                self._push(after, there)

    def _push(self, state: State, way: tuple[Action, ...]) -> None:
        if self._prune:
            mark = signature(state)
            if mark in self._seen:
                return
            self._seen.add(mark)
        value = -len(way) + self._weight * state.score
        self._order += 1
        heapq.heappush(self._heap, (-value, self._order, state, way))
