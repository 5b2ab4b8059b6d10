"""A one-player game unrolled in time: rules about the moves of a play, step after step.

From the state in which the play begins everything is known, so whatever the moves do not
change is a constant at every step, and only what they decide becomes an atom: facts that a
step can't reach, counters of steps and whole games' lengths fold away. What is equal to
something before is that same atom, so a fact that stays needs no axiom that says so.

A *value* is an atom's number, negative where it is inverted, or one of the constants `YES` and
`NO`, which are each other's inverse.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from ggtp.asp.conjunctions import Conjunction, Layers, conjunctions
from ggtp.gdl.network.network import Network

YES = 1 << 40
NO = -YES


class Sink(Protocol):
    """Takes ground rules; `solver.Clingo` gives them to the solver."""

    def atom(self) -> int:
        """A new atom's number."""

    def rule(self, head: int, body: Sequence[int]) -> None:
        """`head` holds exactly where all of the body does; no other rule has that head."""

    def choice(self, head: int, body: Sequence[int]) -> None:
        """`head` may hold where all of the body does."""

    def never(self, body: Sequence[int]) -> None:
        """Not all of the body hold."""

    def at_most_one(self, atoms: Sequence[int]) -> None:
        """No two of the atoms hold."""


class Step:
    """What is known of a play after so many moves."""

    __slots__ = ("alive", "ends", "goals", "legal", "moves", "state")

    def __init__(self) -> None:
        self.state: list[int] = []
        """For each fact, the value that says whether it holds."""
        self.legal: list[int] = []
        """For each move."""
        self.goals: dict[int, int] = {}
        """For each goal value, whether the play ends here with at least so much."""
        self.ends: int = NO
        """Whether the play ends here."""
        self.alive: int = NO
        """Whether the play goes on: then one move is made."""
        self.moves: list[int] = []
        """For each move, whether it is made here; empty until `Unrolling.advance`."""


class Unrolling:
    """A game's steps, as far as they were asked for."""

    def __init__(
        self, network: Network, sink: Sink, start: Sequence[int] | None = None, layers: Layers | None = None
    ) -> None:
        """A play that begins in a state, given by the facts that hold; without one, where the game begins.

        The network's conjunctions may be given where they are known already.

        Raises:
            ValueError: the game has more than one player.
        """
        facts = set(network.initial if start is None else start)
        state = [YES if fact in facts else NO for fact in range(len(network.facts))]
        self._begin(network, sink, state, layers or conjunctions(network))

    @classmethod
    def from_any_state(cls, network: Network, sink: Sink, state: Sequence[int]) -> Unrolling:
        """A play that begins wherever the values of the facts say."""
        self = cls.__new__(cls)
        self._begin(network, sink, list(state), conjunctions(network))
        return self

    def _begin(self, network: Network, sink: Sink, state: list[int], layers: Layers) -> None:
        if len(network.roles) != 1:
            raise ValueError(f"a game of one player, not of {len(network.roles)}")
        self.network = network
        self.sink = sink
        self.atoms = 0
        """How many atoms the unrolling has made."""
        self._layers = layers
        self._known: dict[tuple[int, ...], int] = {}
        self._made_at: dict[int, int] = {}
        """For the atoms that are moves, when they are made."""
        self._values: list[int] = [0] * (network.inputs + len(network.gates))
        self.steps: list[Step] = []
        self._observe(state, YES)

    @property
    def last(self) -> Step:
        """The last step so far."""
        return self.steps[-1]

    @property
    def length(self) -> int:
        """How many moves the longest plays so far have."""
        return len(self.steps) - 1

    @property
    def over(self) -> bool:
        """Whether every play has ended by now."""
        return self.last.alive == NO

    def advance(self) -> Step:
        """One more move, and what is known after it."""
        step, network, values, sink = self.last, self.network, self._values, self.sink
        first = 1 + len(network.facts)
        for number, legal in enumerate(step.legal):
            value = NO
            if legal != NO and step.alive != NO:
                value = self._atom()
                self._made_at[value] = self.length
                sink.choice(value, [item for item in (legal, step.alive) if item != YES])
            values[first + number] = value
            step.moves.append(value)
        made = [value for value in step.moves if value != NO]
        if len(made) > 1:
            sink.at_most_one(made)
        if step.alive != NO:
            sink.never([*((step.alive,) if step.alive != YES else ()), *(-value for value in made)])
        self._evaluate(self._layers.of_moves)
        return self._observe([self._value(literal) for literal in network.next], step.alive)

    def conjunction(self, values: Iterable[int]) -> int:
        """The value that says whether all of these hold."""
        inputs: set[int] = set()
        made: set[int] = set()
        for value in values:
            if value == NO or -value in inputs:
                return NO
            if value == YES or value in inputs:
                continue
            inputs.add(value)
            at = self._made_at.get(value)
            if at is not None:
                # Two moves are never made at the same time.
                if at in made:
                    return NO
                made.add(at)
        if len(inputs) < 2:
            return inputs.pop() if inputs else YES
        key = tuple(sorted(inputs))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._atom()
            self.sink.rule(found, key)
        return found

    def disjunction(self, values: Iterable[int]) -> int:
        """The value that says whether any of these holds."""
        return -self.conjunction(-value for value in values)

    def _observe(self, state: list[int], alive: int) -> Step:
        network, values = self.network, self._values
        values[0] = NO
        values[1 : 1 + len(state)] = state
        self._evaluate(self._layers.of_state)
        step = Step()
        step.state = state
        step.legal = [self._value(literal) for literal in network.legal[0]]
        terminal = self._value(network.terminal)
        step.ends = self.conjunction((alive, terminal))
        reached = NO
        for value, literal in sorted(network.goals[0], reverse=True):
            reached = self.disjunction((reached, self._value(literal)))
            step.goals[value] = self.conjunction((step.ends, reached))
        step.alive = self.conjunction((alive, -terminal))
        self.steps.append(step)
        return step

    def _evaluate(self, layer: Sequence[Conjunction]) -> None:
        # Most of what is looked at is constant; this loop is what unrolling takes its time for.
        values, conjunction = self._values, self.conjunction
        for item in layer:
            open_values = []
            for literal in item.literals:
                value = -values[literal >> 1] if literal & 1 else values[literal >> 1]
                if value == NO:
                    values[item.node] = NO
                    break
                if value != YES:
                    open_values.append(value)
            else:
                values[item.node] = conjunction(open_values) if len(open_values) != 1 else open_values[0]

    def _value(self, literal: int) -> int:
        found = self._values[literal >> 1]
        return -found if literal & 1 else found

    def _atom(self) -> int:
        self.atoms += 1
        return self.sink.atom()
