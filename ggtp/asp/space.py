"""The states of a one-player game as rows of bits, thousands at a time: what holds in them, and what follows.

It is the machine code of `gdl.kernel_single` with the arithmetic of whole arrays around it. A row is
a state; bits beyond the last fact are 0, so that equal states are equal rows.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ggtp.gdl.kernel.single import StateKernel, pack, rows
from ggtp.gdl.network.network import Network

Words = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

BLOCK = 1 << 18
"""How many states are made at a time, at most."""
LEAST_BLOCK = 1 << 10
BLOCK_BYTES = 128
"""What is needed for each of them besides its bits, about."""
MOST_DEPENDENCIES = 200_000_000
"""Gates times facts beyond which nobody asks which facts are clocks."""
LONGEST = 500

_COUNTS = np.array([number.bit_count() for number in range(256)], np.uint8)


class Look(NamedTuple):
    """What holds in some states."""

    alive: Bools
    goals: Ints
    """The greatest goal value that holds in each; 0 where none does."""
    legal: npt.NDArray[np.uint8]
    """A row of bits for each, eight moves in a byte, the first in the lowest bit."""

    def only(self, which: Ints | Bools) -> Look:
        """Of some of the states."""
        return Look(self.alive[which], self.goals[which], self.legal[which])


class Children(NamedTuple):
    """The states that follow some others."""

    rows: Words
    parents: Ints
    """For each, which of the others it follows."""
    moves: Ints


class Space:
    """The states of one game."""

    def __init__(
        self, network: Network, kernel: StateKernel, start: Sequence[int] | None = None, megabytes: int = 1024
    ) -> None:
        """A space.

        Args:
            network: a game of one player.
            kernel: answers for it.
            start: the facts of the state to begin with; None for where the game begins.
            megabytes: what states that follow others may take at a time, about.
        """
        self.network = network
        self.kernel = kernel
        self.first: Words = rows([pack(network, network.initial if start is None else start)])
        self._moves = len(network.moves[0])
        each = BLOCK_BYTES + 32 * self.first.shape[1]
        self._block = min(BLOCK, max(LEAST_BLOCK, (megabytes << 20) // each))
        self._parents = max(64, (megabytes << 20) // (8 * max(1, self._moves)))
        """So many states, of which each has a byte for each move, are looked at together."""
        self._values = [value for value, _ in network.goals[0]]

    def look(self, states: Words) -> Look:
        """What holds in each state."""
        bits = self.kernel.look_bits(states)
        over = _bit(bits, self.kernel.results - 1)
        goals = np.zeros(len(states), np.int64)
        for number, value in enumerate(self._values):
            np.maximum(goals, _bit(bits, self._moves + number) * value, out=goals)
        shown = bits.astype("<u8").view(np.uint8)[:, : max(1, -(-self._moves // 8))].copy()
        if self._moves % 8:
            shown[:, -1] &= (1 << self._moves % 8) - 1
        return Look(over == 0, goals, shown)

    def children(self, states: Words, look: Look) -> Iterator[Children]:
        """All states that follow these, of which none may be an end, some thousands at a time."""
        counts = mobility(look)
        ends = np.cumsum(counts)
        first = 0
        while first < len(states):
            before = ends[first - 1] if first else 0
            last = max(first + 1, int(np.searchsorted(ends, before + self._block, side="right")))
            last = min(last, first + self._parents)
            bits = np.unpackbits(look.legal[first:last], axis=1, bitorder="little")
            parents, moves = np.nonzero(bits)
            if len(parents):
                parents += first
                after = self.kernel.next_many(states[parents], moves[:, None])
                yield Children(after, parents, moves)
            first = last

    def clocks(self, rng: random.Random) -> Words | None:
        """A mask of all facts but those that only tell the time; None where there are no such facts.

        They depend on no move, and in a play each of them holds for one while at most; whose turn
        it is, which comes again, does not count.
        """
        free = set(_independent(self.network))
        if not free:
            return None
        runs, last = dict.fromkeys(free, 0), dict.fromkeys(free, False)
        state = self.first
        for _ in range(LONGEST):
            bits = np.unpackbits(state.astype("<u8").view(np.uint8)[0], bitorder="little")
            for fact in free:
                now = bool(bits[fact])
                runs[fact] += now and not last[fact]
                last[fact] = now
            look = self.look(state)
            moves = np.flatnonzero(np.unpackbits(look.legal[0], bitorder="little"))
            if not look.alive[0] or not len(moves):
                break
            state = self.kernel.next_many(state, np.array([[rng.choice(moves.tolist())]]))
        gone = [fact for fact in free if runs[fact] <= 1]
        return ~rows([pack(self.network, gone)])[0] if gone else None


def mobility(look: Look) -> Ints:
    """How many moves there are in each state."""
    return ones(look.legal)


def ones(bits: npt.NDArray[np.uint8]) -> Ints:
    """How many bits each row has."""
    result: Ints = _COUNTS[bits].sum(axis=1, dtype=np.int64)
    return result


def hashed(states: Words, mask: Words | None = None) -> Words:
    """A number for each state, the same for the same state; others differ, but for once in a blue moon."""
    value = np.full(len(states), 0x243F6A8885A308D3, np.uint64)
    with np.errstate(over="ignore"):
        for column in range(states.shape[1]):
            word = states[:, column] if mask is None else states[:, column] & mask[column]
            value = (value ^ word) * np.uint64(0x9E3779B97F4A7C15)
            value ^= value >> np.uint64(29)
            value = value * np.uint64(0xBF58476D1CE4E5B9)
            value ^= value >> np.uint64(32)
    return value


def _bit(bits: Words, number: int) -> Ints:
    result: Ints = (bits[:, number >> 6] >> np.uint64(number & 63) & np.uint64(1)).astype(np.int64)
    return result


def _independent(network: Network) -> list[int]:
    """The facts whose future depends on nothing but facts of this kind."""
    facts = len(network.facts)
    if len(network.gates) * max(1, facts) > MOST_DEPENDENCIES:
        return []
    moved = 1 << facts
    needs = [0, *(1 << fact for fact in range(facts)), *([moved] * (network.inputs - 1 - facts))]
    for one, two in network.gates:
        needs.append(needs[one >> 1] | needs[two >> 1])
    of_fact = [needs[literal >> 1] for literal in network.next]
    found = (1 << facts) - 1
    while True:
        kept = sum(1 << fact for fact in range(facts) if found >> fact & 1 and not of_fact[fact] & ~found)
        if kept == found:
            return [fact for fact in range(facts) if found >> fact & 1]
        found = kept
