"""Experiments with states of a compiled game: what if this fact did not hold, or that one did?

All of them are done many at a time by the kernel for single states. States are rows of words, as it has them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ggtp.errors import GgtpError
from ggtp.gdl.kernel.single import Looks, StateKernel
from ggtp.gdl.network.network import RANDOM
from ggtp.gdl.program.turns import Turns, find_turns, invariants

Rows = npt.NDArray[np.uint64]
Flags = npt.NDArray[np.bool_]
Test = Callable[[Rows], Flags]
"""Says of each of many states whether it is what a move was to lead to."""

MOST_ABSENT = 4
"""If more facts than that would each spoil a move, they are not asked for: whoever takes the last piece takes one."""
MOST_PAIRED = 64
"""Facts of which pairs are tried."""
MOST_WAYS = 6
"""Features that are made of one state, where facts can stand in for each other."""


class NotSuitable(GgtpError):
    """The game is none for two players who take turns."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Which literals matter for a move: for what comes of it, and for its being legal."""

    needs: frozenset[int]
    legal: frozenset[int]


class Laboratory:
    """Asks one kernel, which must be nobody else's meanwhile."""

    def __init__(self, states: StateKernel) -> None:
        """A laboratory for a game.

        Raises:
            NotSuitable: it is none for two players who take turns.
        """
        self.states = states
        self.network = network = states.program.network
        known = invariants(network)
        turns = find_turns(network, known)
        if len(network.roles) != 2 or len(turns.turns) != 2 or not turns.complete or RANDOM in network.roles:
            raise NotSuitable("Features are learned in games of two players who take turns.")
        self.idle = [turn.idle for turn in sorted(turns.turns, key=lambda turn: turn.role)]
        facts = len(network.facts)
        self._masks = np.zeros((facts, states.row_words), np.uint64)
        for fact in range(facts):
            self._masks[fact, fact // 64] = np.uint64(1 << fact % 64)
        guard = sorted(turns.turns, key=lambda turn: turn.role)[0].guard
        self._guard = guard
        self._clock = _turn_facts(turns, known.alias, known.rings, facts)
        """Facts that say whose turn it is, or that never change: no feature needs them."""
        self._places = np.cumsum([0, *(len(moves) for moves in network.moves)])
        self.best = [max((value for value, _ in pairs), default=0) for pairs in network.goals]

    # Single questions about many states.

    def bits(self, rows: Rows) -> npt.NDArray[np.uint8]:
        """Which facts hold: a row for each state."""
        found = np.unpackbits(np.ascontiguousarray(rows, "<u8").view(np.uint8), axis=1, bitorder="little")
        return found[:, : len(self.network.facts)]

    def movers(self, rows: Rows) -> npt.NDArray[np.int64]:
        """Whose turn it is in each state."""
        first = np.zeros(len(rows), np.bool_)
        for literal in self._guard:
            fact = (literal >> 1) - 1
            holds = (rows[:, fact // 64] >> np.uint64(fact % 64) & np.uint64(1)).astype(np.bool_)
            first |= holds ^ bool(literal & 1)
        return np.where(first, 0, 1)

    def legal(self, looks: Looks, role: int, move: int) -> Flags:
        """In which of the states a move is legal."""
        place = int(self._places[role]) + move
        return (looks.legal[:, place // 64] >> np.uint64(place % 64) & np.uint64(1)).astype(np.bool_)

    def legal_bits(self, looks: Looks, role: int) -> npt.NDArray[np.uint8]:
        """A role's legal moves: a row for each state."""
        bits = np.unpackbits(looks.legal.astype("<u8").view(np.uint8), axis=1, bitorder="little")
        return bits[:, self._places[role] : self._places[role + 1]]

    def after(self, rows: Rows, role: int, moves: npt.NDArray[np.integer] | int) -> Rows:
        """Where a role's moves lead; the other one has nothing to decide."""
        joint = np.empty((len(rows), 2), np.int32)
        joint[:, role] = moves
        joint[:, 1 - role] = self.idle[1 - role]
        return self.states.next_many(rows, joint)

    def won(self, rows: Rows, role: int) -> Flags:
        """Which states are over, with the most that the role can get; whatever the other has in impossible states."""
        looks = self.states.look_many(rows)
        return np.asarray(looks.terminal & (looks.goals[:, role] == self.best[role]))

    def children(self, rows: Rows, role: int) -> tuple[Rows, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """All states that a role's moves lead to: rows, which state each comes from, and by which move."""
        looks = self.states.look_many(rows)
        which, moves = np.nonzero(self.legal_bits(looks, role) * ~looks.terminal[:, None])
        return self.after(rows[which], role, moves), which, moves

    def holds(self, rows: Rows, literals: Iterable[int]) -> Flags:
        """In which states all these literals hold."""
        width = self.states.row_words
        wanted, barred = np.zeros(width, np.uint64), np.zeros(width, np.uint64)
        for literal in literals:
            (barred if literal & 1 else wanted)[:] |= self._masks[literal >> 1]
        return np.asarray((((rows & wanted) == wanted) & ((rows & barred) == 0)).all(axis=1))

    def common(self, rows: Rows, literals: Iterable[int]) -> frozenset[int]:
        """Those of the literals that hold in all of the states."""
        named = sorted(literals)
        wanted = np.array(named, np.int64)
        always = np.all(self.bits(rows)[:, wanted >> 1] != (wanted & 1), axis=0)
        return frozenset(literal for literal, holds in zip(named, always.tolist(), strict=True) if holds)

    def timeless(self, literals: Iterable[int]) -> frozenset[int]:
        """Without those that only say whose turn it is."""
        return frozenset(literal for literal in literals if not self._clock[literal >> 1])

    # What matters for a move.

    def generalise(
        self, row: Rows, role: int, move: int, test: Test, absent: int = MOST_ABSENT
    ) -> list[Finding]:  # fmt: skip
        """What must hold so that a move is legal and does what it is to do; several ways where there are several.

        Facts are removed one at a time. A fact is needed if the test fails without it; or if the fact is back after
        the move, as then nothing can be said about the state without it. Where the needed facts alone are not enough,
        some can stand in for others, and pairs of them are removed. When only what is needed is left, facts that do
        not hold are added one at a time: those that spoil it must not hold.

        Args:
            absent: how many facts that must not hold are asked for at most; none where there are more.
        """
        here = np.flatnonzero(self.bits(row[None, :])[0] & ~self._clock)
        legal, after = self._tried(row ^ self._masks[here], role, move)
        good = test(after)
        back = self.bits(after)[np.arange(len(here)), here].astype(np.bool_)
        needed = ~good | back
        permits = ~legal & ~needed
        spare = here[~needed & ~permits].tolist()
        grants = [2 * fact for fact in here[permits].tolist()]
        found = []
        for way in self._ways(row, role, move, test, spare):
            bare = row.copy()
            for fact in set(spare) - way:
                bare &= ~self._masks[fact]
            spoils, bars = self._hindering(bare, role, move, test) if absent else ([], [])
            needs = [2 * fact for fact in [*here[needed].tolist(), *way]]
            needs += [2 * fact + 1 for fact in spoils] if len(spoils) <= absent else []
            legally = [*grants, *(2 * fact + 1 for fact in bars)] if len(bars) <= absent else grants
            found.append(Finding(frozenset(needs), frozenset(legally)))
        return found

    def _tried(self, rows: Rows, role: int, move: int) -> tuple[Flags, Rows]:
        """Whether a move is legal in each state, and where it leads, even if it is not."""
        return self.legal(self.states.look_many(rows), role, move), self.after(rows, role, move)

    def _hindering(self, row: Rows, role: int, move: int, test: Test) -> tuple[list[int], list[int]]:
        """Facts each of which would spoil a move, if it held, and those that would only make it illegal."""
        gone = np.flatnonzero(~(self.bits(row[None, :])[0].astype(np.bool_) | self._clock))
        legal, after = self._tried(row | self._masks[gone], role, move)
        good = test(after)
        return gone[~good].tolist(), gone[good & ~legal].tolist()

    def _ways(self, row: Rows, role: int, move: int, test: Test, spare: Sequence[int]) -> list[frozenset[int]]:
        """Sets of facts of which one is needed besides those that are needed anyway."""

        def works(without: Sequence[Sequence[int]]) -> Flags:
            rows = np.repeat(row[None, :], len(without), axis=0)
            for i, facts in enumerate(without):
                for fact in facts:
                    rows[i] &= ~self._masks[fact]
            legal, after = self._tried(rows, role, move)
            return np.asarray(legal & test(after))

        if not spare or works([spare])[0]:
            return [frozenset()]
        tried = spare[:MOST_PAIRED]
        pairs = [(one, two) for place, one in enumerate(tried) for two in tried[:place]]
        broken = [pair for pair, fine in zip(pairs, works(pairs), strict=True) if not fine] if pairs else []
        found: list[frozenset[int]] = []
        for first in dict.fromkeys(fact for pair in broken for fact in pair):
            way = self._least(spare, first, works)
            if way is not None and way not in found:
                found.append(way)
            if len(found) == MOST_WAYS:
                break
        if not found:
            way = self._least(spare, None, works)
            found = [way] if way is not None else [frozenset(spare)]
        return found

    @staticmethod
    def _least(
        spare: Sequence[int], first: int | None, works: Callable[[Sequence[Sequence[int]]], Flags]
    ) -> frozenset[int] | None:
        """Facts none of which can be spared any more, when this one was removed first; None if that can't be."""
        gone = [] if first is None else [first]
        if gone and not works([gone])[0]:
            return None
        rest = [fact for fact in spare if fact != first]
        size = max(1, len(rest) // 2)
        while rest:
            kept: list[int] = []
            for start in range(0, len(rest), size):
                part = rest[start : start + size]
                if works([[*gone, *part]])[0]:
                    gone += part
                else:
                    kept += part
            if size == 1:
                return frozenset(kept)
            rest, size = kept, max(1, size // 2)
        return frozenset()


def _turn_facts(turns: Turns, alias: Sequence[int], rings: Sequence[Sequence[int]], facts: int) -> Flags:
    clock = np.zeros(facts, np.bool_)
    said = {literal >> 1 for turn in turns.turns for literal in turn.guard}
    for ring in rings:
        if said & {1 + fact for fact in ring}:
            said |= {1 + fact for fact in ring}
    for fact, literal in enumerate(alias):
        clock[fact] = literal >> 1 in said or 1 + fact in said or literal < 2
    return clock
