"""Heuristic best-first search for a plan, in machine code, that can be interrupted."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ggtp.vgdl.kernel.model import State
from ggtp.vgdl.kernel.native import bind
from ggtp.vgdl.language.vocabulary import Action
from ggtp.vgdl.player import plan as p
from ggtp.vgdl.player import sight
from ggtp.vgdl.player.knowledge import Knowledge
from ggtp.vgdl.player.sight import States

CHUNK = 64
"""Ticks that are played between two looks at the clock."""
MEGABYTE = 1 << 18
"""Numbers in a megabyte."""
NODE_NUMBERS = 60
"""How many numbers of a state a node is taken to need, on the average, when room for nodes is made."""


def signature(state: State) -> int:
    """Return a number for a state: equal for states that look the same, whenever they were reached."""
    return int(sight.signature(state.numbers, state.model.ints))


class Planner:
    """A search that can be interrupted: `run` as often as wanted.

    The value of a state is its score, times a weight, less the steps to it. States that look the
    same are looked at once (`equal`), and what an action leads to is foreseen where that can be
    done (`predict`), so that states which are known already are not even made.
    """

    def __init__(
        self, root: State, knowledge: Knowledge, score_weight: float = 0.0, megabytes: int = 256,
        equal: bool = True, predict: bool = True,
    ) -> None:  # fmt: skip
        self.root = root.twin()
        self._knowledge = knowledge
        self._weight = score_weight
        numbers = megabytes * MEGABYTE
        most = max(64, numbers // (NODE_NUMBERS + p.NODE + 8))
        nodes = np.zeros(most * p.NODE, np.int32)
        self.memory = p.PlanMemory(
            # A move that is not on offer now may be later, when the avatar has become another.
            actions=np.array([*(int(action) for action in root.actions()), int(Action.NIL)], np.int32),
            meta=np.zeros(p.PLAN, np.int64),
            nodes=nodes,
            pool=np.empty(max(4096, numbers - nodes.size - 8 * most), np.int32),
            heap=np.empty(most + 1),
            items=np.empty(most + 1, np.int32),
            table=np.zeros(1 << max(8, (most * 4 // 3).bit_length()), np.int64),
        )
        self._states = States(self.root.numbers, np.zeros_like(root.numbers), np.zeros_like(root.numbers))
        self.meta = meta = self.memory.meta
        meta[p.P_WON], meta[p.P_NODES], meta[p.P_EQUAL], meta[p.P_PREDICT] = -1, 1, equal, predict
        nodes[p.N_PARENT], nodes[p.N_SCORE], nodes[p.N_STILL] = -1, root.score, 1
        p.known(self.memory.table, signature(root), meta, True)
        p.push(self.memory.heap, self.memory.items, meta, score_weight * root.score, 0)

    def run(self, should_stop: Callable[[], bool], advances: int | None = None) -> None:
        """Search until `should_stop`, or `advances` ticks were played, a better win is found, or nothing is left."""
        base = self._knowledge
        end = None if advances is None else self.advances + advances
        won = self.won
        search = bind(
            p.search, self._states, self.root.model.arrays, base.collisions, base.forecast, self.memory, self._weight
        )
        while not self.exhausted and self.won == won and not should_stop():
            chunk = CHUNK if end is None else min(CHUNK, end - self.advances)
            if chunk <= 0:
                return
            base.learn()
            search(chunk)
        base.learn()

    @property
    def advances(self) -> int:
        """The number of ticks that were played."""
        return int(self.meta[p.P_ADVANCES])

    @property
    def exhausted(self) -> bool:
        """True if there is nothing left to expand, or no more room for states."""
        return bool(self.meta[p.P_WAITING] == 0 or self.meta[p.P_FULL])

    @property
    def won(self) -> int:
        """The node that wins with the most points; -1 for none."""
        return int(self.meta[p.P_WON])

    @property
    def plan(self) -> list[Action] | None:
        """The actions that win, with the most points that were found."""
        return None if self.won < 0 else self._way(self.won)

    @property
    def plan_score(self) -> int:
        """The points of the plan, at the end."""
        return int(self.memory.nodes[self.won * p.NODE + p.N_SCORE])

    def plan_within(self, steps: int) -> list[Action] | None:
        """The actions that win with the most points in at most `steps` steps."""
        if self.won < 0 or self.memory.nodes[self.won * p.NODE + p.N_DEPTH] <= steps:
            return self.plan
        rows = self.memory.nodes.reshape(-1, p.NODE)[: int(self.meta[p.P_NODES])]
        wins = np.flatnonzero((rows[:, p.N_WINS] == 1) & (rows[:, p.N_DEPTH] <= steps))
        return self._way(int(max(wins, key=lambda node: rows[node, p.N_SCORE]))) if len(wins) else None

    @property
    def best(self) -> list[Action]:
        """The way to the highest score that was met."""
        return self._way(int(self.meta[p.P_BEST]))

    def _way(self, node: int) -> list[Action]:
        actions: list[Action] = []
        while node > 0:
            row = node * p.NODE
            actions.append(Action(int(self.memory.nodes[row + p.N_ACTION])))
            node = int(self.memory.nodes[row + p.N_PARENT])
        return actions[::-1]
