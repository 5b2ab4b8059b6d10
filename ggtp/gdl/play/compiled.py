"""A compiled game: its network as a player of single states, and as kernels that play random games.

Everything is made when it is first asked for, and kept. What takes long can be stopped, and
what is wanted now is there at once: a table instead of machine code.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from ggtp.gdl.kernel import playouts
from ggtp.gdl.kernel.playouts import PlayoutKernel, chunks, fastest, one_function, table
from ggtp.gdl.kernel.single import StateKernel, pack
from ggtp.gdl.network.network import Built, Network
from ggtp.gdl.program.state import build_state
from ggtp.gdl.program.step import StepProgram
from ggtp.gdl.program.wire import VERSION as PROGRAM_VERSION
from ggtp.gdl.program.wire import decode_perhaps, decode_state, decode_step, encode_perhaps, encode_state, encode_step
from ggtp.native.machine import CodeCache, host

if TYPE_CHECKING:
    from ggtp.gdl.play.compiled_machine import KernelMachine
    from ggtp.gdl.play.rules import GdlPosition

ONE_FUNCTION = 20_000
"""Operations up to which one function is compiled in seconds."""
OWN_CODE = 4_000
"""Gates up to which single states have machine code of their own; beyond, compiling it takes longer than a whole game
by table."""

PlayoutName: TypeAlias = Literal["one_function", "chunks", "table"]
P = TypeVar("P")
PLAYOUT_KERNELS: tuple[PlayoutName, ...] = ("one_function", "chunks", "table")


def prepare(kept: CodeCache | None) -> None:
    """Make, and keep, what the playout kernels of all games have in common, while a network is still being built."""
    if kept is not None:
        playouts.runtime_code(host().words, kept)


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
        return self._program("step", _build_step, encode_step, decode_step)

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
            with suppress(ValueError, KeyError, IndexError, TypeError):
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
        from ggtp.gdl.play.compiled_machine import KernelMachine

        return KernelMachine(self.network, self.state_kernel(compiled=compiled), guard)

    def serving(self) -> tuple[PlayoutName, ...]:
        """The playout kernels that can be had for a game of this size."""
        operations = self.step.operations
        bounds = {"one_function": ONE_FUNCTION, "chunks": playouts.CHUNKS}
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
        if operations <= playouts.ONE_FUNCTION:
            return "one_function"
        return "chunks" if operations <= playouts.CHUNKS else "table"

    def best(self, should_stop: Callable[[], bool] | None = None) -> PlayoutKernel:
        """A new playout kernel of the kind that is fastest for the size; it may take seconds.

        Raises:
            Cancelled: `should_stop` said so.
        """
        return fastest(self.step, kept=self._kept, name=self._name, should_stop=should_stop)

    @cached_property
    def foreseeing_step(self) -> StepProgram | None:
        """The step of games in which nobody overlooks a win, or leaves one to the other; see `build_foreseeing`."""
        return self._program("foreseeing", self._build_foreseeing, encode_perhaps, decode_perhaps)

    def foreseeing(self, should_stop: Callable[[], bool] | None = None) -> PlayoutKernel | None:
        """A new kernel of games in which nobody overlooks a win, or leaves one to the other; it may take seconds.

        None where that can't be had, or would cost too much.

        Raises:
            Cancelled: `should_stop` said so.
        """
        program = self.foreseeing_step
        if program is None:
            return None
        name = f"{self._name} foreseeing" if self._name else ""
        return fastest(program, kept=self._kept, name=name, should_stop=should_stop)

    def _build_foreseeing(self, network: Network) -> StepProgram | None:
        from ggtp.gdl.program.foresight import build_foreseeing

        return build_foreseeing(network, self.step)

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


def _build_step(network: Network) -> StepProgram:
    # Not above: where the program is kept nobody builds one, and games begin sooner.
    from ggtp.gdl.program.build import build_step

    return build_step(network)
