"""A set of states that grows by thousands: which of others are in it, and which of them are the same."""

from __future__ import annotations

import numpy as np

from ggtp.asp.space import Bools, Ints, Words, hashed


class Known:
    """States that have been met."""

    def __init__(self, mask: Words | None = None, *, exact: bool = False) -> None:
        """An empty set.

        Args:
            mask: the bits in which states must differ to count as different.
            exact: keep the states themselves, so that two of them can't be mixed up; otherwise a number of 64 bits
                stands for each.
        """
        self._mask = mask
        self._exact = exact
        self._runs: list[tuple[Words, Ints]] = []
        """Numbers in order, and where the states are; each run is at least twice as long as the next."""
        self._rows: Words | None = None
        self.count = 0

    def new(self, states: Words) -> Ints:
        """Which of the states are not in the set, each once, in order.

        Where numbers clash, an exact set may take a state that it has for a new one, never a new one for another.
        """
        numbers = hashed(states, self._mask)
        _, index, inverse = np.unique(numbers, return_index=True, return_inverse=True)
        first = np.zeros(len(states), np.bool_)
        first[index] = True
        if self._exact:
            first |= ~_same(states, states[index[inverse.reshape(-1)]], self._mask)
        found = np.flatnonzero(first)
        return found[~self._has(numbers[found], states[found])]

    def add(self, states: Words) -> None:
        """These are in the set from now on; none of them was before."""
        if not len(states):
            return
        numbers = hashed(states, self._mask)
        order = np.argsort(numbers)
        run = numbers[order], order + self.count
        if self._exact:
            self._store(states)
        self.count += len(states)
        while self._runs and len(self._runs[-1][0]) < 2 * len(run[0]):
            numbers, places = (np.concatenate(pair) for pair in zip(self._runs.pop(), run, strict=True))
            order = np.argsort(numbers, kind="stable")
            run = numbers[order], places[order]
        self._runs.append(run)

    def _has(self, numbers: Words, states: Words) -> Bools:
        result = np.zeros(len(numbers), np.bool_)
        for known, places in self._runs:
            at = np.minimum(np.searchsorted(known, numbers), len(known) - 1)
            hit = known[at] == numbers
            if self._exact and hit.any():
                assert self._rows is not None
                which = np.flatnonzero(hit)
                hit[which] = _same(states[which], self._rows[places[at[which]]], self._mask)
            result |= hit
        return result

    def _store(self, states: Words) -> None:
        if self._rows is None:
            self._rows = np.zeros((1024, states.shape[1]), np.uint64)
        if self.count + len(states) > len(self._rows):
            more = max(len(self._rows), self.count + len(states) - len(self._rows))
            self._rows = np.concatenate([self._rows, np.zeros((more, states.shape[1]), np.uint64)])
        self._rows[self.count : self.count + len(states)] = states


def _same(states: Words, others: Words, mask: Words | None) -> Bools:
    differences = states ^ others
    if mask is not None:
        differences &= mask
    result: Bools = np.logical_not(differences.any(axis=1))
    return result
