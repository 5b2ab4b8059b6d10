"""Enhanced open-loop Monte Carlo tree search towards a target, in machine code, that can be interrupted."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np

from ggtp.vgdl.kernel.model import State
from ggtp.vgdl.kernel.native import bind
from ggtp.vgdl.language.vocabulary import Action
from ggtp.vgdl.player import trees as t
from ggtp.vgdl.player.knowledge import Knowledge
from ggtp.vgdl.player.options import TreeSettings
from ggtp.vgdl.player.sight import States
from ggtp.vgdl.player.targets import Target

CHUNK = 48
"""Ticks that are played between two looks at the clock."""
MOST_NODES = 40_000


class Explorer:
    """Searches from one state after the other; it keeps its memory and nothing else."""

    def __init__(self, knowledge: Knowledge, settings: TreeSettings, rng: random.Random) -> None:
        self._knowledge = knowledge
        self._settings = settings
        self._rng = rng
        self.tree = t.Tree(
            visits=np.zeros(MOST_NODES, np.int32),
            total=np.zeros(MOST_NODES),
            child=np.zeros(MOST_NODES * t.MOST_ACTIONS, np.int32),
            prior=np.zeros(MOST_NODES * t.MOST_ACTIONS),
            path=np.zeros(settings.depth + 2, np.int32),
        )
        self._states: States | None = None
        """Those of the search that has begun."""
        self.meta = np.zeros(t.TREE, np.int64)
        self.weights = np.zeros(t.WEIGHTS)
        self.search = t.Search(np.zeros(0, np.int32), self.meta, Target().field, self.weights)

    def begin(self, state: State, target: Target) -> None:
        """Begin a new tree, for a state and a target."""
        settings, meta, weights = self._settings, self.meta, self.weights
        self._states = States(state.numbers, np.empty_like(state.numbers), np.empty_like(state.numbers))
        actions = np.array([*(int(action) for action in state.actions()), int(Action.NIL)], np.int32)
        self.search = t.Search(actions, meta, target.field, weights)
        self.tree.visits[0], self.tree.total[0] = 0, 0.0
        self.tree.child[: t.MOST_ACTIONS] = 0
        meta[:] = 0
        meta[t.T_DEPTH], meta[t.T_ROLLOUT], meta[t.T_BACKTRACKS] = (
            settings.depth, settings.rollout, settings.backtracks
        )  # fmt: skip
        meta[t.T_KIND], meta[t.T_NAME], meta[t.T_X], meta[t.T_Y] = target.kind, target.name, target.x, target.y
        meta[t.T_REACH], meta[t.T_COLUMN] = target.reach, target.column
        meta[t.T_PRIORS], meta[t.T_OPEN_LOOP] = settings.priors, settings.open_loop
        meta[t.T_GREEDY] = settings.greedy and (target.kind >= 0 or target.column)
        meta[t.T_DRAW] = self._rng.getrandbits(62) | 1
        weights[t.W_OUTCOME], weights[t.W_SCORE], weights[t.W_TARGET] = (
            settings.outcome, settings.score, settings.target
        )  # fmt: skip
        weights[t.W_STEP], weights[t.W_EXPLORE], weights[t.W_EPSILON] = (
            settings.steps, settings.exploration, settings.epsilon
        )  # fmt: skip
        weights[t.W_SCALE] = max(10.0, target.distance)

    def run(self, should_stop: Callable[[], bool], advances: int | None = None, iterations: int | None = None) -> None:
        """Iterate until `should_stop`, or until `advances` ticks or `iterations` iterations were played."""
        if self._states is None:
            return
        base = self._knowledge
        end = None if advances is None else self.advances + advances
        last = None if iterations is None else self.iterations + iterations
        iterate = bind(
            t.iterate, self._states, base.model.arrays, base.collisions, base.forecast, self.search, self.tree
        )
        while not should_stop():
            chunk = CHUNK if end is None else min(CHUNK, end - self.advances)
            times = CHUNK if last is None else last - self.iterations
            if chunk <= 0 or times <= 0:
                return
            iterate(chunk, times)

    @property
    def advances(self) -> int:
        """The number of ticks that were played."""
        return int(self.meta[t.T_ADVANCES])

    @property
    def iterations(self) -> int:
        """The number of iterations."""
        return int(self.meta[t.T_ITERATIONS])

    def visits(self) -> dict[Action, int]:
        """The number of visits of each first action."""
        return {action: visits for action, visits, _ in self._children()}

    def values(self) -> dict[Action, float]:
        """The mean value of each first action that was tried."""
        return {action: value for action, visits, value in self._children() if visits}

    def choice(self) -> Action:
        """The action with the most visits, and among equals the best mean; or the other way round, by the settings."""
        tried = [child for child in self._children() if child[1]]
        if not tried:
            return Action.NIL
        if self._settings.most_visited:
            return max(tried, key=lambda child: (child[1], child[2], child[0]))[0]
        return max(tried, key=lambda child: (child[2], child[1], child[0]))[0]

    def _children(self) -> list[tuple[Action, int, float]]:
        found = []
        for place, action in enumerate(self.search.actions.tolist()):
            node = int(self.tree.child[place])
            visits = int(self.tree.visits[node]) if node else 0
            found.append((Action(action), visits, float(self.tree.total[node]) / visits if visits else 0.0))
        return found
