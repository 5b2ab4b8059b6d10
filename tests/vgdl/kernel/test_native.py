"""Functions that are machine code: loaded once, kept, and made anew when anything has changed."""

from __future__ import annotations

import sys
from enum import IntEnum
from importlib import import_module
from typing import NamedTuple

import numpy as np
import pytest
from support.puzzles import Kept

pytest.importorskip("llvmlite", reason="the compiler is not installed")

from ggtp.native import marked as translation
from ggtp.native.checks import VARIABLE
from ggtp.vgdl.kernel import native
from ggtp.vgdl.kernel.native import Ints, Native, bind, compiled, load, marked, name_of

HERE = sys.modules[__name__].__name__
FACTOR = 2


class Sign(IntEnum):
    PLUS = 1
    MINUS = -1


class Row(NamedTuple):
    numbers: Ints


@compiled
def double(number: int) -> int:
    """Twice a number."""
    return number * FACTOR


@compiled
def added(numbers: Ints, number: int) -> int:
    return numbers[0] + double(number)


@compiled
def both(number: int) -> tuple[int, int]:
    return number, number


def test_it_computes() -> None:
    assert double(21) == 42
    assert added(np.array([5], np.int32), 4) == 13
    assert double.plain(21) == 42  # type: ignore[attr-defined]
    assert double.__doc__ == "Twice a number."


def test_arguments_can_be_given_before() -> None:
    numbers = np.array([5], np.int32)
    add = bind(added, numbers)
    numbers[0] = 6
    assert add(4) == 14


@pytest.mark.parametrize("wrong", [np.zeros(4), np.zeros(4, np.int64), np.zeros(8, np.int32)[::2]])
def test_other_arrays_are_refused(wrong) -> None:
    with pytest.raises(TypeError, match="added takes int32"):
        added(wrong, 1)


def test_as_many_arguments_as_there_are() -> None:
    with pytest.raises(ValueError, match="shorter"):
        added(np.zeros(1, np.int32))  # type: ignore[call-arg]


def test_two_numbers_at_once_are_those_of_the_interpreter() -> None:
    assert both(1) == (1, 1)


def test_good_code_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)  # code that checks is not kept
    kept = Kept()
    for function in marked(HERE):
        monkeypatch.setattr(function, "good", False)
    assert load(kept, HERE)
    assert len(kept) == 1
    for function in marked(HERE):
        function.good = False
    monkeypatch.delattr(translation, "module_text")
    assert load(kept, HERE, hasty=True)  # what is kept is good however much haste there is
    assert double(21) == 42


def test_who_is_in_haste_has_code_that_is_replaced_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)  # code that checks is not kept
    for function in native_functions(HERE):
        monkeypatch.setattr(function, "good", False)
        monkeypatch.setattr(function, "_libraries", [])
        monkeypatch.setattr(function, "_entry", None)
    kept = Kept()
    assert not load(kept, HERE, hasty=True)
    assert not kept
    begun = bind(double)
    hasty = double._entry  # type: ignore[attr-defined]
    assert not load(kept, HERE, hasty=True)
    assert double._entry is hasty  # type: ignore[attr-defined]
    assert load(kept, HERE)
    assert double._entry is not hasty  # type: ignore[attr-defined]
    assert begun(21) == double(21) == 42


def native_functions(module: str) -> list[Native]:
    return [function for name in native._needed(module) for function in marked(name)]


def test_another_constant_or_source_is_another_code(monkeypatch: pytest.MonkeyPatch) -> None:
    before = name_of([HERE])
    assert name_of([HERE]) == before
    with monkeypatch.context() as patch:
        patch.setattr(sys.modules[HERE], "FACTOR", 3)
        assert name_of([HERE]) != before
    for name, other in (("Sign", IntEnum("Sign", {"PLUS": 2, "MINUS": -1})), ("Row", NamedTuple("Row", more=Ints))):
        with monkeypatch.context() as patch:
            patch.setattr(sys.modules[HERE], name, other)
            assert name_of([HERE]) != before, name
    monkeypatch.setattr("inspect.getsource", lambda module: f"# changed since: {module.__name__}")
    assert name_of([HERE]) != before


def test_who_calls_another_module_is_loaded_with_it() -> None:
    trees = import_module("ggtp.vgdl.player.trees").__name__
    load(None, trees, hasty=True)
    loaded = native_functions(trees)
    assert {"tick.advance", "sprites.put", "sight.look", "foresight.prune", "trees.iterate"} <= {
        each.symbol for each in loaded
    }
    assert all(function.ready for function in loaded)


def test_all_marked_functions_of_a_module_are_found() -> None:
    assert {function.symbol.rpartition(".")[2] for function in marked(HERE)} == {"double", "added", "both"}
    assert all(isinstance(function, Native) for function in marked(HERE))
