"""Kernels: a step program as machine code that plays random games.

Three ways to the same games. `one_function` is the fastest for short programs, `chunks` compiles
longer ones in parts, first without optimisation if somebody waits; `table` needs no compiler for the
game at all, so it serves at once, and serves the longest programs. `fastest` knows which. With as
many lanes and the same seed, all three play the same games.
"""

from __future__ import annotations

from collections.abc import Callable
from ctypes import addressof, c_int64, c_void_p
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ggtp.gdl.kernel.alternate import Alternation, Kind
from ggtp.gdl.kernel.parts import Entries, Part, Parts, PartsMaker, entries_of, parts_of
from ggtp.gdl.kernel.runtime import RUN_FROM_ARGUMENTS, runtime_text
from ggtp.gdl.program.code import ONES, Code
from ggtp.gdl.program.step import ACTIVE, DRAIN, FIRST_FACT, FRESH, GENERATOR, STEPS_PER_COUNT, StepProgram
from ggtp.native.machine import CodeCache, Effort, Library, host, object_code
from ggtp.native.memory import Longs, Slots

if TYPE_CHECKING:
    # Loaded where there are arrays to work with: games from the start are played without, and begin sooner.
    import numpy as np
    import numpy.typing as npt

    Words = npt.NDArray[np.uint64]
    Numbers = npt.NDArray[np.int32]

ONE_FUNCTION = 6_500
"""Operations up to which one function is compiled: it is faster than chunks by a tenth, in up to twice their time."""
SOON = 2_000
"""Operations up to which the best kernel is there nearly as soon as a table."""
CHUNKS = 150_000
"""Operations up to which chunks are worth their compilation, about a second for 12,000."""

MAX_STEPS = 10_000
"""A game longer than that is given up, where the caller does not say otherwise."""

_CHUNK = 250
"""Operations a function: the compiler's work grows faster than the function, and this many still share registers."""
_OBSERVE = 1_000
"""Operations up to which the code for terminal states, which runs once a batch, is compiled; beyond, a table does."""
_CALL = 20_000_000
"""Operations on 256 lanes in one call, so that a call takes some milliseconds."""

_ALL = 0xFFFF_FFFF_FFFF_FFFF


class Cancelled(Exception):
    """The caller wants no kernel any more."""


