"""Python that becomes machine code computes what Python computes."""

from __future__ import annotations

import math
from enum import Enum, IntEnum

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="the compiler is not installed")

from ggtp.native.kinds import NotNative
from ggtp.native.language import copy_numbers
from ggtp.native.marked import module_text
from ggtp.vgdl.kernel import layout, sprites
from ggtp.vgdl.kernel.native import Floats, Ints, Longs, Native, compiled


class Turn(IntEnum):
    LEFT = -1
    RIGHT = 1


class Word(Enum):
    LEFT = "left"


STEP = 3
WEIGHT = 0.25
NUMBERS = (-(1 << 40), -33, -32, -1, 0, 1, 7, 31, 32, 1 << 40)


@compiled
def quotient(one: int, two: int) -> int:
    return one // two


@compiled
def remainder(one: int, two: int) -> int:
    return one % two


@compiled
def shifted(one: int, two: int) -> int:
    return one >> (two & 31)


@compiled
def distance(one: int, two: int) -> int:
    return abs(one - two) + STEP


@compiled
def between(one: int, two: int) -> bool:
    return -40 <= one < two


@compiled
def swapped(one: int, two: int) -> tuple[int, int]:
    return two, one


@compiled
def taken_apart(one: int, two: int) -> int:
    other, same = swapped(one, two)
    other, same = same, other
    return other * 3 - same


@compiled
def mixed(one: int, two: int) -> int:
    v = np.uint64(one)
    v ^= v << np.uint64(13)
    v ^= v >> np.uint64(7)
    return np.int64(v % np.uint64((two & 1023) + 1))  # type: ignore[return-value]


@compiled
def weighted(one: int, two: int) -> float:
    value = math.sqrt(float(abs(one))) * WEIGHT
    return value if value < np.inf else -np.inf


@compiled
def way(one: int, two: int) -> int:
    x, y = sprites.direction(one & 3)
    return x * 10 + y + layout.RECORD


@compiled
def turned(one: int, two: int) -> int:
    return one * Turn.LEFT if two == Turn.RIGHT else two - Turn.LEFT


@pytest.mark.parametrize(
    "function", [quotient, remainder, shifted, distance, between, taken_apart, weighted, way, turned]
)
def test_it_computes_what_python_computes(function) -> None:
    for one in NUMBERS:
        for two in NUMBERS:
            if two or function not in (quotient, remainder):
                assert function(one, two) == function.plain(one, two), (one, two)


def test_numbers_without_a_sign_are_those_of_64_bits() -> None:
    for one in NUMBERS:
        v = one % (1 << 64)
        v ^= v << 13 & (1 << 64) - 1
        v ^= v >> 7
        assert mixed(one, 1022) == v % 1023


def test_what_is_divided_by_nothing_ends_nobody() -> None:
    assert remainder(7, 0) == 0


@compiled
def total(numbers: Ints, more: Longs, rates: Floats) -> float:
    found = 0.0
    for i in range(numbers.size):
        if numbers[i] < 0:
            continue
        found += numbers[i] * rates[i % rates.size]
        more[0] += 1
    return found


def test_arrays_know_their_length() -> None:
    more = np.zeros(1, np.int64)
    found = total(np.array([4, -1, 6], np.int32), more, np.array([0.5, 2.0]))
    assert found == 5.0
    assert more[0] == 2


@compiled
def copied(target: Ints, source: Ints, count: int) -> None:
    copy_numbers(target, source, count)


def test_memory_is_copied_as_far_as_it_is_told() -> None:
    target, source = np.zeros(4, np.int32), np.arange(1, 5, dtype=np.int32)
    copied(target, source, 3)
    assert target.tolist() == [1, 2, 3, 0]
    copied.plain(target, source, 4)  # type: ignore[attr-defined]
    assert target.tolist() == [1, 2, 3, 4]


def unknown_name(one: int) -> int:
    return one + NOWHERE  # type: ignore[name-defined]  # noqa: F821


def text(one: int) -> int:
    return len(str(one))


def two_kinds(one: int) -> int:
    return np.uint64(one) + one  # type: ignore[return-value]


def no_array(one: int) -> float:
    return total(one, one, one)  # type: ignore[arg-type]


def not_two(one: int) -> int:
    a, b = abs(one)
    return a + b  # type: ignore[has-type]


def no_member(one: int) -> int:
    return one + Turn.UP  # type: ignore[attr-defined]


def no_integer(one: int) -> int:
    return one + Word.LEFT  # type: ignore[operator]


@pytest.mark.parametrize("function", [unknown_name, text, two_kinds, no_array, not_two, no_member, no_integer])
def test_what_it_does_not_know_is_refused(function) -> None:
    with pytest.raises(NotNative, match=function.__name__):
        module_text([Native(function)])
