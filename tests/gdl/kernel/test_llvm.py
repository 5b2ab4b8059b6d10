from __future__ import annotations

from ctypes import c_void_p

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.lanes import networks, run_code, xorshift

from ggtp.gdl.kernel.llvm import TERNARY, attributes, module_text, registers, splat, vector_type
from ggtp.gdl.network.network import Network
from ggtp.gdl.program.build import build_step
from ggtp.gdl.program.code import ONES, cut
from ggtp.gdl.program.step import GENERATOR
from ggtp.native.machine import Effort, compile_text, host


@settings(max_examples=15, deadline=None)
@given(networks(), st.sampled_from([1, 4, 8]), st.booleans(), st.sampled_from([7, 10_000]), st.integers(0, 1 << 30))
def test_functions_do_what_code_says(network: Network, words: int, ternary: bool, size: int, seed: int) -> None:
    ternary = ternary and words in TERNARY and host().ternary
    words = words if words < 8 or host().words == 8 else 4
    code = build_step(network).step
    parts = cut(code, size)
    numbers = range(len(parts.chunks))
    library = compile_text(module_text(parts, numbers, words, ternary), Effort.FAST)
    memory = np.random.default_rng(seed).integers(0, 1 << 63, (parts.slots, words), np.uint64)
    memory[0], memory[ONES] = 0, 0xFFFF_FFFF_FFFF_FFFF
    expected = [int.from_bytes(row.tobytes(), "little") for row in memory[: code.slots]]
    for _ in range(2):
        run_code(code, expected, (1 << 64 * words) - 1, lambda: xorshift(expected, GENERATOR, words))
        aligned = np.zeros(memory.size + 32, np.uint64)
        place = aligned[-aligned.ctypes.data % 256 // 8 :][: memory.size].reshape(memory.shape)
        place[:] = memory
        for i in numbers:
            library.function(f"f{i}", None, c_void_p, c_void_p)(place.ctypes.data, None)
        memory[:] = place
        assert [int.from_bytes(row.tobytes(), "little") for row in memory[: code.slots]] == expected


@pytest.mark.parametrize(("words", "kind", "ones"), [(1, "i64", "-1"), (2, "<2 x i64>", "<i64 -1, i64 -1>")])
def test_types(words: int, kind: str, ones: str) -> None:
    assert vector_type(words) == kind
    assert splat(words, -1) == ones


def test_wide_vectors_are_asked_for() -> None:
    assert "512" in attributes(8)
    assert attributes(4) == "nounwind"


def test_scalars_are_planned_by_the_compiler() -> None:
    assert registers(1, False) > 10**6
    assert registers(8, True) > registers(4, False) > 4
