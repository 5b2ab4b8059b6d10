"""Statements of machine code, compared with Python's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.native import native

from ggtp.native.compile import module_text
from ggtp.native.kinds import NotNative
from ggtp.native.language import Halves, Reals, Words

SMALL = st.integers(-20, 20)


def loops(first: int, end: int, step: int) -> int:
    total = 0
    last = -7
    for i in range(first, end, step):
        last = i
        if i % 5 == 3:
            continue
        i = i * 3
        for k in range(i):
            if k > 6:
                break
            total += k
        total = total * 3 + i
    for _ in range(0, end, 3):
        total += 1
    for i in range(end, first, -2):
        total ^= i
    return total * 31 + last


def ways(one: int, two: int) -> int:
    found = 0
    while one < two and found < 40:
        one += 1
        if one == 3:
            continue
        if one > 10:
            found += 100
            break
        if one % 2:
            found += one
        elif one % 3 == 0:
            found -= two
        else:
            pass
    if found > 20:
        return found
    else:
        found, one = one, found
    return found - 3 * one


def elements(row: Words, count: int) -> int:
    total = 0.5
    for i in range(count):
        row[i] += i
        row[i] *= 3
        row[total_of(row, i) % count] -= 1
        total += row[i]
        total /= 2
    return int(total * 64)


def total_of(row: Words, count: int) -> int:
    row[0] = row[0] + 1
    total = 0
    for i in range(count):
        total += row[i]
    return total


def annotated(one: int) -> float:
    two: float = one
    two = two / 4
    three: int = one + 1
    return two * three


@given(SMALL, SMALL, st.integers(1, 4) | st.integers(-4, -1))
def test_loops(first: int, end: int, step: int) -> None:
    assert native_loops(first, end, step) == loops(first, end, step)


@given(SMALL, SMALL)
def test_conditions(one: int, two: int) -> None:
    assert native_ways(one, two) == ways(one, two)


@given(st.lists(st.integers(-100, 100), min_size=1, max_size=6))
def test_an_element_that_changes_is_found_once(numbers: list[int]) -> None:
    row, other = numbers, np.array(numbers)
    assert native_elements(other, len(numbers)) == elements(row, len(numbers))
    assert row == other.tolist()


@given(SMALL)
def test_an_annotation_says_what_a_variable_is(one: int) -> None:
    assert native_annotated(one) == annotated(one)


native_loops, native_ways, native_annotated = native(loops), native(ways), native(annotated)
native_elements = native(elements, total_of)


def store(row: Halves, value: int) -> int:
    row[1] = value
    return row[1]


def test_a_half_has_32_bits() -> None:
    row = np.zeros(3, np.int32)
    assert native(store)(row, (5 << 32) - 2) == -2
    assert row.tolist() == [0, -2, 0]


def another_kind(one: int) -> float:
    one = 0.5  # type: ignore[assignment]
    return one


def another_annotation(one: float) -> float:
    two: int = one  # type: ignore[assignment]
    return two


def unknown_annotation(one: int) -> int:
    two: str = one  # type: ignore[assignment]
    return len(two)


def to_an_attribute(row: Words) -> int:
    row.first = 3  # type: ignore[attr-defined]
    return 1


def real_into_words(row: Words) -> int:
    row[0] = 0.5  # type: ignore[assignment]
    return 1


def nothing_assigned(row: Words) -> int:
    found = change(row)
    return found


def change(row: Words) -> None:
    row[0] = 1


def too_few(one: int) -> int:
    two, three = one, one, one
    return two + three  # type: ignore[has-type]


def starred(one: int) -> int:
    two, *three = one, one  # noqa: F841
    return two


def over_elements(row: Reals) -> float:
    total = 0.0
    for value in row:  # type: ignore[attr-defined]
        total += value
    return total


def by_reals(one: int) -> int:
    for _ in range(0.5):  # type: ignore[call-overload]
        one += 1
    return one


def no_result(one: int) -> int:
    if one:
        return  # type: ignore[return-value]
    return 1


def a_result(one: int) -> None:
    return one  # type: ignore[return-value]


def a_real_result(one: float) -> int:
    return one  # type: ignore[return-value]


REFUSED = [
    another_kind, another_annotation, unknown_annotation, to_an_attribute, real_into_words, nothing_assigned, too_few,
    starred, over_elements, by_reals, no_result, a_result, a_real_result,
]  # fmt: skip


@pytest.mark.parametrize("function", REFUSED)
def test_statements_without_a_meaning_are_refused(function: Callable[..., Any]) -> None:
    with pytest.raises(NotNative, match=rf"test_statements.py:\d+: in {function.__name__}: "):
        module_text([function, change], {}, shared=False)
