"""A set of rows: the same as a set of Python's, also where numbers clash."""

from __future__ import annotations

import numpy as np
import pytest

from ggtp.asp import known as module
from ggtp.asp.known import Known
from ggtp.asp.space import Words


def rows(values: list[tuple[int, int]]) -> Words:
    return np.array(values, np.uint64).reshape(len(values), 2)


def poor(states: Words, mask: Words | None = None) -> Words:
    """Numbers that clash all the time."""
    numbers: Words = states[:, 0] % np.uint64(3)
    return numbers


@pytest.mark.parametrize("clashing", [False, True])
def test_it_is_a_set(monkeypatch: pytest.MonkeyPatch, clashing: bool) -> None:
    if clashing:
        monkeypatch.setattr(module, "hashed", poor)
    rng = np.random.default_rng(2)
    known, met = Known(exact=True), set[tuple[int, ...]]()
    for _ in range(12):
        batch = rng.integers(0, 6, (40, 2)).astype(np.uint64)
        found = batch[known.new(batch)]
        fresh = [tuple(row) for row in found.tolist()]
        missing = {tuple(row) for row in batch.tolist()} - met
        assert set(fresh) >= missing
        if not clashing:
            assert sorted(fresh) == sorted(missing)
        known.add(np.array(sorted(missing), np.uint64).reshape(-1, 2))
        met |= missing
        assert known.count == len(met)


def test_only_masked_bits_count() -> None:
    known = Known(np.array([0xFF, 0], np.uint64))
    known.add(rows([(1, 5)]))
    assert known.new(rows([(1, 6), (2, 6), (2, 7), (0x101, 0)])).tolist() == [1]
