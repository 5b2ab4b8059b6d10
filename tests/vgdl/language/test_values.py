from __future__ import annotations

import pytest

from ggtp.vgdl.language.reader import Setting, Word
from ggtp.vgdl.language.values import Values, near
from ggtp.vgdl.language.vocabulary import LEFT


def setting(value: str) -> Setting:
    return Setting("it", value, Word(f"it={value}", 3, 7))


def test_right_values_are_read() -> None:
    values = Values()
    assert values.number(setting("0.5"), 1) == 0.5
    assert values.whole(setting("-3")) == -3
    assert values.wholes(setting("1,2")) == (1, 2)
    assert values.flag(setting("TRUE"))
    assert not values.flag(setting("false"))
    assert values.way(setting("Left")) == LEFT
    assert values.names(setting("a,b"), {"a": 4, "b": 2}, "sprite") == (4, 2)
    assert not values.faults


@pytest.mark.parametrize("method", ["number", "whole", "wholes", "flag", "way"])
@pytest.mark.parametrize("text", ["", "x", "nan"])
def test_wrong_values_are_faults_at_their_place(method: str, text: str) -> None:
    values = Values()
    getattr(values, method)(setting(text), *([0.0] if method == "number" else []))
    assert [(fault.line, fault.column) for fault in values.faults] == [(3, 7)]


def test_numbers_have_bounds() -> None:
    values = Values()
    assert values.whole(setting("7"), 2, low=0, high=5) == 2
    assert values.wholes(setting("99999999999")) == ()
    assert len(values.faults) == 2


def test_an_unknown_name_comes_with_a_near_one() -> None:
    values = Values()
    assert values.name(setting("bax"), {"box": 1}, "sprite") == -1
    assert str(values.faults[0]) == "3:7: error: there is no sprite bax; is it box?"
    assert near("zzz", ["box"]) == ""
