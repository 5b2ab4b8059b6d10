"""Machine code of functions, kept with the text that it is made of."""

from __future__ import annotations

from ctypes import c_int64

import pytest
from support.puzzles import Kept

from ggtp.native import compile
from ggtp.native.code import load, name_of


def added(one: int) -> int:
    """Something to make machine code of."""
    return one + LIMIT


def doubled(one: int) -> int:
    """Something else."""
    return one + one


LIMIT = 7


def test_the_code_is_that_of_the_functions() -> None:
    library = load([added, doubled], {"LIMIT": 5}, shared=False, kept=None)
    assert library.function("added", c_int64, c_int64)(3) == 8
    assert library.function("doubled", c_int64, c_int64)(3) == 6


def test_the_text_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Kept()
    load([added], {"LIMIT": 5}, shared=False, kept=kept)
    monkeypatch.delattr(compile, "module_text")
    library = load([added], {"LIMIT": 5}, shared=False, kept=kept)
    assert library.function("added", c_int64, c_int64)(3) == 8


def test_other_constants_functions_and_sources_have_other_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {
        name_of([added], {"LIMIT": 5}, shared=False),
        name_of([added], {"LIMIT": 6}, shared=False),
        name_of([added], {"LIMIT": 5}, shared=True),
        name_of([added, doubled], {"LIMIT": 5}, shared=False),
    }
    assert len(names) == 4
    assert name_of([added], {"LIMIT": 5}, shared=False) in names
    monkeypatch.setattr("inspect.getsource", lambda module: f"# changed since: {module.__name__}")
    assert name_of([added], {"LIMIT": 5}, shared=False) not in names
