"""A compiled game: its network as a player of single states, and as kernels that play random games.

Everything is made when it is first asked for, and kept. What takes long can be stopped, and
what is wanted now is there at once: a table instead of machine code.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from ggtp.gdl import kernel
from ggtp.gdl.kernel import PlayoutKernel, chunks, fastest, one_function, table
from ggtp.gdl.kernel_machine import CodeCache
from ggtp.gdl.kernel_single import Look, StateKernel, pack, unpack
from ggtp.gdl.network import Built, Network
from ggtp.gdl.parse import parse_term
from ggtp.gdl.program import StepProgram, build_step
from ggtp.gdl.program_graph import gate_cone
from ggtp.gdl.program_state import build_state
from ggtp.gdl.program_wire import VERSION as PROGRAM_VERSION
from ggtp.gdl.program_wire import decode_state, decode_step, encode_state, encode_step
from ggtp.gdl.syntax import Constant, Term

if TYPE_CHECKING:
    from ggtp.gdl.rules import GdlPosition

ONE_FUNCTION = 20_000
"""Operations up to which one function is compiled in seconds."""
OWN_CODE = 4_000
"""Gates up to which single states have machine code of their own; beyond, compiling it takes longer than a whole game
by table."""

PlayoutName: TypeAlias = Literal["one_function", "chunks", "table"]
P = TypeVar("P")
PLAYOUT_KERNELS: tuple[PlayoutName, ...] = ("one_function", "chunks", "table")


class KernelMachine:
    """A player of one state at a time, as `traces.Machine` has them; states are the bytes of `kernel_single`.

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


class CompiledGame:
    """A game's network and what is made of it."""

    def __init__(self, built: Built, kept: CodeCache | None = None, name: str = "") -> None:
        """A game whose machine code is kept in a cache, if one is given.

        Args:
            name: what the network has in the cache and no other network has; its programs are kept there too then.
        """
        self.network = built.network
        self.statistics = built.statistics
        self._kept = kept
        self._name = name

    @property
    def kept(self) -> CodeCache | None:
        """Where machine code is kept."""
        return self._kept

    @property
    def name(self) -> str:
        """What the network is called there; empty where it has no name."""
        return self._name

    @property
    def roles(self) -> tuple[str, ...]:
        """The players, in the order of the text."""
        return self.network.roles

    def state_of(self, position: GdlPosition) -> bytes:
        """A position's state as the kernels have it, whoever plays the position.

        Raises:
            KeyError: it is no position that can be reached in this game.
        """
        if isinstance(position.state, bytes):
            return position.state
        numbers = self._fact_number
        return pack(self.network, [numbers[str(fact)] for fact in position.game.machine.facts(position.state)])

    @cached_property
    def _fact_number(self) -> dict[str, int]:
        return {fact: number for number, fact in enumerate(self.network.facts)}

    @cached_property
    def step(self) -> StepProgram:
        """One move of many random games."""
        return self._program("step", build_step, encode_step, decode_step)

    def _program(
        self,
        kind: str,
        build: Callable[[Network], P],
        encode: Callable[[P], bytes],
        decode: Callable[[bytes, Network], P],
    ) -> P:
        """A program of the network, from the cache if it is there."""
        kept = self._kept if self._name else None
        key = f"{kind} {PROGRAM_VERSION} {self._name}"
        data = None if kept is None else kept.get(key)
        if data is not None:
            with suppress(ValueError, KeyError, TypeError):
                return decode(data, self.network)
        program = build(self.network)
        if kept is not None:
            kept.put(key, encode(program))
        return program

    @property
    def own_code(self) -> bool:
        """Whether it is worth while to compile code about single states."""
        return self.statistics.gates <= OWN_CODE

    def state_kernel(self, *, compiled: bool | None = None) -> StateKernel:
        """A new kernel for single states; with machine code of its own, or whatever is best for the size."""
        own = self.own_code if compiled is None else compiled
        program = self._program("state", build_state, encode_state, decode_state)
        return StateKernel(program, compiled=own, kept=self._kept, name=self._name)

    def machine(
        self, guard: AbstractContextManager[object] | None = None, *, compiled: bool | None = None
    ) -> KernelMachine:
        """A new player of single states; see `KernelMachine` and `state_kernel`."""
        return KernelMachine(self.network, self.state_kernel(compiled=compiled), guard)

    def serving(self) -> tuple[PlayoutName, ...]:
        """The playout kernels that can be had for a game of this size."""
        operations = self.step.operations
        bounds = {"one_function": ONE_FUNCTION, "chunks": kernel.CHUNKS}
        return tuple(name for name in PLAYOUT_KERNELS if operations <= bounds.get(name, operations))

    def playouts(self, name: PlayoutName) -> PlayoutKernel:
        """A new playout kernel of that kind, of whatever size the game is."""
        if name == "one_function":
            return one_function(self.step, kept=self._kept, name=self._name)
        return (chunks if name == "chunks" else table)(self.step, kept=self._kept, name=self._name)

    @cached_property
    def at_once(self) -> PlayoutKernel:
        """A playout kernel that needs no compiler: for the time until the best one is there."""
        return table(self.step, kept=self._kept, name=self._name)

    @property
    def best_name(self) -> PlayoutName:
        """Which kind of playout kernel is fastest for the size."""
        operations = self.step.operations
        if operations <= kernel.ONE_FUNCTION:
            return "one_function"
        return "chunks" if operations <= kernel.CHUNKS else "table"

    def best(self, should_stop: Callable[[], bool] | None = None) -> PlayoutKernel:
        """A new playout kernel of the kind that is fastest for the size; it may take seconds.

        Raises:
            Cancelled: `should_stop` said so.
        """
        return fastest(self.step, kept=self._kept, name=self._name, should_stop=should_stop)

    def figures(self) -> dict[str, object]:
        """What people and programs may want to know about the network."""
        found = self.statistics
        return {
            "facts": found.facts,
            "moves": list(found.moves),
            "ground_rules": found.rules,
            "gates_before": found.passes[0].gates if found.passes else found.gates,
            "gates": found.gates,
            "depth": found.depth,
            "ops": self.step.operations,
            "kernel": self.best_name,
            "recursive_atoms": found.recursive,
        }
