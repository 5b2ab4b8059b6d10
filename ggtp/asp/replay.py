"""Plays a one-player network plainly, in many lanes at once: a value is a number, and its bit i is the value in lane i.

It serves to try moves in many states and to check plans. Slower than a kernel, but there at
once, and a number with a thousand bits costs hardly more than one with a single bit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ggtp.asp.conjunctions import Conjunction, Layers, conjunctions
from ggtp.gdl.network.network import Network


@dataclass(frozen=True, slots=True)
class Lanes:
    """A state in every lane, and what holds in it."""

    facts: tuple[int, ...]
    alive: int
    """Where the game goes on."""
    legal: tuple[int, ...]
    values: tuple[int, ...]
    """Of every node that does not depend on moves."""


class Replay:
    """Answers questions about the states of a game, so many at a time as there are lanes."""

    def __init__(self, network: Network, lanes: int = 1, layers: Layers | None = None) -> None:
        """A network, how many lanes there are, and its conjunctions where they are known already."""
        self.network = network
        self.all = (1 << lanes) - 1
        self._layers: Layers = layers or conjunctions(network)

    def states(self, states: Sequence[Iterable[int]]) -> Lanes:
        """A state in each lane, each given by the facts that hold."""
        facts = [0] * len(self.network.facts)
        for lane, state in enumerate(states):
            for fact in state:
                facts[fact] |= 1 << lane
        return self.look(facts)

    def start(self) -> Lanes:
        """The state in which the game begins, in every lane."""
        initial = set(self.network.initial)
        return self.look([self.all if fact in initial else 0 for fact in range(len(self.network.facts))])

    def ends(self, facts: Sequence[int], layer: Sequence[Conjunction], goals: Iterable[int]) -> tuple[int, list[int]]:
        """Where the game is over, and where each of these goal values holds then, by what `decisive` gives."""
        network = self.network
        values = [0] * (network.inputs + len(network.gates))
        values[1 : 1 + len(facts)] = facts
        self._evaluate(values, layer)
        over = self._value(values, network.terminal)
        return over, [over & self._reached(values, goal) for goal in goals] if over else []

    def look(self, facts: Sequence[int]) -> Lanes:
        """What holds where these facts do."""
        network = self.network
        values = [0] * (network.inputs + len(network.gates))
        values[1 : 1 + len(facts)] = facts
        self._evaluate(values, self._layers.of_state)
        legal = tuple(self._value(values, literal) for literal in network.legal[0])
        alive = self.all & ~self._value(values, network.terminal)
        return Lanes(tuple(facts), alive, legal, tuple(values))

    def after(self, lanes: Lanes, move: int) -> list[int]:
        """For each fact, where it holds after the move, made in all lanes."""
        return self.after_each(lanes, {move: self.all})

    def after_each(self, lanes: Lanes, moves: Mapping[int, int]) -> list[int]:
        """For each fact, where it holds after moves, of which each is made in some of the lanes."""
        network, values = self.network, list(lanes.values)
        for move, where in moves.items():
            values[1 + len(network.facts) + move] = where
        self._evaluate(values, self._layers.of_moves)
        return [self._value(values, literal) for literal in network.next]

    def legal(self, lanes: Lanes) -> list[int]:
        """The moves that can be made in the first lane; none where the game is over there."""
        return [move for move, where in enumerate(lanes.legal) if where & lanes.alive & 1]

    def goal(self, lanes: Lanes) -> int:
        """The greatest goal value in the first lane; 0 where none holds."""
        values = list(lanes.values)
        held = [value for value, literal in self.network.goals[0] if self._value(values, literal) & 1]
        return max(held, default=0)

    def reached(self, lanes: Lanes, goal: int) -> int:
        """Where this goal value holds."""
        return self._reached(lanes.values, goal)

    def _reached(self, values: Sequence[int], goal: int) -> int:
        where = 0
        for value, literal in self.network.goals[0]:
            if value == goal:
                where |= self._value(values, literal)
        return where

    def play(self, moves: Sequence[int], start: Sequence[int] | None = None) -> tuple[int, bool]:
        """The goal after all these moves, and whether the game is over exactly then.

        Raises:
            ValueError: a move is not legal, or comes after the end.
        """
        lanes = self.start() if start is None else self.states([start])
        for number, move in enumerate(moves):
            if move not in self.legal(lanes):
                raise ValueError(f"move {number + 1} of the plan can't be made")
            lanes = self.look(self.after(lanes, move))
        return self.goal(lanes), not lanes.alive & 1

    def _evaluate(self, values: list[int], layer: Sequence[Conjunction]) -> None:
        everywhere = self.all
        for item in layer:
            value = everywhere
            for literal in item.literals:
                one = values[literal >> 1]
                value &= ~one if literal & 1 else one
                if not value:
                    break
            values[item.node] = value

    def _value(self, values: Sequence[int], literal: int) -> int:
        found = values[literal >> 1]
        return found ^ self.all if literal & 1 else found


def decisive(network: Network, layers: Layers) -> list[Conjunction]:
    """The conjunctions that tell whether the game is over, and with which goal: often few of them."""
    wanted = {literal >> 1 for literal in (network.terminal, *(literal for _, literal in network.goals[0]))}
    found = []
    for item in reversed(layers.of_state):
        if item.node in wanted:
            wanted |= {literal >> 1 for literal in item.literals}
            found.append(item)
    return found[::-1]