@dataclass(frozen=True, slots=True)
class PlayoutStats:
    """What came of random games from the initial state, all of them played to their ends."""

    games: int
    unfinished: int
    """Games given up: too long, or somebody had no move."""
    steps: int
    """Moves in all those games together."""
    goals: tuple[dict[int, int], ...]
    """For each role, how many games had which value; 0 where no goal held."""

    def mean(self, role: int) -> float:
        """The average goal of a role."""
        return sum(value * count for value, count in self.goals[role].items()) / self.games if self.games else 0.0


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What came of one random game from each given state."""

    goals: Numbers
    """A row for each state, a column for each role; the greatest value where several hold."""
    lengths: Numbers
    """How many moves each game took; -1 for games given up, whose goals are 0."""


@dataclass(frozen=True, slots=True)
class Entrance:
    """Where other machine code enters a kernel, with the same rule as for threads: one at a time."""

    function: int
    """The address of `run_from`."""
    arguments: int
    """The address of its arguments, in the order of `kernel_runtime.RUN_FROM_ARGUMENTS`."""
    lag: int
    """Steps on top of the moves that are to be made at most."""
    generator: int
    """The address of the state of the random numbers."""
    generator_words: int


class PlayoutKernel:
    """Plays random games, many at once. Calls let other threads run, but are not to be made at the same time.

    Make kernels by `one_function`, `chunks` and `table`; `twin` gives another one of the same code.
    """

    def __init__(self, program: StepProgram, entries: _Entries) -> None:
        self.program = program
        self.words = words = entries.words
        self.lanes = 64 * words
        self._entries = entries
        runtime = entries.runtime
        self._memory = Slots(entries.slots, words)
        self._start = [word for holds in program.initial for word in [_ALL if holds else 0] * words]
        self.row_words = max(1, -(-len(program.network.facts) // 64))
        self._totals = Longs([0] * program.counters)
        self._play = runtime.function("play", c_int64, *[c_void_p] * 2, *[c_int64] * 4, c_void_p, c_int64)
        self._run_from = runtime.function("run_from", None, c_int64 * len(RUN_FROM_ARGUMENTS))
        self._scratch = Slots(64 * self.row_words, words)
        self._fact_indexes = Longs(program.facts)
        self._goal_table = Longs(
            [
                number
                for role, planes in enumerate(program.goals)
                for value, plane in planes
                for number in (role, value, plane.counter, int(plane.inverted))
            ]
        )
        self._arguments = (c_int64 * len(RUN_FROM_ARGUMENTS))()
        self._fixed_arguments()
        self.seed(0)

    def twin(self) -> PlayoutKernel:
        """Another kernel with memory of its own, for another thread."""
        return PlayoutKernel(self.program, self._entries)

    def seed(self, seed: int) -> None:
        """Starts the random numbers anew; the same seed and the same calls give the same games."""
        state = seed & _ALL
        low: list[int] = []
        high: list[int] = []
        for _ in range(self.words):
            for half in (low, high):
                state, value = _splitmix(state)
                half.append(value)
        self._memory.put(GENERATOR, low + high)

    def playouts(
        self,
        count: int | None = None,
        *,
        should_stop: Callable[[], bool] | None = None,
        max_steps: int = MAX_STEPS,
    ) -> PlayoutStats:
        """Plays games from the initial state, at least as many as asked, or until it is told to stop.

        Whenever that is, every game that was begun is played to its end and counted. So whether a
        game is counted does not depend on how it goes, and long games are not missing (the mean of
        what is counted is right by Wald's equation).

        Args:
            count: how many games at least; exactly so many where there are not fewer lanes.
            should_stop: asked every few milliseconds.
            max_steps: a game that is longer than that, at the latest twice as long, is given up.
        """
        if count is None and should_stop is None:
            raise ValueError("say how many games, or when to stop")
        self._begin(self.lanes if count is None else min(count, self.lanes))
        if count is not None and count <= self.lanes:
            self._memory.fill(DRAIN, _ALL)
        most = max(1, 4 * _CALL // (STEPS_PER_COUNT * self.words * max(1, self.program.operations)))
        blocks, steps, age, given_up = 1, 0, 0, 0
        while self._memory.some(ACTIVE):
            draining = self._memory.some(DRAIN)
            active_steps = self._play_blocks(blocks, draining)
            steps += active_steps if draining else blocks * STEPS_PER_COUNT * self.lanes
            age += blocks * STEPS_PER_COUNT
            if age >= max_steps:
                given_up += self._give_up()
                age = 0
            done = self._totals.numbers[0] + self._totals.numbers[1]
            if (count is not None and done + self.lanes >= count) or (should_stop is not None and should_stop()):
                self._memory.fill(DRAIN, _ALL)
            blocks = min(2 * blocks, most, self._blocks_to(count, done, steps), max(1, max_steps // STEPS_PER_COUNT))
        return self._stats(steps, given_up)

    def _play_blocks(self, blocks: int, draining: bool) -> int:
        """Plays blocks of `STEPS_PER_COUNT` steps; returns the steps of active lanes where some are draining."""
        program, step = self.program, self._entries.step
        played: int = self._play(
            self._memory.address(),
            step.address,
            len(step),
            blocks,
            program.first_counter,
            program.counters,
            self._totals.address,
            draining,
        )
        return played

    def run_from(self, states: Words, *, max_steps: int = MAX_STEPS) -> Outcomes:
        """Plays one random game from each state.

        Args:
            states: a row for each state, which can be reached in the game; fact f is bit f % 64 of word f // 64.
            max_steps: a game longer than that is given up.
        """
        import numpy as np

        states = np.ascontiguousarray(states, np.uint64)
        count = len(states)
        if states.shape != (count, self.row_words):
            raise ValueError(f"states have {self.row_words} words each, not {states.shape[1:]}")
        roles = len(self.program.network.roles)
        lag = int(self.program.observe is None)
        # One array for all results: each address that numpy is asked for costs as much as a game.
        out = np.zeros(count * (roles + 1), np.int32)
        address = out.ctypes.data
        self._set(
            rows=states.ctypes.data,
            count=count,
            goals_out=address,
            lengths_out=address + 4 * count * roles,
            max_steps=max_steps + lag,
            lag=lag,
        )
        self._run_from(self._arguments)
        return Outcomes(out[: count * roles].reshape(count, roles), out[count * roles :])

    def entrance(self) -> Entrance:
        """Addresses for other machine code, which must not be used longer than the kernel."""
        generator = self._memory.address(GENERATOR)
        lag = int(self.program.observe is None)
        function = self._entries.runtime.address("run_from")
        return Entrance(function, addressof(self._arguments), lag, generator, 2 * self.words)

    def use_generator(self, words: Words) -> None:
        """Go on with the random numbers whose state was read at `Entrance.generator`."""
        import numpy as np

        self._memory.put(GENERATOR, np.asarray(words, np.uint64)[: 2 * self.words].tolist())

    def lane_states(self) -> Words:
        """The states in which the lanes stand after `run_from`, a row each; facts that the program does not need are 0.

        With as many moves as there are states, `run_from` in steps of one move plays the same games as at once.
        """
        import numpy as np

        facts = self._memory.array()[FIRST_FACT : FIRST_FACT + len(self._fact_indexes)]
        bits = np.unpackbits(np.ascontiguousarray(facts).view(np.uint8), axis=1, bitorder="little")
        rows = np.zeros((self.lanes, 64 * self.row_words), np.uint8)
        rows[:, self._fact_indexes.numbers] = bits.T
        return np.packbits(rows, axis=1, bitorder="little").view(np.uint64)

    def _begin(self, lanes: int) -> None:
        memory, program = self._memory, self.program
        memory.fill(ONES, _ALL)
        memory.fill(DRAIN, 0)
        memory.fill(FRESH, 0)
        active = (1 << lanes) - 1
        memory.put(ACTIVE, [active >> 64 * word & _ALL for word in range(self.words)])
        memory.put(FIRST_FACT, self._start)
        memory.fill(program.first_counter, 0, program.slots - program.first_counter)
        for counter in range(program.counters):
            self._totals.numbers[counter] = 0

    def _blocks_to(self, count: int | None, done: int, steps: int) -> int:
        """About how many blocks it takes to finish what was asked for."""
        if count is None or not done:
            return 1 << 30
        missing = max(0, count - self.lanes - done)
        return 1 + missing * steps // (done * STEPS_PER_COUNT * self.lanes)

    def _give_up(self) -> int:
        """Puts an end to the games that have lasted since the last time; returns how many."""
        memory = self._memory
        stale = [word ^ _ALL for word in memory.get(FRESH)]
        memory.fill(FRESH, 0)
        if not any(stale):
            return 0
        active, drain = memory.get(ACTIVE), memory.get(DRAIN)
        for i, holds in enumerate(self.program.initial):
            old = memory.get(FIRST_FACT + i)
            new = [word | mask if holds else word & ~mask for word, mask in zip(old, stale, strict=True)]
            memory.put(FIRST_FACT + i, new)
        left = [word & ~(mask & last) for word, mask, last in zip(active, stale, drain, strict=True)]
        memory.put(ACTIVE, left)
        return sum((word & mask).bit_count() for word, mask in zip(active, stale, strict=True))

    def _stats(self, steps: int, given_up: int) -> PlayoutStats:
        program = self.program
        totals = self._totals.numbers.tolist()
        games = totals[0]
        goals: list[dict[int, int]] = []
        for planes in program.goals:
            own: dict[int, int] = {}
            for value, plane in planes:
                total = games - totals[plane.counter] if plane.inverted else totals[plane.counter]
                own[value] = own.get(value, 0) + total
            if (rest := games - sum(own.values())) > 0:
                own[0] = own.get(0, 0) + rest
            goals.append(own)
        # Where the step looks before it moves, the last look of each game is no move.
        moves = steps - (games + totals[1] if program.observe is None else 0) - (totals[-1] if program.waits else 0)
        return PlayoutStats(games, totals[1] + given_up, moves, tuple(goals))

    def _fixed_arguments(self) -> None:
        program = self.program
        self._memory.fill(ONES, _ALL)
        self._set(
            memory=self._memory.address(),
            step=self._entries.step.address,
            step_entries=len(self._entries.step),
            observe=self._entries.observe.address,
            observe_entries=len(self._entries.observe),
            facts=self._fact_indexes.address,
            fact_count=len(program.facts),
            row_words=self.row_words,
            scratch=self._scratch.address(),
            first_counter=program.first_counter,
            counters=program.counters,
            goals=self._goal_table.address,
            goal_count=len(self._goal_table) // 4,
            roles=len(program.network.roles),
            waiting=program.waiting,
        )

    def _set(self, **values: int) -> None:
        for name, value in values.items():
            self._arguments[_ARGUMENT[name]] = value


_ARGUMENT = {name: i for i, name in enumerate(RUN_FROM_ARGUMENTS)}


@dataclass(frozen=True, slots=True)
class _Entries:
    """A game's code in memory."""

    words: int
    step: Entries
    observe: Entries
    slots: int
    runtime: Library
    keep: tuple[Any, ...]
    """What must not be forgotten while the code is used."""


def runtime_code(words: int, kept: CodeCache | None = None) -> bytes:
    """The object code of what is around the code of any game, for slots of so many words."""
    return object_code(runtime_text(words), Effort.TIDY, kept)


def fastest(
    program: StepProgram,
    *,
    kept: CodeCache | None = None,
    name: str = "",
    should_stop: Callable[[], bool] | None = None,
) -> PlayoutKernel:
    """The fastest kernel for a program, which may take seconds to compile.

    Raises:
        Cancelled: `should_stop` said so.
    """
    if program.operations <= ONE_FUNCTION:
        return one_function(program, kept=kept, name=name)
    if program.operations <= CHUNKS:
        return chunks(program, kept=kept, name=name, should_stop=should_stop)
    return table(program, kept=kept, name=name)


def one_function(
    program: StepProgram,
    *,
    effort: Effort = Effort.PLAIN,
    kept: CodeCache | None = None,
    name: str = "",
    words: int | None = None,
) -> PlayoutKernel:
    """A kernel whose step is one function.

    Args:
        kept: where machine code is kept.
        name: what the game has there and no other has; see `parts_of`.
        words: 64-bit words a slot; as many as a vector of the processor has where nothing is said.
    """
    return _Compilation(words or host().words, effort, kept, name, None).compiled(program, max(1, len(program.step)))


def chunks(
    program: StepProgram,
    *,
    effort: Effort = Effort.PLAIN,
    kept: CodeCache | None = None,
    name: str = "",
    words: int | None = None,
    should_stop: Callable[[], bool] | None = None,
    size: int = _CHUNK,
) -> PlayoutKernel:
    """A kernel whose step is several functions, of so many operations each.

    Raises:
        Cancelled: `should_stop`, which is asked between the parts, said so.
    """
    return _Compilation(words or host().words, effort, kept, name, should_stop).compiled(program, size)


def table(
    program: StepProgram, *, kept: CodeCache | None = None, name: str = "", words: int | None = None
) -> PlayoutKernel:
    """A kernel that reads its operations from a table.

    Args:
        kept: where machine code is kept.
        name: what the game has there and no other has; see `parts_of`.
        words: 64-bit words a slot; as many as the caches have room for where nothing is said.
    """
    return _Compilation(words, Effort.PLAIN, kept, name, None).tabulated(program)


class _Compilation:
    """Makes one kernel."""

    def __init__(
        self,
        words: int | None,
        effort: Effort,
        kept: CodeCache | None,
        name: str,
        should_stop: Callable[[], bool] | None,
    ) -> None:
        self.words, self.effort, self.kept, self.name, self.should_stop = words, effort, kept, name, should_stop

    def tabulated(self, program: StepProgram) -> PlayoutKernel:
        return self._kernel(program, "table", PartsMaker.table, PartsMaker.table)

    def compiled(self, program: StepProgram, size: int) -> PlayoutKernel:
        def functions(maker: PartsMaker, code: Code) -> Part:
            # Steps of other kinds are of their own sizes.
            whole = code is not program.step and len(code) <= ONE_FUNCTION
            return maker.functions(code, len(code) if whole else size)

        short = program.observe is not None and len(program.observe) <= _OBSERVE
        return self._kernel(program, f"functions {size}", functions, functions if short else PartsMaker.table)

    def _kernel(
        self,
        program: StepProgram,
        how: str,
        step: Callable[[PartsMaker, Code], Part],
        observe: Callable[[PartsMaker, Code], Part],
    ) -> PlayoutKernel:
        def make(kept: CodeCache | None) -> Parts:
            maker = PartsMaker(self.words, self.effort, kept, self._heed)
            parts = [step(maker, program.step), Part() if program.observe is None else observe(maker, program.observe)]
            parts += [step(maker, code) for code in program.further]
            return Parts(runtime_code(maker.words, self.kept), maker.slots, maker.words, tuple(parts))

        how = f"playouts {how} {self.words or 'best'} {self.effort.value}"
        parts = parts_of(self.kept, self.name, how, make)
        runtime = Library(parts.runtime)
        (first, second, *others), keep = entries_of(parts.parts, runtime)
        slots = max(parts.slots, program.slots)
        if others:
            codes = [first, *others]
            kinds = []
            for phase in program.phases:
                guided = codes.pop(0)
                kinds.append(Kind(guided, guided if phase.calm is None else codes.pop(0), phase))
            all_kinds = Alternation(kinds, program.period, slots, parts.words, self.kept)
            first, second = all_kinds.step, all_kinds.restarting(second)
            slots, keep = slots + all_kinds.slots, (*keep, all_kinds)
        return PlayoutKernel(program, _Entries(parts.words, first, second, slots, runtime, keep))

    def _heed(self) -> None:
        if self.should_stop is not None and self.should_stop():
            raise Cancelled


def _splitmix(state: int) -> tuple[int, int]:
    """The generator SplitMix64: its next state, and a number."""
    state = (state + 0x9E3779B97F4A7C15) & _ALL
    mixed = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & _ALL
    mixed = ((mixed ^ mixed >> 27) * 0x94D049BB133111EB) & _ALL
    return state, mixed ^ mixed >> 31
