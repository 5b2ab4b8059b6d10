"""Plays a network gate by gate: slow and plain, to check networks against traces and the interpreter."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TypeAlias

from ggtp.gdl.language.parse import parse_term
from ggtp.gdl.language.syntax import Constant, Term
from ggtp.gdl.network.network import Network

State: TypeAlias = frozenset[int]
"""The indexes of the facts that hold."""


class NetworkMachine:
    """A player as `traces` checks them."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.roles: tuple[Term, ...] = tuple(map(parse_term, network.roles))
        self._facts = list(map(parse_term, network.facts))
        self._moves = [list(map(parse_term, moves)) for moves in network.moves]
        self._move_index = [{move: index for index, move in enumerate(moves)} for moves in self._moves]
        self._seen: tuple[State, list[int]] | None = None

    def initial(self) -> State:
        """The state in which the game begins."""
        return frozenset(self.network.initial)

    def facts(self, state: State) -> Collection[Term]:
        """The facts that hold in the state."""
        return [self._facts[index] for index in state]

    def legal(self, state: State, role: Term) -> Sequence[Term]:
        """The moves that the role may make."""
        number = self.roles.index(role)
        values = self._values(state)
        literals = self.network.legal[number]
        return [
            move
            for move, literal in zip(self._moves[number], literals, strict=True)
            if values[literal >> 1] ^ literal & 1
        ]

    def next(self, state: State, moves: Mapping[Term, Term]) -> State:
        """The state after the roles' moves.

        Raises:
            KeyError: a move that the network does not know, because it is never legal.
        """
        network = self.network
        made = [index[moves[role]] for role, index in zip(self.roles, self._move_index, strict=True)]
        values = network.values(state, made)
        return frozenset(index for index, literal in enumerate(network.next) if values[literal >> 1] ^ literal & 1)

    def terminal(self, state: State) -> bool:
        """Whether the game is over."""
        literal = self.network.terminal
        return bool(self._values(state)[literal >> 1] ^ literal & 1)

    def goal_values(self, state: State, role: Term) -> Sequence[Term]:
        """All goals that the rules give the role in the state."""
        values = self._values(state)
        goals = self.network.goals[self.roles.index(role)]
        return [Constant(str(value)) for value, literal in goals if values[literal >> 1] ^ literal & 1]

    def _values(self, state: State) -> list[int]:
        """All nodes' values in the state, without any moves."""
        if self._seen is None or self._seen[0] != state:
            self._seen = state, self.network.values(state)
        return self._seen[1]
