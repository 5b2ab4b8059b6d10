"""The memory in which minimax searches a compiled game, and the machine code that does it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from ctypes import CDLL, c_int64, c_void_p, cast
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ggtp.gdl.kernel.single import StateKernel, pack, unpack
from ggtp.gdl.network.network import RANDOM
from ggtp.native.callback import Callback
from ggtp.native.code import load
from ggtp.native.machine import CodeCache, Library
from ggtp.search.evaluation.evaluator import Rows
from ggtp.search.evaluation.heuristics import NOVEL, SMALLEST
from ggtp.search.evaluation.learning import Lesson
from ggtp.search.minimax import descend, entries, expand, layout
from ggtp.search.minimax.plan import BOTTOM, POINT, Plan, View

Integers = npt.NDArray[np.int64]

LEVELS = BOTTOM + 32
ROOM_BYTES = 1 << 25
"""How much memory the positions on the way down may take."""
SHARE = 4
"""One part of so many of all memory is the most that they take."""
ENTRY_BYTES = 16 + 4 * layout.ENTRY_FACTS + 4 * 6
"""What an entry of the cache takes beside its values: hashes, facts, and at most six slots in all tables together."""
FIRST_SLOTS = 1 << 12
"""The size of the first table, unless a smaller one is enough for ever."""

VIEWS = {
    View.SELFISH: layout.SELFISH,
    View.ALONE: layout.ALONE,
    View.OPPOSED: layout.OPPOSED,
    View.PARANOID: layout.PARANOID,
}


def load_code(kept: CodeCache | None) -> Library:
    """The machine code of the search, which is the same for all games."""
    constants = {**layout.constants(), **entries.NUMBERS, **descend.NUMBERS, "NOVEL": NOVEL}
    return load([*expand.FUNCTIONS, *entries.FUNCTIONS, *descend.FUNCTIONS], constants, shared=False, kept=kept)


class Sizes(NamedTuple):
    """How large the arrays of an arena are."""

    look_words: int
    """Words in which it is told what holds in a state."""
    width: int
    """Values of a position: one, or everybody's."""
    room: int
    """Positions on the way down."""
    before: int
    """Copies of one state."""
    capacity: int
    """Entries of the cache."""
    slots: int
    """Slots of its largest table."""


