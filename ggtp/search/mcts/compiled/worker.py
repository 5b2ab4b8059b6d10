"""One thread's part in a search of a compiled game: its kernels, its buffers, and the calls into machine code."""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import c_int64, c_void_p

import numpy as np

from ggtp.gdl.kernel.playouts import PlayoutKernel
from ggtp.gdl.kernel.runtime import RUN_FROM_ARGUMENTS
from ggtp.gdl.kernel.single import StateKernel
from ggtp.native.callback import Callback
from ggtp.native.machine import Library
from ggtp.search.evaluation.evaluator import CheckedLeaves, Rows
from ggtp.search.mcts.compiled import layout
from ggtp.search.mcts.compiled.tree import FlatTree, Words
from ggtp.search.mcts.options import Settings

AHEAD = 256
"""How many states are looked at together: a multiple of 64."""
LONGEST = 2000
"""A playout longer than that is given up."""
BUFFERS = 8
"""Of all memory, one part of so many may be taken by the ways down the tree of a batch, of all threads together, and
another one by its playouts."""


class Worker:
    """What a thread needs to search a tree. Only one thread may use it."""

    def __init__(
        self, number: int, tree: FlatTree, states: StateKernel, kernel: PlayoutKernel, code: Library, settings: Settings
    ) -> None:
        self.tree, self.states, self.kernel, self.code = tree, states, kernel, code
        self.plan = np.zeros(len(layout.WORKER_FIELD), np.int64)
        self._kept: list[object] = []
        """Buffers, whose addresses are in the plan."""
        self._search = code.function("search", c_int64, c_void_p, c_int64)
        self._plant = code.function("plant", c_int64, c_void_p)
        width = -(-states.results // 64)
        later = -(-sum(map(len, tree.network.moves)) // 64) if settings.rave else 1
        room = (settings.megabytes << 20) // (8 * BUFFERS * settings.threads)
        item = layout.DEEPEST + 7 + 4 * tree.row_words + 2 * tree.roles + 3 * width + later
        batch = max(1, min(settings.batch, room // item))
        leaf = min(settings.leaf, max(1, room // (batch * (tree.row_words + tree.roles + 1))))
        playouts = max(batch * max(1, leaf), kernel.lanes)
        self._play_items = np.zeros(batch, np.int32)
        self._sums: Words = np.zeros((batch, tree.roles), np.int64)
        self.rows: Words = np.zeros((max(1, batch), tree.row_words), np.int64)
        self.play_rows: Words = np.zeros((playouts, tree.row_words), np.int64)
        self.saved = np.zeros(2 * 64, np.uint64)
        self._judge: Callback | None = None
        self._set(
            ME=number + 1, BATCH=batch, LEAF=leaf, LOOK_WIDTH=width, LATER_WORDS=later, FOUND_ITEM=-1, FOUND_LANE=-1
        )
        self._set_game()
        self._set_buffers(batch, width, later)
        self._set_playouts(playouts)
        self.use(kernel)

    def _set_game(self) -> None:
        """Where the tree is, and how the game's states are moved on and looked at."""
        network, states = self.tree.network, self.states
        plan, look_many, move_many = states.entrance()
        goal_counts = [len(pairs) for pairs in network.goals]
        sizes = [len(own) for own in network.moves]
        self._set(
            TREE=self.tree.plan.ctypes.data,
            STATE_PLAN=plan,
            LOOK_MANY=look_many,
            MOVE_MANY=move_many,
            MAX_STEPS=LONGEST,
            SIZES=self._array(np.array([*sizes, *goal_counts], np.int64)),
            VALUES=self._array(np.array([value for pairs in network.goals for value, _ in pairs], np.int64)),
            OFFSETS=self._array(np.cumsum([0, *sizes]).astype(np.int64)),
            TERMINAL_BIT=states.results - 1,
            MOVE_COUNT=sum(sizes),
        )

    def _set_buffers(self, batch: int, width: int, later: int) -> None:
        """Room for ways down to leaves, and for what is opened up and looked at behind them.

        Args:
            batch: how many leaves are evaluated together.
            width: how many words a look at a state has.
            later: how many words the moves of a playout have.
        """
        tree = self.tree
        self._set(
            PATHS=self._buffer(batch * layout.DEEPEST),
            LENGTHS=self._buffer(batch),
            LEAVES=self._buffer(batch),
            FRESH=self._buffer(batch),
            PARENTS=self._buffer(batch * tree.row_words),
            MOVES=self._buffer(batch * tree.roles),
            LOOKS=self._buffer(batch * width),
            FREE=self._buffer(2 * batch),
            OPEN=self._buffer(batch),
            OPEN_ROWS=self._buffer(2 * batch * tree.row_words),
            OPEN_LOOKS=self._buffer(2 * batch * width),
            AHEAD_SIZE=AHEAD,
            AHEAD_FROM=self._buffer(AHEAD * tree.row_words),
            AHEAD_MOVES=self._buffer(AHEAD * tree.roles),
            AHEAD_ROWS=self._buffer(AHEAD * tree.row_words),
            AHEAD_LOOKS=self._buffer(AHEAD * width),
            AHEAD_EDGES=self._buffer(AHEAD),
            LATER=self._buffer(batch * later),
        )

    def _set_playouts(self, playouts: int) -> None:
        """Room for so many playouts at a time, and for what came of leaves."""
        self._set(
            ROWS=self._array(self.rows),
            PLAY_ROWS=self._array(self.play_rows),
            GOALS=self._buffer(playouts * self.tree.roles),
            STEPS=self._buffer(playouts),
            SAVED=self._array(self.saved),
            PLAY_ITEMS=self._array(self._play_items),
            SUMS=self._array(self._sums),
        )

    def use(self, kernel: PlayoutKernel) -> None:
        """Play with another kernel from now on, which has at most as many lanes as the first one."""
        entrance = kernel.entrance()
        place = {name: number for number, name in enumerate(RUN_FROM_ARGUMENTS)}
        self.kernel = kernel
        self._set(
            RUN_FROM=entrance.function,
            RUN_ARGUMENTS=entrance.arguments,
            ARG_ROWS=place["rows"],
            ARG_COUNT=place["count"],
            ARG_GOALS=place["goals_out"],
            ARG_LENGTHS=place["lengths_out"],
            ARG_STEPS=place["max_steps"],
            ARG_LAG=place["lag"],
            LAG=entrance.lag,
            LANES=kernel.lanes,
            GENERATOR=entrance.generator,
            GENERATOR_WORDS=entrance.generator_words,
        )

    def seed(self, seed: int) -> None:
        """Begin chance anew."""
        self.kernel.seed(seed)
        self._set(RANDOM=(seed * 0x9E3779B97F4A7C15 + 0x1234567) % (1 << 62) | 1)

    def judge_by(self, leaves: CheckedLeaves[Rows], roles: Sequence[int]) -> None:
        """Let leaves be worth from now on what an evaluator says, and not what comes of playouts.

        Args:
            leaves: is asked for the values of all leaves of a batch together.
            roles: the role of each of its players.
        """
        rows = self.play_rows.view(np.uint64)
        rows.flags.writeable = False
        items, sums, tree = self._play_items, self._sums, self.tree
        places = np.array(roles)

        def judge(count: int) -> None:
            values = leaves.values(rows[:count])
            sums[np.ix_(items[:count], places)] = np.rint(values * (layout.FULL_GOAL * layout.POINT))

        self._judge = Callback(judge, 1, lambda: tree.set("STOP", 1))
        self._set(JUDGE=self._judge.address)

    def search(self, rounds: int) -> int:
        """Search for so many batches; other threads of Python run meanwhile. Returns how many were done.

        Raises:
            EvaluatorFailed: the evaluator of leaves has failed; what is in the tree means nothing any more.
        """
        done = int(self._search(self.plan.ctypes.data, rounds))
        if self._judge is not None:
            self._judge.check()
        return done

    def plant(self, state: bytes) -> int:
        """The node of a state, a new one if need be; negative where there is no memory for it."""
        self.rows[0] = np.frombuffer(state, "<i8")
        return int(self._plant(self.plan.ctypes.data))

    def make_room(self) -> None:
        """See `FlatTree.make_room`."""
        self.tree.make_room(self.code, self.plan.ctypes.data)

    def get(self, name: str) -> int:
        """A word of the plan."""
        return int(self.plan[layout.WORKER_FIELD[name]])

    def buffer(self, name: str, count: int) -> list[int]:
        """The first numbers of a buffer of halves."""
        from ctypes import c_int32

        return list((c_int32 * count).from_address(self.get(name)))

    def forget_find(self) -> None:
        """Look for better playouts again."""
        self._set(FOUND_ITEM=-1, FOUND_LANE=-1)

    def forget_free(self) -> None:
        """Drop the list of free nodes, whose numbers mean something else now."""
        self._set(FREE_COUNT=0)

    def _set(self, **values: int) -> None:
        for name, value in values.items():
            self.plan[layout.WORKER_FIELD[name]] = value

    def _array(self, array: np.ndarray[tuple[int, ...], np.dtype[np.int32 | np.int64 | np.uint64]]) -> int:
        self._kept.append(array)
        return int(array.ctypes.data)

    def _buffer(self, count: int) -> int:
        return self._array(np.zeros(max(1, count), np.int64))
