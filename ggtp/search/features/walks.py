"""Random games with everything that happened in them, many side by side: what features are learned from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ggtp.gdl.kernel.single import pack, rows
from ggtp.search.features.experiments import Laboratory, Rows

LANES = 64
LONGEST = 400
"""Moves after which a game is given up: nothing is learned from it."""


@dataclass(frozen=True, slots=True)
class Walk:
    """A game that is over."""

    states: Rows
    """All of them, the terminal one last."""
    moves: npt.NDArray[np.int32]
    """Of each state but the last, the move of whoever's turn it was."""
    movers: npt.NDArray[np.int64]
    """And whose turn that was."""
    goals: tuple[int, ...]


class Walks:
    """Games that go on from step to step."""

    def __init__(self, lab: Laboratory, seed: int, lanes: int = LANES) -> None:
        """So many games at a time, which begin where the rules begin."""
        network = lab.network
        self._lab, self._lanes = lab, lanes
        self._chance = np.random.default_rng(seed)
        self._first = rows([pack(network, network.initial)])[0]
        self._now = np.repeat(self._first[None], lanes, axis=0)
        self._past = np.zeros((lanes, LONGEST + 1, lab.states.row_words), np.uint64)
        self._moves = np.zeros((lanes, LONGEST + 1), np.int32)
        self._length = np.zeros(lanes, np.int64)

    def step(self) -> list[Walk]:
        """Make a move in every game; returns those that were over before."""
        lab = self._lab
        looks = lab.states.look_many(self._now)
        movers = lab.movers(self._now)
        legal = np.zeros((self._lanes, max(len(moves) for moves in lab.network.moves)), np.float32)
        for role in (0, 1):
            own = lab.legal_bits(looks, role)
            turn = movers == role
            legal[turn, : own.shape[1]] = own[turn]
        drawn = (self._chance.random(legal.shape, np.float32) + 1.0) * legal
        chosen = drawn.argmax(axis=1)
        stuck = ~(legal > 0).any(axis=1)
        over = []
        for lane in np.flatnonzero(looks.terminal).tolist():
            length = int(self._length[lane])
            states = np.concatenate([self._past[lane, :length], self._now[lane : lane + 1]])
            goals = tuple(map(int, looks.goals[lane]))
            over.append(Walk(states, self._moves[lane, :length].copy(), lab.movers(states[:-1]), goals))
        again = looks.terminal | stuck | (self._length >= LONGEST)
        for role in (0, 1):
            going = np.flatnonzero(~again & (movers == role))
            if len(going):
                self._past[going, self._length[going]] = self._now[going]
                self._moves[going, self._length[going]] = chosen[going]
                self._length[going] += 1
                self._now[going] = lab.after(self._now[going], role, chosen[going])
        self._now[again] = self._first
        self._length[again] = 0
        return over
