"""Operators of machine code, compared with Python's own."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.native import native

from ggtp.native.compile import module_text
from ggtp.native.kinds import NotNative
from ggtp.native.language import logical_shift

LEAST, MOST = -(1 << 63), (1 << 63) - 1
WORDS = st.one_of(st.integers(LEAST, MOST), st.integers(-100, 100), st.sampled_from([LEAST, MOST, -1, 0, 1]))
SMALL = st.integers(-(1 << 30), 1 << 30)
COUNTS = st.integers(0, 63)
REALS = st.floats(allow_nan=False, width=32)


def wrapped(number: int) -> int:
    return (number - LEAST) % (1 << 64) + LEAST


def quotient(one: int, two: int) -> int:
    return one // two


def remainder(one: int, two: int) -> int:
    return one % two


def by_constants(one: int, two: int) -> int:
    return (one // 8) ^ (one % 8 * 3) ^ (two // 7) ^ (two % 7 * 5) ^ (one // -3) ^ (two % -3) ^ (one % -1) ^ (two // 1)


def by_minus_one(one: int, two: int) -> int:
    return one // -1 + two


def mixture(one: int, two: int) -> int:
    return (one + two * 3 - (one & two) | one ^ two) + ~one - -two


def shifted(one: int, count: int) -> int:
    return (one >> count) ^ (one << 5 >> 3)


def shifted_left(one: int, count: int) -> int:
    return one << count


def shifted_logically(one: int, count: int) -> int:
    return logical_shift(one, count)


def compared(one: int, two: int) -> int:
    return (one < two) + 2 * (one <= two) + 4 * (one > two) + 8 * (one >= two) + 16 * (one == two) + 32 * (one != two)


def compared_reals(one: float, two: float) -> int:
    return (one < two) + 2 * (one <= two) + 4 * (one > two) + 8 * (one >= two) + 16 * (one == two) + 32 * (one != two)


def extremes(one: int, two: int) -> int:
    return min(one, two) * 3 + max(one, two) + min(7, one, two, -5) + max(one, 9, two) + abs(one) - abs(two)


def real_extremes(one: float, two: float) -> float:
    return min(one, two, 3) * 2 - max(one, two) + abs(one)


def reals(one: float, two: float) -> float:
    return (one + two) * 2 - one / 4.0 + -two


def divided(one: int, two: int) -> float:
    return one / two


def truncated(one: float) -> int:
    return int(one) + int(one / 2)


def agrees(function: Callable[..., Any], *args: Any) -> None:
    """Whether machine code and Python, whose result wraps, compute the same."""
    if function not in made:
        made[function] = native(function)
    expected = function(*args)
    found = made[function](*args)
    assert found == (wrapped(expected) if isinstance(expected, int) else expected)


made: dict[Callable[..., Any], Callable[..., Any]] = {}


@given(WORDS, WORDS)
@example(LEAST, -1)
def test_division_rounds_down(one: int, two: int) -> None:
    if two:
        agrees(quotient, one, two)
        agrees(remainder, one, two)
    agrees(by_constants, one, two)
    agrees(by_minus_one, one, two)


def test_a_division_by_nothing_ends_no_program() -> None:
    assert native(quotient)(7, 0) == 7
    assert native(remainder)(-7, 0) == 0


@given(WORDS, WORDS)
def test_integers_wrap_around(one: int, two: int) -> None:
    agrees(mixture, one, two)
    agrees(extremes, one, two)
    agrees(compared, one, two)


@given(WORDS, COUNTS)
def test_a_shift_repeats_the_sign_unless_it_is_logical(one: int, count: int) -> None:
    agrees(shifted_left, one, count)
    agrees(shifted_logically, one, count)
    assert native_shift(one, count) == (one >> count) ^ (wrapped(one << 5) >> 3)


native_shift = native(shifted)


def test_the_count_of_a_shift_is_taken_modulo_64() -> None:
    assert native(shifted_left)(3, 65) == 6
    assert native(shifted_logically)(8, -63) == 4


@given(REALS, REALS)
def test_floating_point_numbers(one: float, two: float) -> None:
    agrees(compared_reals, one, two)
    for function in (reals, real_extremes):
        if not math.isnan(function(one, two)):
            agrees(function, one, two)


@given(SMALL, SMALL)
def test_true_division_of_integers_gives_a_floating_point_number(one: int, two: int) -> None:
    if two:
        agrees(divided, one, two)


@given(st.floats(-(2.0**62), 2.0**62))
def test_conversion_goes_towards_nothing(one: float) -> None:
    agrees(truncated, one)


def test_what_no_word_can_hold_is_the_nearest_that_one_can() -> None:
    def kept(one: float) -> int:
        return int(one)

    assert [native(kept)(one) for one in (1e30, -math.inf, math.nan)] == [MOST, LEAST, 0]


def mixed(one: int, two: int) -> int:
    v = np.uint64(one)
    v ^= v >> np.uint64(7)
    v = v * np.uint64(0xBF58476D1CE4E5B9) // np.uint64(3) % np.uint64((two & 1023) + 1)
    return np.int64(v if v < np.uint64(900) else ~v)  # type: ignore[return-value]


@given(WORDS, WORDS)
@pytest.mark.filterwarnings("ignore:overflow")
def test_numbers_without_a_sign_are_those_of_numpy(one: int, two: int) -> None:
    if mixed not in made:
        made[mixed] = native(mixed)
    v = one % (1 << 64)
    v ^= v >> 7
    v = v * 0xBF58476D1CE4E5B9 % (1 << 64) // 3 % ((two & 1023) + 1)
    assert made[mixed](one, two) == (v if v < 900 else ~v)


def power(one: int) -> int:
    return one**2


def real_quotient(one: float) -> float:
    return one // 2.0


def bits_of_a_real(one: float) -> float:
    return ~one  # type: ignore[operator]


def identity(one: int) -> int:
    return one is one


def by_nothing(one: int) -> int:
    return one % 0


def too_far(one: int) -> int:
    return one << 64


def two_kinds(one: int) -> int:
    return np.uint64(one) < one  # type: ignore[return-value]


def too_large(one: int) -> int:
    return one + 0x8000000000000000


REFUSED = [power, real_quotient, bits_of_a_real, identity, by_nothing, too_far, two_kinds, too_large]


@pytest.mark.parametrize("function", REFUSED)
def test_operators_without_a_meaning_are_refused(function: Callable[..., Any]) -> None:
    place = rf"test_operators.py:{function.__code__.co_firstlineno + 1}: in {function.__name__}: "
    with pytest.raises(NotNative, match=place):
        module_text([function], {}, shared=False)
