"""Machine code that checks what it does."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from typing import Any, cast

import numpy as np
import pytest
from support.native import checked_library, entry

from ggtp.native.checks import CheckedLibrary, CheckFailed, SiteList, wanted
from ggtp.native.language import Halves, Words, address, halves, words
from ggtp.native.marked import module_text
from ggtp.vgdl.kernel.native import Ints, Native, compiled


class Memory:
    def __init__(self, *arrays: Any) -> None:
        self.arrays = arrays

    def extents(self) -> Iterator[tuple[int, int]]:
        return ((array.ctypes.data, array.ctypes.data + array.nbytes) for array in self.arrays)


def read(plan: Words, place: int) -> int:
    row = words(plan[0])
    return row[place]


def write(plan: Words, place: int) -> int:
    row = halves(address(words(plan[0]), place))
    row[1] = 7
    return deeper(row, place)


def deeper(row: Halves, place: int) -> int:
    found = row[place]
    row[0] = 1
    return found


def nothing(place: int) -> int:
    return words(0)[place]


def computed(one: int, two: int) -> int:
    return one // two + (one << two)


def converted(one: float) -> int:
    return int(one)


def counted(step: int) -> int:
    for i in range(0, 3, step):
        return i
    return -1


def line_of(function: Any, lines: int) -> str:
    return rf"test_checks.py:{function.__code__.co_firstlineno + lines}: in {function.__name__}: "


@pytest.fixture
def plan() -> tuple[Any, Any]:
    row = np.arange(8, dtype=np.int64)
    return np.array([row.ctypes.data], np.int64), row


@pytest.fixture(scope="module")
def code() -> CheckedLibrary:
    return checked_library(read, write, deeper, nothing, computed, converted, counted)


def test_an_index_outside_of_watched_memory_is_an_error(code: CheckedLibrary, plan: tuple[Any, Any]) -> None:
    array, row = plan
    memory = Memory(array, row)
    code.watch(memory)
    assert [entry(code, read)(array, place) for place in (0, 7)] == [0, 7]
    for place in (-1, 8, 1 << 40):
        with pytest.raises(
            CheckFailed, match=line_of(read, 2) + rf"index {place} is outside of the memory: row\[place\]"
        ):
            entry(code, read)(array, place)


def test_what_follows_a_failed_check_is_not_done(code: CheckedLibrary, plan: tuple[Any, Any]) -> None:
    array, row = plan
    memory = Memory(array, row)
    code.watch(memory)
    with pytest.raises(CheckFailed, match=line_of(deeper, 1) + "index 2"):
        entry(code, write)(np.array([array[0] + 5 * 8]), 2)
    assert row[7] == 7 << 32 | 7
    with pytest.raises(CheckFailed, match=line_of(write, 1) + "index 9"):
        entry(code, write)(array, 9)
    with pytest.raises(CheckFailed, match=line_of(write, 2)):
        entry(code, write)(array, 8)
    assert row.tolist() == [0, 1, 2, 3, 4, 5, 6, 7 << 32 | 7]


def test_memory_is_watched_as_long_as_its_owner_lives(code: CheckedLibrary, plan: tuple[Any, Any]) -> None:
    array, row = plan
    owner = Memory(row[:4])
    code.watch(owner)
    with pytest.raises(CheckFailed):
        entry(code, read)(array, 4)
    del owner
    gc.collect()
    assert entry(code, read)(array, 4) == 4


def test_nothing_is_no_memory(code: CheckedLibrary) -> None:
    with pytest.raises(CheckFailed, match="index 3"):
        entry(code, nothing)(3)


def test_numbers_are_checked(code: CheckedLibrary) -> None:
    assert entry(code, computed)(7, 2) == computed(7, 2)
    with pytest.raises(CheckFailed, match=line_of(computed, 1) + "a division of 7 by 0: one // two"):
        entry(code, computed)(7, 0)
    with pytest.raises(CheckFailed, match="a shift by 64: one << two"):
        entry(code, computed)(7, 64)
    with pytest.raises(CheckFailed, match="beyond 64 bits"):
        entry(code, converted)(1e19)
    with pytest.raises(CheckFailed, match="steps of 0"):
        entry(code, counted)(0)


def test_every_call_that_is_under_way_has_the_error(code: CheckedLibrary) -> None:
    failures: list[str] = []

    def run() -> None:
        try:
            entry(code, computed)(7, 0)
        except CheckFailed as failure:
            failures.append(str(failure))

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(failures) == 8
    assert entry(code, computed)(7, 1) == 21


@compiled
def third(numbers: Ints, place: int) -> int:
    numbers[place] += 1
    return numbers.size


def test_arrays_know_their_bounds() -> None:
    sites = SiteList()
    function = cast(Native, third)
    function.enter(CheckedLibrary(module_text([function], sites), sites), True)
    numbers = np.zeros(3, np.int32)
    assert third(numbers, 2) == 3
    for place in (3, -1):
        with pytest.raises(CheckFailed, match=rf"in third: index {place} is outside of an array of 3 elements"):
            third(numbers, place)
    assert numbers.tolist() == [0, 0, 1]


def test_the_environment_asks_for_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    for value, expected in (("1", True), ("0", False), ("", False)):
        monkeypatch.setenv("GGTP_CHECK_NATIVE", value)
        assert wanted() is expected