class Arena:
    """Everything that a search reads and writes. One search at a time, but any thread may `stop` it."""

    def __init__(self, states: StateKernel, code: Library, view: View, caching: bool, ceiling: int) -> None:
        """An arena that takes no more than `ceiling` bytes, unless that is too little for a single position.

        Args:
            states: answers questions about the states of the game.
            code: what `load_code` gives.
            view: what the others are taken to want.
            caching: whether to remember positions.
            ceiling: how many bytes there are.
        """
        self._states = states
        self._network = states.program.network
        self._first = pack(self._network, self._network.initial)
        sizes = self._sizes_for(view, caching, ceiling)
        self._arrays: dict[int, Any] = self._arrays_of(sizes)
        self.fields = np.zeros(layout.FIELDS, np.int64)
        for place, array in self._arrays.items():
            self.fields[place] = array.ctypes.data
        self._fill_fields(sizes)
        self._judge: Callback | None = None
        self._at = c_void_p(self.fields.ctypes.data)
        self._code = code
        function = code.function
        self._enter = function("enter", None, c_void_p, c_int64)
        self._best_known = function("best_known", c_int64, c_void_p, c_int64)
        self._descend = function("descend", c_int64, c_void_p, *[c_int64] * 7)

    def _sizes_for(self, view: View, caching: bool, ceiling: int) -> Sizes:
        """How much fits into so many bytes."""
        network, program, words = self._network, self._states.program, self._states.row_words
        roles = len(network.roles)
        look_words = -(-(program.move_count + program.goal_count + 1) // 64)
        width = roles if view is View.SELFISH else 1
        row = 8 * (words + look_words + width + 1) + 4 * (roles + 2)
        room = max(2, min(ROOM_BYTES, ceiling // SHARE) // row)
        before = min(max(len(moves) for moves in network.moves), room)
        goals = program.goal_count
        small = 2 + layout.FIELDS + 2 * (roles + goals) + words + program.move_count + 1 + width * (64 * words + 1)
        fixed = row * room + 8 * (words * before + LEVELS * 2 * (roles + width) + small)
        self.entry_bytes = ENTRY_BYTES + 4 * width
        capacity = max(0, ceiling - fixed) // self.entry_bytes if caching else 0
        # A power of two, so that at least a third of the slots is empty.
        slots = 1 << max(1, (3 * capacity // 2).bit_length())
        return Sizes(look_words, width, room, before, capacity, slots)

    def _arrays_of(self, sizes: Sizes) -> dict[int, Any]:
        """The memory, by what it is for."""
        network, words = self._network, self._states.row_words
        roles, move_count = len(network.roles), self._states.program.move_count
        look_words, width, room, before, capacity, slots = sizes
        goals = [(role, value) for role, pairs in enumerate(network.goals) for value, _ in pairs]
        counts = [len(moves) for moves in network.moves]
        return {
            layout.CLOCK_SAYS: np.zeros(2, np.int64),
            layout.OFFSETS: np.array([sum(counts[:role]) for role in range(roles)], np.int64),
            layout.SIZES: np.array(counts, np.int64),
            layout.GOAL_ROLES: np.array([role for role, _ in goals], np.int64),
            layout.GOAL_VALUES: np.array([value for _, value in goals], np.int64),
            layout.FIRST: np.frombuffer(self._first, "<u8").astype(np.uint64),
            layout.WORTH: np.zeros((width, 64 * words), np.int64),
            layout.BASES: np.zeros(width, np.int64),
            layout.ROWS: np.zeros((room, words), np.uint64),
            layout.LOOKS: np.zeros((room, look_words), np.uint64),
            layout.JOINTS: np.zeros((room, roles), np.int32),
            layout.HEURISTICS: np.zeros((room, width), np.int64),
            layout.OVERS: np.zeros(room, np.int32),
            layout.ORDERS: np.zeros(room, np.int32),
            layout.KEYS: np.zeros(room, np.int64),
            layout.BEFORE: np.zeros((before, words), np.uint64),
            layout.PENDING: np.full((LEVELS, roles), -1, np.int64),
            layout.CHOICES: np.ones((LEVELS, roles), np.int64),
            layout.VALUES: np.zeros((LEVELS, width), np.int64),
            layout.SUMS: np.zeros((LEVELS, width), np.int64),
            layout.HISTORY: np.zeros(max(1, move_count), np.int64),
            layout.SLOTS: np.zeros(2 * slots, np.int32),
            layout.HASHES: np.zeros((capacity, 2), np.uint64),
            layout.KNOWN: np.zeros((capacity, width), np.int32),
            layout.FACTS: np.zeros((capacity, layout.ENTRY_FACTS), np.int32),
        }

    def _fill_fields(self, sizes: Sizes) -> None:
        """What does not change from search to search."""
        network, program = self._network, self._states.program
        self.fields[layout.KERNEL], self.fields[layout.LOOK_MANY], self.fields[layout.MOVE_MANY] = (
            self._states.entrance()
        )
        self._set(
            {
                layout.ROLES: len(network.roles),
                layout.WORDS: self._states.row_words,
                layout.LOOK_WORDS: sizes.look_words,
                layout.MOVES: program.move_count,
                layout.GOALS: program.goal_count,
                layout.RESULTS: program.move_count + program.goal_count + 1,
                layout.WIDTH: sizes.width,
                layout.CAPACITY: sizes.capacity,
                layout.LEVELS: LEVELS,
                layout.ROOM: sizes.room,
                layout.ROOM_BEFORE: sizes.before,
                layout.MASK: min(sizes.slots, FIRST_SLOTS) - 1,
                layout.MASK_MOST: sizes.slots - 1,
                layout.HALF: max(SMALLEST, len(unpack(self._first))),
                layout.CHANCE: network.roles.index(RANDOM) if RANDOM in network.roles else -1,
                layout.CLOCK: cast(CDLL(None).clock_gettime, c_void_p).value or 0,
                layout.CLOCK_NAME: time.CLOCK_MONOTONIC,
            }
        )

    def _set(self, values: dict[int, int]) -> None:
        for place, value in values.items():
            self.fields[place] = value

    @property
    def taken(self) -> int:
        """The bytes of everything, whether it is used or not."""
        return int(self.fields.nbytes + sum(array.nbytes for array in self._arrays.values()))

    @property
    def capacity(self) -> int:
        """How many positions can be remembered."""
        return int(self.fields[layout.CAPACITY])

    def prepare(self, plan: Plan, me: int, choices: Sequence[int], usual: float, most_nodes: int = 0) -> None:
        """Get ready for a search.

        Args:
            plan: what to do; its view must be that for which the arena was made.
            me: the role for which to search.
            choices: how many moves each role has, or had when it last had a choice.
            usual: how many moves are usual.
            most_nodes: how many positions to make at most; 0 for as many as there are.
        """
        players = [role for role, name in enumerate(self._network.roles) if name != RANDOM]
        self._set(
            {
                layout.ME: me,
                layout.OTHER: next((role for role in players if role != me), me),
                layout.VIEW: VIEWS[plan.view],
                layout.PRUNING: plan.pruning,
                layout.ORDERING: plan.ordering,
                layout.EXTENSION: plan.extension,
                layout.REDUCING: plan.reducing,
                layout.CACHING: plan.caching,
                layout.MOBILITY: plan.mobility,
                layout.NOVELTY: plan.novelty,
                layout.NEAR: plan.proximity,
                layout.USUAL: round(usual),
                layout.MOST_NODES: most_nodes,
                layout.NODES: 0,
                layout.ODD: 0,
            }
        )
        self._arrays[layout.CHOICES][:] = choices

    def teach(self, lesson: Lesson, me: int) -> None:
        """Let heuristic values be made of what was learned, as far as that is to be trusted; `me` as for `prepare`."""
        worth, bases = self._arrays[layout.WORTH], self._arrays[layout.BASES]
        for place in range(len(worth)):
            role = place if len(worth) > 1 else me
            worth[place, : lesson.worth.shape[1]] = np.rint(lesson.worth[role] * POINT)
            bases[place] = round(float(lesson.base[role]) * POINT)
        self.fields[layout.LEARNED] = round(1000 * lesson.trust)

    def judge_by(self, values: Callable[[Rows], Integers]) -> None:
        """Let positions be worth what an evaluator says, from now on, and not what heuristics do.

        Args:
            values: for an array with a row for each state, the values for everybody, or for us, in a row for each.
        """
        rows, overs, found = (self._arrays[place] for place in (layout.ROWS, layout.OVERS, layout.HEURISTICS))

        def judge(top: int, count: int) -> None:
            open_ones = top + np.flatnonzero(overs[top : top + count] == 0)
            if len(open_ones):
                found[open_ones] = values(rows[open_ones])

        fields = self.fields
        self._judge = Callback(judge, 2, lambda: fields.__setitem__(layout.STOP, 1))
        self.fields[layout.JUDGE] = self._judge.address

    def stop(self) -> None:
        """Let the search that is under way end within one position; so does every other, until `go_on`."""
        self.fields[layout.STOP] = 1

    def go_on(self, seconds: float | None = None) -> None:
        """Let searches be done again; for so long, or until they are stopped."""
        now = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        self.fields[layout.DEADLINE] = 0 if seconds is None else now + round(seconds * 1e9)
        self.fields[layout.STOP] = 0

    def enter(self, state: bytes, pending: Sequence[int], ply: int, judged: Sequence[int] | None = None) -> None:
        """Begin in a state in which roles have decided so much already, with the values that an evaluator has judged.

        Those are needed where `judge_by` was told of one.
        """
        if judged is not None:
            self._arrays[layout.HEURISTICS][0] = judged
        self._arrays[layout.ROWS][0] = np.frombuffer(state, "<u8")
        self._arrays[layout.PENDING][ply] = pending
        self._enter(self._at, ply)

    def descend(self, depth: int, extra: int, alpha: int, beta: int, ply: int) -> int:
        """Search where `enter` has begun: `SURE`, `UNCERTAIN` or `STOPPED`. Other threads run meanwhile.

        Raises:
            EvaluatorFailed: the evaluator has failed.
        """
        found = int(self._descend(self._at, 0, 1, depth, extra, alpha, beta, ply))
        if self._judge is not None:
            self._judge.check()
        return found

    def values(self, ply: int) -> tuple[int, ...]:
        """The values that were found."""
        return tuple(self._arrays[layout.VALUES][ply].tolist())

    def best_known(self, ply: int) -> int | None:
        """The best move that is remembered where `enter` has begun."""
        found = int(self._best_known(self._at, ply))
        return found if found >= 0 else None

    def count(self, place: int) -> int:
        """What the search counts, by its place in the layout."""
        return int(self.fields[place])
