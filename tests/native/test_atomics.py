"""Elements that several threads change at the same time."""

from __future__ import annotations

import threading
from ctypes import c_int64, c_void_p

import numpy as np
import pytest
from support.native import entry, library

from ggtp.native.compile import module_text
from ggtp.native.kinds import NotNative
from ggtp.native.language import Halves, Reals, Words, add, get, halves, put, swap


def count_up(cell: Words, times: int) -> None:
    for _ in range(times):
        add(cell, 0, 1)
        small = halves(cell)
        add(small, 2, 1)


def exchange(cell: Halves) -> int:
    put(cell, 1, 5)
    first = swap(cell, 1, 5, 9)
    second = swap(cell, 1, 5, 7)
    return 100 * first + 10 * second + get(cell, 1)


@pytest.mark.parametrize("shared", [False, True])
def test_an_element_is_exchanged_only_if_it_is_what_was_expected(shared: bool) -> None:
    cell = np.zeros(4, np.int32)
    assert entry(library(exchange, shared=shared), exchange)(cell) == 500 + 90 + 9
    assert cell.tolist() == [0, 9, 0, 0]


def test_threads_lose_nothing_of_what_they_add() -> None:
    made = library(count_up, shared=True)
    run = made.function("count_up", None, c_void_p, c_int64)
    cell = np.zeros(2, np.int64)
    threads = [threading.Thread(target=run, args=(cell.ctypes.data, 200_000)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert cell.tolist() == [800_000, 800_000]


def real(cell: Reals) -> int:
    return add(cell, 0, 1)


def by_a_real(cell: Words) -> int:
    return add(cell, 0, 0.5)  # type: ignore[arg-type]


@pytest.mark.parametrize("function", [real, by_a_real])
def test_only_integers_can_be_changed_in_one_step(function) -> None:
    with pytest.raises(NotNative, match=function.__name__):
        module_text([function], {}, shared=True)
