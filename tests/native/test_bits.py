"""Bits in rows of words, as machine code, compared with the bits of one large number."""

from __future__ import annotations

import random
from ctypes import c_int64, c_void_p
from typing import Any

import numpy as np
import pytest

from ggtp.native.bits import FUNCTIONS
from ggtp.native.code import load

WIDTH = 4 * 64


@pytest.fixture(scope="module")
def code() -> Any:
    return load(FUNCTIONS, {}, shared=False, kept=None)


@pytest.fixture(params=[0.0, 0.02, 0.5, 1.0])
def row(request: pytest.FixtureRequest) -> tuple[list[int], Any]:
    rng = random.Random(3)
    bits = [int(rng.random() < request.param) for _ in range(WIDTH)]
    return bits, np.packbits(np.array(bits, np.uint8), bitorder="little").view(np.int64)


def test_single_bits(code: Any, row: tuple[list[int], Any]) -> None:
    bits, words = row
    bit = code.function("bit", c_int64, c_void_p, c_int64)
    assert [bit(words.ctypes.data, place) for place in range(WIDTH)] == bits


def test_bits_are_counted_from_any_place_to_any_other(code: Any, row: tuple[list[int], Any]) -> None:
    bits, words = row
    count = code.function("bits_in", c_int64, c_void_p, c_int64, c_int64)
    for first in range(0, WIDTH, 7):
        for end in range(first, WIDTH + 1, 5):
            assert count(words.ctypes.data, first, end) == sum(bits[first:end])


def test_the_next_bit_is_found_or_the_end(code: Any, row: tuple[list[int], Any]) -> None:
    bits, words = row
    following = code.function("next_bit", c_int64, c_void_p, c_int64, c_int64)
    for first in range(0, WIDTH, 7):
        for end in range(first, WIDTH + 1, 5):
            wanted = next((place for place in range(first, end) if bits[place]), end)
            assert following(words.ctypes.data, first, end) == wanted
