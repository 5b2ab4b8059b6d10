"""Memory for machine code: where it lies, and what is in it."""

from __future__ import annotations

from ctypes import c_int64, c_uint64

import pytest

from ggtp.native.memory import ALIGNED, Longs, Slots

ALL = 0xFFFF_FFFF_FFFF_FFFF


@pytest.mark.parametrize("words", [1, 4, 16])
def test_slots_are_aligned_and_empty(words: int) -> None:
    slots = Slots(5, words)
    assert len(slots) == 5
    assert slots.address() % ALIGNED == 0
    assert slots.address(3) == slots.address() + 3 * 8 * words
    assert not any(slots.some(slot) for slot in range(5))


def test_what_is_written_is_where_machine_code_reads() -> None:
    slots = Slots(4, 2)
    slots.put(1, [1, ALL, 3])
    there = (c_uint64 * 8).from_address(slots.address())
    assert list(there) == [0, 0, 1, ALL, 3, 0, 0, 0]
    there[7] = 9
    assert slots.get(3) == [0, 9]
    assert slots.some(3)
    slots.fill(1, 7, 2)
    assert list(there) == [0, 0, 7, 7, 7, 7, 0, 9]
    slots.fill(3, 0)
    assert not slots.some(3)


def test_nothing_is_written_beyond_the_end() -> None:
    slots = Slots(2, 2)
    with pytest.raises(ValueError, match=r"."):
        slots.put(1, [1, 2, 3])
    with pytest.raises(ValueError, match=r"."):
        slots.fill(0, 1, 3)
    assert [slots.get(slot) for slot in (0, 1)] == [[0, 0], [0, 0]]


def test_an_array_is_the_same_memory() -> None:
    slots = Slots(3, 4)
    array = slots.array()
    assert array.shape == (3, 4)
    array[2] = ALL
    assert slots.get(2) == [ALL] * 4
    slots.fill(1, 5)
    assert array[1].tolist() == [5] * 4


def test_numbers_are_where_machine_code_reads() -> None:
    longs = Longs([3, -1, 1 << 40])
    there = (c_int64 * 3).from_address(longs.address)
    assert list(there) == [3, -1, 1 << 40]
    there[0] = 8
    assert longs.numbers.tolist() == [8, -1, 1 << 40]
    assert len(longs) == 3
    assert len(Longs([])) == 0
