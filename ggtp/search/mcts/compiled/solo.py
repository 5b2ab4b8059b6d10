"""The best games of one player that were ever found, and how a playout in the lanes of a kernel went.

The kernel tells only how its games end. Its random numbers are known, though, so that a game can be played once
more step by step; and from one state to the next there is a move that leads from the one to the other.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ggtp.gdl.kernel.playouts import PlayoutKernel
from ggtp.gdl.kernel.single import StateKernel, rows, states
from ggtp.search.mcts.compiled import layout
from ggtp.search.mcts.compiled.tree import FlatTree
from ggtp.search.mcts.compiled.worker import Worker

Words = npt.NDArray[np.uint64]


def replay(
    kernel: PlayoutKernel, single: StateKernel, starts: Words, lane: int, generator: Words, goal: int
) -> list[int] | None:
    """The moves of the game in a lane, or None where they can't be found.

    Args:
        kernel: of the same code as the one that played; it is left anywhere.
        single: answers about single states.
        starts: the states from which its lanes played.
        lane: which of them.
        generator: the state of the random numbers before.
        goal: what came of it.
    """
    kernel.use_generator(generator)
    lag = kernel.entrance().lag
    needed = rows([single_mask(kernel)])[0]
    state = states(starts[lane : lane + 1])[0]
    now = starts
    moves: list[int] = []
    for _ in range(10_000):
        look = single.look(state)
        if look.terminal:
            return moves if look.goals[0] == goal else None
        (legal,) = look.legal
        if not legal:
            return None
        kernel.run_from(now, max_steps=1 - lag)
        now = kernel.lane_states()[: len(starts)]
        after = single.next_many(np.repeat(rows([state]), len(legal), axis=0), np.array(legal, np.int32)[:, None])
        fits = ((after & needed) == (now[lane] & needed)).all(axis=1)
        if not fits.any():
            # Lanes whose game is over may stand at the start again: then this was the last move.
            looks = single.look_many(after)
            fits = looks.terminal & (looks.goals[:, 0] == goal)
        if not fits.any():
            return None
        chosen = int(np.flatnonzero(fits)[0])
        moves.append(legal[chosen])
        state = states(after[chosen : chosen + 1])[0]
        # What the program does not need is not in its lanes, but the first states had it.
        now[lane] = after[chosen]
    return None


def single_mask(kernel: PlayoutKernel) -> bytes:
    """The facts that a kernel's program keeps, as the bits of a state."""
    bits = sum(1 << int(fact) for fact in kernel.program.facts)
    return bits.to_bytes(8 * kernel.row_words, "little")


class Plans:
    """Of states: the best goal that was ever found from there, and the move that begins the way to it."""

    def __init__(self, single: StateKernel) -> None:
        self._single = single
        self._found: dict[bytes, tuple[int, int]] = {}

    def get(self, state: bytes) -> tuple[int, int] | None:
        """The goal and the move; None where nothing was found."""
        return self._found.get(state)

    def goal(self, state: bytes) -> int:
        """The goal alone; negative where nothing was found."""
        return self._found.get(state, (-1, 0))[0]

    def collect(self, tree: FlatTree, workers: Sequence[Worker], kernel: PlayoutKernel, state: bytes) -> None:
        """Ask those who have found a better playout how it went, and remember it.

        Args:
            tree: nobody may be searching it.
            workers: its threads.
            kernel: of the same code as those that play.
            state: that of its root.
        """
        for worker in workers:
            item = worker.get("FOUND_ITEM")
            if item < 0:
                continue
            lane, goal = worker.get("FOUND_LANE"), tree.get("BEST")
            later: Sequence[int] | None = []
            if lane >= 0:
                first, count = worker.get("FOUND_CHUNK"), worker.get("FOUND_COUNT")
                starts = worker.play_rows[first : first + count].astype(np.uint64)
                later = replay(kernel.twin(), self._single, starts, lane, worker.saved, goal)
                item = worker.buffer("PLAY_ITEMS", worker.get("BATCH"))[item // worker.get("EACH")]
            worker.forget_find()
            if later is None:
                tree.set("BEST", self.goal(state))
                continue
            self._remember(state, [*_path(tree, worker, item), *later], goal)

    def _remember(self, state: bytes, moves: Sequence[int], goal: int) -> None:
        for move in moves:
            if self.goal(state) < goal:
                self._found[state] = goal, move
            state = self._single.next(state, [move])


def _path(tree: FlatTree, worker: Worker, item: int) -> list[int]:
    depth = worker.buffer("LENGTHS", item + 1)[item]
    pairs = worker.buffer("PATHS", 2 * (item * layout.DEEPEST + depth))[2 * item * layout.DEEPEST :]
    return [tree.edge(edge).move for edge in pairs[1::2]]
