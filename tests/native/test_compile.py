"""Modules of functions that become machine code."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from support.native import entry, library

from ggtp.native.compile import module_text
from ggtp.native.kinds import NotNative
from ggtp.native.language import Reals, Words

LIMIT = 40


def collatz(start: int) -> int:
    """Loops, conditions and integers."""
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


def caller(a: int) -> int:
    return collatz(a) + collatz(a + 1)


def mean(values: Reals, count: int) -> float:
    total = 0.0
    for i in range(count):
        total += values[i]
    values[0] = total
    return total / count


def test_functions_call_each_other_and_use_constants() -> None:
    made = library(collatz, caller, LIMIT=LIMIT)
    assert [entry(made, collatz)(n) for n in (1, 6, 7, 27)] == [collatz(n) for n in (1, 6, 7, 27)]
    assert entry(made, caller)(9) == caller(9)
    assert entry(library(collatz, LIMIT=3), collatz)(27) == 4


def test_it_reads_and_writes_memory() -> None:
    made = library(sieve, mean)
    flags, other = np.zeros(100, np.int64), np.zeros(100, np.int64)
    assert entry(made, sieve)(flags, 100) == sieve(other, 100) == 25
    assert (flags == other).all()
    values = np.array([1.0, 2.0, 6.0])
    assert entry(made, mean)(values, 3) == 3.0
    assert values[0] == 9.0


def default(a: int, b: int = 1) -> int:
    return a + b


def by_name(a: int, *, b: int) -> int:
    return a + b


def any_number(*a: int) -> int:
    return 0


def only_by_place(a: int, /) -> int:
    return a


@cache
def decorated(a: int) -> int:
    return a


async def later(a: int) -> int:
    return a


def foreign(a: int) -> int:
    return sieve(a, 1)  # type: ignore[arg-type]


HEADS = [default, by_name, any_number, only_by_place, decorated.__wrapped__, later, foreign]


@pytest.mark.parametrize("function", HEADS)
def test_what_it_does_not_have_is_refused(function: Any) -> None:
    with pytest.raises(NotNative, match=rf"test_compile.py:\d+: .*{function.__name__}"):
        module_text([function], {}, shared=False)


def test_only_code_that_is_asked_to_check_has_checks() -> None:
    assert "native." not in module_text([sieve, collatz, mean], {"LIMIT": 1}, shared=True)
