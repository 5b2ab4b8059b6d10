"""How a playout in the lanes of a kernel went, found out afterwards: for games of one player.

The kernel tells only how its games end. Its random numbers are known, though, so that a game can be played once
more step by step; and from one state to the next there is a move that leads from the one to the other.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ggtp.gdl.kernel import PlayoutKernel
from ggtp.gdl.kernel_single import StateKernel, rows, states

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
