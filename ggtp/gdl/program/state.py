"""From a network to code about given states: what holds in them, and where given moves lead.

Unlike the step program this assumes nothing about the states, and chooses nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from ggtp.gdl.network.network import Network
from ggtp.gdl.program.code import Code, lower
from ggtp.gdl.program.graph import Graph, instantiate

FIRST_FACT = 2
"""The slot of the first fact; the other facts follow, then the moves of each role, then the results."""


@dataclass(frozen=True, slots=True)
class StateProgram:
    """Two pieces of code over the same slots."""

    network: Network
    look: Code
    """Results: whether each move of each role is legal, then each goal of each role, then whether the game is over."""
    move: Code
    """Results: whether each fact holds in the next state."""

    @property
    def move_count(self) -> int:
        """The moves of all roles together."""
        return sum(len(moves) for moves in self.network.moves)

    @property
    def goal_count(self) -> int:
        """The goals of all roles together."""
        return sum(len(pairs) for pairs in self.network.goals)

    @property
    def first_move(self) -> int:
        """The slot of the first role's first move."""
        return FIRST_FACT + len(self.network.facts)

    @property
    def first_result(self) -> int:
        """The slot of the first result."""
        return self.first_move + self.move_count

    @property
    def slots(self) -> int:
        """How many slots there are."""
        return self.first_result + max(len(self.network.facts), self.move_count + self.goal_count + 1)


def build_state(network: Network) -> StateProgram:
    """Builds the code about a game's states."""
    # A program without code tells where everything lies.
    empty = lower(Graph(), {}, (), (), 0)
    plan = StateProgram(network, empty, empty)
    look = [literal for legal in network.legal for literal in legal]
    look += [literal for pairs in network.goals for _, literal in pairs]
    return StateProgram(network, _code(plan, [*look, network.terminal]), _code(plan, network.next))


def _code(plan: StateProgram, outputs: list[int] | tuple[int, ...]) -> Code:
    network = plan.network
    graph = Graph()
    nodes = range(1, network.inputs)
    inputs = {node: graph.input() for node in nodes}
    literals = instantiate(graph, network, inputs, outputs)
    slots = {literal >> 1: FIRST_FACT + node - 1 for node, literal in inputs.items()}
    stores = [(plan.first_result + i, literal) for i, literal in enumerate(literals)]
    return lower(graph, slots, (), stores, plan.slots)
