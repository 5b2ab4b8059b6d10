"""Expressions of machine code, compared with Python's own."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.native import library, native

from ggtp.native.compile import module_text
from ggtp.native.kinds import NotNative
from ggtp.native.language import Halves, Words, address, call, halves, log, reals, sqrt, words

SMALL = st.integers(-5, 5)


def logic(one: int, two: int) -> int:
    """What is connected has the value of an operand, and is computed only if it is needed."""
    safe = two == 0 or one // two > 2
    both = one and two
    either = one or two or 7
    return (10 if safe else 20) + 3 * both + 5 * either + (not one) + (one < two) * 2 + (one < 2 and two)


def chained(one: int, two: int) -> int:
    found = 0
    if -3 <= one < two <= 4:
        found = 1
    return found + 2 * (one < two < 3) + 4 * (two != 0 and 10 // two > one > -2)


def kinds(one: int, two: float) -> float:
    """Values of two kinds become floating-point numbers."""
    found = one if two > 0 else two
    found = found + (two or one) + (0.5 if one else one)
    return found if one > 1 else 1


def computed(one: float) -> float:
    return sqrt(abs(one)) + math.sqrt(2.0) + log(abs(one) + 1.0) + float(3)


def several(one: int, two: int) -> int:
    return inner(one, two) - inner(two, one) * LIMIT


def inner(one: int, two: int) -> int:
    return one * 10 + two if one > 0 else inner(one + 5, two)


LIMIT = 4
native_logic, native_chained, native_kinds, native_computed = (
    native(logic),
    native(chained),
    native(kinds),
    native(computed),
)
native_several = native(several, inner, LIMIT=LIMIT)


@given(SMALL, SMALL)
def test_conditions_have_values(one: int, two: int) -> None:
    assert native_logic(one, two) == logic(one, two)
    assert native_chained(one, two) == chained(one, two)
    assert native_several(one, two) == several(one, two)


@given(SMALL, st.floats(-8, 8, width=32))
def test_integers_become_floating_point_numbers(one: int, two: float) -> None:
    assert native_kinds(one, two) == kinds(one, two)
    assert native_computed(two) == pytest.approx(computed(two))


def pointers(place: int) -> float:
    row = words(place)
    small = halves(address(row, 1))
    small[1] = small[0] - 3
    real = reals(address(row, 2))
    real[1] = real[0] * 2 + small[1]
    return real[1]


def test_memory_is_found_by_addresses() -> None:
    memory = np.zeros(4, np.int64)
    memory.view(np.int32)[2] = 10
    memory.view(np.float64)[2] = 1.25
    assert native(pointers)(memory.ctypes.data) == 9.5
    assert memory.view(np.int32)[3] == 7
    assert memory.view(np.float64)[3] == 9.5


def through(function: int, row: Words) -> None:
    call(function, row, 5)


def set_first(row: Words, value: int) -> None:
    row[0] = value


def test_a_function_is_called_by_its_address() -> None:
    code = library(set_first)
    row = np.zeros(1, np.int64)
    native(through)(code.address("set_first"), row)
    assert row[0] == 5


def unknown_name(one: int) -> int:
    return one + nowhere  # type: ignore[name-defined]  # noqa: F821


def unknown_function(one: int) -> int:
    return len(str(one))


def generator(one: int) -> int:
    return sum(k for k in range(one))


def keyword(one: int) -> int:
    return inner(one, two=1)


def starred(one: int) -> int:
    return inner(*(one, one))


def too_few(one: int) -> int:
    return inner(one)  # type: ignore[call-arg]


def too_many(one: int) -> int:
    return int(sqrt(one, 2))  # type: ignore[call-arg]


def wrong_kind(one: float) -> int:
    return inner(one, 1)  # type: ignore[arg-type]


def wrong_pointer(row: Halves) -> int:
    set_first(row, 1)
    return 1


def of_a_sequence(row: Words) -> int:
    return min(row)  # type: ignore[call-overload]


def no_pointer(one: int) -> int:
    return one[0]  # type: ignore[index]


def real_index(row: Words) -> int:
    return row[0.5]  # type: ignore[index]


def nothing_in_common(one: int, row: Words) -> int:
    found = row if one else one
    return found  # type: ignore[return-value]


def truth_of_a_pointer(row: Words) -> int:
    return 1 if row else 0


def walrus(one: int) -> int:
    return (two := one) + two


def text(one: int) -> int:
    return one + "1"  # type: ignore[operator]


def variable(one: int) -> int:
    inner = one
    return inner(1)  # type: ignore[operator]


def part(row: Words) -> int:
    return row[1:2]  # type: ignore[index]


REFUSED = [
    unknown_name, unknown_function, generator, keyword, starred, too_few, too_many, wrong_kind, wrong_pointer,
    of_a_sequence, no_pointer, real_index, nothing_in_common, truth_of_a_pointer, walrus, text, variable, part,
]  # fmt: skip


@pytest.mark.parametrize("function", REFUSED)
def test_expressions_without_a_meaning_are_refused(function: Callable[..., Any]) -> None:
    with pytest.raises(NotNative, match=rf"test_expressions.py:\d+: in {function.__name__}: "):
        module_text([function, inner, set_first], {}, shared=False)
