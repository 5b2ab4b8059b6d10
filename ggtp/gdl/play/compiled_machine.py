"""A compiled game as a player of single states, with terms instead of numbers: what the interpreter is, but faster."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property

from ggtp.gdl.kernel.single import Look, StateKernel, pack, unpack
from ggtp.gdl.language.parse import parse_term
from ggtp.gdl.language.syntax import Constant, Term
from ggtp.gdl.network.network import Network
from ggtp.gdl.program.graph import gate_cone


class KernelMachine:
    """A player of one state at a time, as `traces.Machine` has them; states are the bytes of `kernel.single`.

    It may be asked only about states that can be reached, and for legal moves, one of every role.
    """

    def __init__(
        self, network: Network, kernel: StateKernel, guard: AbstractContextManager[object] | None = None
    ) -> None:
        """A player of the network's game.

        Args:
            kernel: answers for the same network.
            guard: a lock, where several threads ask; it is held while the kernel works.
        """
        self.network = network
        self.roles: tuple[Term, ...] = tuple(map(parse_term, network.roles))
        self._number = {role: number for number, role in enumerate(self.roles)}
        self._kernel = kernel
        self._guard = nullcontext() if guard is None else guard
        self._terms: dict[str, Term] = {}
        self._move_number = [{move: number for number, move in enumerate(moves)} for moves in network.moves]
        self._start = pack(network, network.initial)
        self._looked: tuple[bytes, Look] | None = None
        self._goals = _Cone(network, [literal for pairs in network.goals for _, literal in pairs])
        self._sees = _Cone(network, [literal for pairs in network.sees for _, literal in pairs])

    def initial(self) -> bytes:
        """The state in which the game begins."""
        return self._start

    def facts(self, state: bytes) -> Collection[Term]:
        """The facts that hold in the state."""
        texts = self.network.facts
        return [self._term(texts[fact]) for fact in unpack(state)]

    def state(self, facts: Collection[Term]) -> bytes:
        """The state in which these facts hold.

        Raises:
            KeyError: one of them can never hold.
        """
        numbers = self._fact_number
        return pack(self.network, [numbers[str(fact)] for fact in facts])

    @cached_property
    def _fact_number(self) -> dict[str, int]:
        return {fact: number for number, fact in enumerate(self.network.facts)}

    def legal(self, state: bytes, role: Term) -> Sequence[Term]:
        """The moves that the role may make, in the order of their texts."""
        number = self._number[role]
        texts = self.network.moves[number]
        return [self._term(texts[move]) for move in self._look(state).legal[number]]

    def next(self, state: bytes, moves: Mapping[Term, Term]) -> bytes:
        """The state after the roles' moves.

        Raises:
            KeyError: a move that is never legal, so that the network does not know it.
        """
        numbers = self._numbers(moves)
        with self._guard:
            return self._kernel.next(state, numbers)

    def terminal(self, state: bytes) -> bool:
        """Whether the game is over."""
        return self._look(state).terminal

    def goal_values(self, state: bytes, role: Term) -> Sequence[Term]:
        """All goals that the rules give the role in the state."""
        goals = self.network.goals
        number = self._number[role]
        first = sum(len(pairs) for pairs in goals[:number])
        holds = self._goals.values(unpack(state), ())[first : first + len(goals[number])]
        return [Constant(str(value)) for (value, _), hold in zip(goals[number], holds, strict=True) if hold]

    def sees(self, state: bytes, moves: Mapping[Term, Term], role: Term) -> Sequence[Term]:
        """What the role perceives when these moves are made."""
        sees = self.network.sees
        if not sees:
            return []
        number = self._number[role]
        first = sum(len(pairs) for pairs in sees[:number])
        holds = self._sees.values(unpack(state), self._numbers(moves))[first : first + len(sees[number])]
        return [self._term(text) for (text, _), hold in zip(sees[number], holds, strict=True) if hold]

    def _numbers(self, moves: Mapping[Term, Term]) -> list[int]:
        return [self._move_number[number][str(moves[role])] for number, role in enumerate(self.roles)]

    def _look(self, state: bytes) -> Look:
        # Read once: another thread may exchange it.
        looked = self._looked
        if looked is None or looked[0] != state:
            with self._guard:
                looked = state, self._kernel.look(state)
            self._looked = looked
        return looked[1]

    def _term(self, text: str) -> Term:
        term = self._terms.get(text)
        if term is None:
            term = self._terms[text] = parse_term(text)
        return term


class _Cone:
    """Some literals of a network, evaluated plainly: for what is asked so seldom that no code is worth it."""

    def __init__(self, network: Network, literals: Sequence[int]) -> None:
        self._network = network
        self._literals = literals

    @cached_property
    def _gates(self) -> list[tuple[int, int, int]]:
        """The gates that matter, each with its inputs."""
        gates = self._network.gates
        return [(gate, *gates[gate]) for gate in gate_cone(self._network, self._literals)]

    def values(self, facts: Sequence[int], moves: Sequence[int]) -> list[bool]:
        """Whether each literal holds, with these facts and each role's move, or without moves."""
        network, base = self._network, self._network.inputs
        values = bytearray(base + len(network.gates))
        for fact in facts:
            values[1 + fact] = 1
        for role, move in enumerate(moves):
            values[network.move_literal(role, move) >> 1] = 1
        for gate, one, two in self._gates:
            values[base + gate] = (values[one >> 1] ^ one & 1) & (values[two >> 1] ^ two & 1)
        return [bool(values[literal >> 1] ^ literal & 1) for literal in self._literals]
