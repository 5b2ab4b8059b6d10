"""The functions of the language in the interpreter, compared with machine code."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.native import native

from ggtp.native.language import Words, add, address, copy_numbers, get, lowest, ones, put, swap, words


def bits(value: int) -> int:
    return 100 * ones(value) + lowest(value)


def atoms(row: Words, value: int) -> int:
    put(row, 0, value)
    first = swap(row, 0, value, 9)
    second = swap(row, 0, value + 1, 7)
    return first + 10 * second + 100 * add(row, 1, 5) + 1000 * get(row, 1)


native_bits, native_atoms = native(bits), native(atoms)


@given(st.one_of(st.integers(-(1 << 63), (1 << 63) - 1), st.just(0)))
def test_bits_are_those_of_machine_words(value: int) -> None:
    assert bits(value) == native_bits(value)


@given(st.integers(10, 1000))
def test_elements_change_as_in_machine_code(value: int) -> None:
    row, other = [0, 3], np.array([0, 3])
    assert atoms(row, value) == native_atoms(other, value)
    assert row == other.tolist() == [9, 8]


def test_numbers_are_copied() -> None:
    target = [1, 2, 3]
    copy_numbers(target, [7, 8, 9], 2)
    assert target == [7, 8, 3]


def test_the_interpreter_has_no_addresses() -> None:
    with pytest.raises(NotImplementedError, match="words"):
        words(1)
    with pytest.raises(NotImplementedError, match="address"):
        address([1], 0)
