from __future__ import annotations

from ctypes import c_int64, c_void_p

import numpy as np
import pytest

from ggtp.gdl.kernel.runtime import shared_text
from ggtp.gdl.kernel.writer import Writer
from ggtp.native.machine import Effort, Library, compile_text


def compiled(writer: Writer, result: str) -> Library:
    return compile_text(shared_text(writer.words) + writer.text(result), Effort.PLAIN)


def test_loops_and_conditions() -> None:
    """The sum of the even numbers below n, until it is above 50."""
    w = Writer("f", "i64 %n", 1, "i64")
    total = w.variable("i64", "0")
    with w.loop(0, "%n", 1) as i, w.when(w.set(f"icmp eq i64 {w.num('and', i, 1)}, 0")):
        w.do(f"store i64 {w.num('add', w.get('i64', total), i)}, ptr {total}")
    with w.loop_while() as stop_unless:
        stop_unless(w.set(f"icmp sgt i64 {w.get('i64', total)}, 50"))
        w.do(f"store i64 {w.num('sub', w.get('i64', total), 50)}, ptr {total}")
    f = (library := compiled(w, w.get("i64", total))).function("f", c_int64, c_int64)
    assert [f(n) for n in (0, 1, 5, 9, 20)] == [0, 0, 6, 20, 40]
    del library


@pytest.mark.parametrize("words", [1, 4, 8])
def test_vectors(words: int) -> None:
    """How many bits of a slot are set, and a hundred if there are any."""
    w = Writer("f", "ptr %memory", words, "i64")
    vector = w.load(w.slot("%memory", 1))
    some = w.set(f"select i1 {w.some(vector)}, i64 100, i64 0")
    library = compiled(w, w.num("add", w.population(vector), some))
    f = library.function("f", c_int64, c_void_p)
    memory = np.zeros((2, words), np.uint64)
    memory[0] = 1
    assert f(memory.ctypes.data) == 0
    memory[1] = 7
    assert f(memory.ctypes.data) == 100 + 3 * words
