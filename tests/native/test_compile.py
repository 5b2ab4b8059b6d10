"""The small part of Python as machine code, compared with the same functions run by Python itself."""

from __future__ import annotations

import math
import threading
from ctypes import c_double, c_int64, c_void_p
from typing import Any

import numpy as np
import pytest

from ggtp.native.compile import (
    Halves,
    NotNative,
    Reals,
    Words,
    add,
    get,
    halves,
    log,
    lowest,
    module_text,
    ones,
    put,
    sqrt,
    swap,
    words,
)
from ggtp.native.machine import Effort, Library, compile_text

LIMIT = 40


def library(*functions: Any, shared: bool = False) -> Library:
    return compile_text(module_text(functions, {"LIMIT": LIMIT, "HALF": 0.5}, shared=shared), Effort.PASSES)


def collatz(start: int) -> int:
    """Loops, conditions and whole numbers."""
    steps = 0
    while start != 1:
        start = start // 2 if start % 2 == 0 else 3 * start + 1
        steps += 1
        if steps > LIMIT:
            break
    return steps


def sieve(flags: Words, count: int) -> int:
    """Nested loops, `continue`, and memory."""
    found = 0
    for i in range(2, count):
        if flags[i]:
            continue
        found += 1
        for k in range(i * i, count, i):
            flags[k] = 1
    return found


def logic(a: int, b: int) -> int:
    """What is connected is not looked at once it is decided: the division by zero does not happen."""
    safe = b == 0 or a // b > 2
    both = not safe and a > 1
    return (10 if safe else 20) + both + min(a, b) + max(a, 7) + (a & b | 8 ^ 1) + (~a & 3) + -b


def caller(a: int) -> int:
    return collatz(a) + collatz(a + 1)


def real(a: float, b: int) -> float:
    """Floating numbers, and what they have in common with whole ones."""
    c = a * b + 0.25
    c /= 2
    return -c if c < 1 else c + int(a)


def roots(a: float) -> float:
    return sqrt(a) + log(a)


def bits(a: int) -> int:
    return 100 * ones(a) + lowest(a)


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


def mean(values: Reals, count: int) -> float:
    total = 0.0
    for i in range(count):
        total += values[i]
    values[0] = total
    return total / count


def test_it_computes_what_python_computes() -> None:
    made = library(collatz, caller, logic, real)
    run = made.function("collatz", c_int64, c_int64)
    assert [run(n) for n in (1, 6, 7, 27)] == [collatz(n) for n in (1, 6, 7, 27)]
    assert made.function("caller", c_int64, c_int64)(9) == caller(9)
    logical = made.function("logic", c_int64, c_int64, c_int64)
    for a in range(9):
        for b in range(4):
            assert logical(a, b) == logic(a, b), (a, b)
    floating = made.function("real", c_double, c_double, c_int64)
    for number, power in ((0.5, 1), (2.5, 3), (-1.5, 2)):
        assert floating(number, power) == real(number, power)


def test_it_reads_and_writes_memory() -> None:
    made = library(sieve, mean)
    flags, other = np.zeros(100, np.int64), np.zeros(100, np.int64)
    assert made.function("sieve", c_int64, c_void_p, c_int64)(flags.ctypes.data, 100) == sieve(other, 100) == 25
    assert (flags == other).all()
    values = np.array([1.0, 2.0, 6.0])
    assert made.function("mean", c_double, c_void_p, c_int64)(values.ctypes.data, 3) == 3.0
    assert values[0] == 9.0


def test_functions_of_the_processor() -> None:
    made = library(roots, bits)
    assert made.function("roots", c_double, c_double)(9.0) == pytest.approx(3 + math.log(9))
    assert made.function("bits", c_int64, c_int64)(0b101000) == 203


@pytest.mark.parametrize("shared", [False, True])
def test_an_element_is_exchanged_only_if_it_is_what_was_thought(shared: bool) -> None:
    cell = np.zeros(4, np.int32)
    assert library(exchange, shared=shared).function("exchange", c_int64, c_void_p)(cell.ctypes.data) == 500 + 90 + 9


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


def wrong_type(a: Words) -> int:
    a = words(a)
    b = 1
    b = 0.5  # type: ignore[assignment]
    return b


def unknown_name(a: int) -> int:
    return a + nothing  # type: ignore[name-defined]  # noqa: F821


def too_much(a: int) -> int:
    return sum(k for k in range(a))


def no_types(a):
    return a


@pytest.mark.parametrize("function", [wrong_type, unknown_name, too_much, no_types])
def test_what_it_does_not_have_is_refused(function: Any) -> None:
    with pytest.raises(NotNative):
        module_text([function], {}, shared=False)
