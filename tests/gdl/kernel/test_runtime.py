"""The loops around a game's code; what they count is tested with the kernels."""

from __future__ import annotations

from ctypes import c_void_p

import numpy as np
import pytest
from support.lanes import KEPT

from ggtp.gdl.kernel.runtime import RUN_FROM_ARGUMENTS, runtime_text
from ggtp.native.machine import Effort, compile_text


@pytest.mark.parametrize("words", [1, 4, 8])
def test_transposition(words: int) -> None:
    library = compile_text(runtime_text(words), Effort.PASSES, KEPT)
    before = np.random.default_rng(1).integers(0, 1 << 63, (64, words), np.uint64)
    planes = before.copy()
    library.function("transpose", None, c_void_p)(planes.ctypes.data)
    for word in range(words):
        rows = [[int(before[i, word]) >> j & 1 for j in range(64)] for i in range(64)]
        columns = [[int(planes[i, word]) >> j & 1 for j in range(64)] for i in range(64)]
        assert columns == [list(column) for column in zip(*rows, strict=True)]


def test_every_function_is_there() -> None:
    library = compile_text(runtime_text(4), Effort.PASSES, KEPT)
    for name in ("load_states", "play", "run_from", "table"):
        assert library.address(name)
    assert len(set(RUN_FROM_ARGUMENTS)) == len(RUN_FROM_ARGUMENTS)
