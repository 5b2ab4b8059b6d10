"""What makes a state look promising: guesses of many kinds, for searches that can't keep all states.

No guess is right for every game. A knight that tours wants squares with few ways out; whoever places
queens wants many squares left; where points come one by one, random plays tell; and where there is a
picture to be made, it helps to know how much of it is there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ggtp.asp.conjunctions import conjunctions
from ggtp.asp.space import Ints, Look, Space, Words, mobility, ones
from ggtp.gdl.kernel.playouts import PlayoutKernel

Floats = npt.NDArray[np.float64]
Worth: TypeAlias = Callable[[Words, Look], Floats]
"""Of each state; the greatest is the best."""

SURE = 0.9
"""How far a fact that holds is believed."""
WIDEST = 4000
"""Conjunctions beyond which it takes too long to see how much of a goal is there."""
SLICE = 8192
PLAYS = 4
"""Random plays from each state."""


class Worths:
    """The guesses for one game."""

    def __init__(self, space: Space, goal: int, rng: np.random.Generator) -> None:
        """Guesses about how to reach a goal.

        Args:
            space: the game.
            goal: the goal value.
            rng: makes equals differ.
        """
        self._space = space
        self._goal = goal
        self._rng = rng
        self._kernel: PlayoutKernel | None = None

    def by_looks(self) -> Mapping[str, Worth]:
        """The guesses for which it is enough to look at a state and those that follow it, by a name for each."""
        found: dict[str, Worth] = {"points": self.points, "few moves": self.few, "many moves": self.many}
        found["much changed"] = self.changed
        if self._cone is not None:
            found["near the goal"] = self.near
        return found | {"few ways on": self.few_ways, "many ways on": self.many_ways, "luck": self.luck}

    def by_plays(self, kernel: PlayoutKernel) -> Mapping[str, Worth]:
        """The guesses that random plays make."""
        self._kernel = kernel
        return {"high scores": self.high_scores, "long plays": self.long_plays}

    def luck(self, states: Words, look: Look) -> Floats:
        """Any is as good as another."""
        return self._rng.random(len(states))

    def points(self, states: Words, look: Look) -> Floats:
        """The points that one would have if the play ended here."""
        return look.goals + self.luck(states, look)

    def many(self, states: Words, look: Look) -> Floats:
        """Many moves."""
        return mobility(look) + self.luck(states, look)

    def few(self, states: Words, look: Look) -> Floats:
        """Few moves."""
        return self.luck(states, look) - mobility(look)

    def changed(self, states: Words, look: Look) -> Floats:
        """Far from the state in which the search began, and worth something."""
        differences = (states ^ self._space.first).view(np.uint8)
        return ones(differences) + look.goals + self.luck(states, look)

    def many_ways(self, states: Words, look: Look) -> Floats:
        """Many moves that do not end the play."""
        return self._ways(states, look) + self.luck(states, look)

    def few_ways(self, states: Words, look: Look) -> Floats:
        """Few such moves, but some."""
        ways = self._ways(states, look)
        return np.where(ways > 0, -ways, -1e6) + self.luck(states, look)

    def _ways(self, states: Words, look: Look) -> Floats:
        result = np.zeros(len(states))
        for children in self._space.children(states, look):
            alive = self._space.look(children.rows).alive
            result += np.bincount(children.parents[alive], minlength=len(states))
        return result

    def high_scores(self, states: Words, look: Look) -> Floats:
        """The points of random plays, the best of some and their mean."""
        goals, _ = self._played(states)
        result: Floats = 2.0 * goals.max(axis=0) + goals.mean(axis=0) + 0.01 * self.luck(states, look)
        return result

    def long_plays(self, states: Words, look: Look) -> Floats:
        """How long random plays last."""
        _, lengths = self._played(states)
        result: Floats = lengths.mean(axis=0) + 0.01 * self.luck(states, look)
        return result

    def _played(self, states: Words) -> tuple[Ints, Ints]:
        assert self._kernel is not None
        played = [self._kernel.run_from(states) for _ in range(PLAYS)]
        return (
            np.stack([outcome.goals[:, 0] for outcome in played]).astype(np.int64),
            np.stack([outcome.lengths for outcome in played]).astype(np.int64),
        )

    def near(self, states: Words, look: Look) -> Floats:
        """How much of the goal's conditions holds: conditions as chances, which multiply."""
        parts = [self._near(states[first : first + SLICE]) for first in range(0, len(states), SLICE)]
        return np.concatenate([np.zeros(0), *parts]) * (1 + 1e-6 * self.luck(states, look))

    def _near(self, states: Words) -> Floats:
        bits = np.unpackbits(states.astype("<u8").view(np.uint8), axis=1, bitorder="little")
        values: dict[int, Floats] = {0: np.zeros(len(states))}

        def value(literal: int) -> Floats:
            node = literal >> 1
            found = values.get(node)
            if found is None:
                found = values[node] = np.where(bits[:, node - 1] == 1, SURE, 1 - SURE)
            return 1 - found if literal & 1 else found

        for node, literals in self._cone or ():
            product = value(literals[0])
            for literal in literals[1:]:
                product = product * value(literal)
            values[node] = product
        result: Floats = np.add.reduce([value(literal) for literal in self._literals])
        return result

    @property
    def _literals(self) -> list[int]:
        return [literal for value, literal in self._space.network.goals[0] if value == self._goal]

    @cached_property
    def _cone(self) -> list[tuple[int, tuple[int, ...]]] | None:
        """The conjunctions that the goal depends on; None where there are too many."""
        by_node = {item.node: item.literals for item in conjunctions(self._space.network).of_state}
        wanted = set()
        stack = [literal >> 1 for literal in self._literals]
        while stack:
            node = stack.pop()
            if node in by_node and node not in wanted:
                wanted.add(node)
                stack += [literal >> 1 for literal in by_node[node]]
        return [(node, by_node[node]) for node in sorted(wanted)] if len(wanted) <= WIDEST else None
