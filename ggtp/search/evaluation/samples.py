"""Random games of a compiled game, many side by side, for those who learn from them.

Nobody waits for them: every `step` is short, and makes one move in each of the games. Where one is over, the next
begins in its place.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ggtp.gdl.kernel.single import StateKernel, pack, rows

LANES = 256
"""Games side by side: more would take longer, and fewer would not take less."""
FEWER = 1 << 16
"""Moves, legal or not, of all games together, beyond which there are fewer games, so that a step stays short."""
LONGEST = 512
"""Moves after which a game is given up: nothing is learned from it."""
EACH = 8
"""Positions of a game that are kept: those that follow each other are nearly the same."""


class Played(NamedTuple):
    """A game that is over."""

    states: npt.NDArray[np.uint64]
    """Some of its positions, a row each, without the last one."""
    goals: npt.NDArray[np.int32]
    """What each role got."""
    choices: npt.NDArray[np.int64]
    """For each of the positions, how many moves each role had, or had when it last had a choice; 0 before that."""
    moments: npt.NDArray[np.int64]
    """For each of the positions, how many moves were made before it."""


class RandomGames:
    """Games that go on from step to step. Not for two threads at once."""

    def __init__(self, states: StateKernel, seed: int) -> None:
        """Games that begin where the rules begin.

        Args:
            states: makes the moves; whoever calls `step` must have it for itself meanwhile.
            seed: what chance begins from.
        """
        network = states.program.network
        sizes = [len(moves) for moves in network.moves]
        places = np.cumsum([0, *sizes]).tolist()
        self._parts = list(pairwise(places))
        """Which of all moves are those of each role."""
        self._lanes = max(1, min(LANES, FEWER // max(1, sum(sizes))))
        self._kernel = states
        self._chance = np.random.default_rng(seed)
        self._first = rows([pack(network, network.initial)])[0]
        self._now = np.repeat(self._first[None], self._lanes, axis=0)
        self._past = np.zeros((self._lanes, LONGEST, states.row_words), np.uint64)
        self._length = np.zeros(self._lanes, np.int64)
        self._choices = np.zeros((self._lanes, len(sizes)), np.int64)
        self._past_choices = np.zeros((self._lanes, LONGEST, len(sizes)), np.int64)

    def step(self) -> list[Played]:
        """Make a move in every game; returns those that were over before."""
        looks = self._kernel.look_many(self._now)
        bits = np.unpackbits(looks.legal.astype("<u8").view(np.uint8), axis=1, bitorder="little")
        stuck = np.zeros(self._lanes, np.bool_)
        for role, (first, end) in enumerate(self._parts):
            count = bits[:, first:end].sum(axis=1, dtype=np.int64)
            stuck |= count == 0
            self._choices[:, role] = np.where(count > 1, count, self._choices[:, role])
        done = looks.terminal | stuck
        over = [self._played(lane, looks.goals[lane]) for lane in np.flatnonzero(done).tolist() if self._length[lane]]
        again = done | (self._length >= LONGEST)
        going = np.flatnonzero(~again)
        self._past[going, self._length[going]] = self._now[going]
        self._past_choices[going, self._length[going]] = self._choices[going]
        self._length[going] += 1
        drawn = self._chance.random(bits.shape, np.float32) + 1.0
        drawn *= bits
        chosen = [drawn[:, first:end].argmax(axis=1) for first, end in self._parts]
        self._now[going] = self._kernel.next_many(self._now[going], np.stack(chosen, axis=1)[going])
        self._now[again] = self._first
        self._length[again] = 0
        self._choices[again] = 0
        return over

    def _played(self, lane: int, goals: npt.NDArray[np.int32]) -> Played:
        length = int(self._length[lane])
        kept = np.sort(self._chance.permutation(length)[:EACH])
        return Played(self._past[lane, kept], goals.copy(), self._past_choices[lane, kept], kept)
