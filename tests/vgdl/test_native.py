"""Functions as machine code that know when what they call has changed."""

from __future__ import annotations

import pytest

pytest.importorskip("numba", reason="the compiler is not installed")

from ggtp.vgdl import kernel
from ggtp.vgdl.native import compiled, stamp_of


def double(number: int) -> int:
    return number * 2


def test_it_computes():
    assert compiled()(double)(21) == 42


def test_the_stamp_holds_those_of_what_is_called():
    alone, together = compiled()(double), compiled(kernel.advance)(double)
    assert stamp_of(alone) != stamp_of(together)
    assert stamp_of(kernel.advance) in stamp_of(together)
