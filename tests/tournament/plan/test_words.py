"""Reading a mapping word by word."""

from __future__ import annotations

import pytest

from ggtp.game.durations import Control
from ggtp.tournament.plan.plan import PlanError
from ggtp.tournament.plan.words import Words


def test_everything_has_its_type_and_default() -> None:
    words = Words("", {"t": "x", "n": 3, "r": 2, "s": True, "l": "one", "o": {"a": 1.5, "b": False}}, PlanError)
    assert words.text("t") == "x"
    assert words.text("none", "y") == "y"
    assert words.whole("n", 0, 0, 9) == 3
    assert words.real("r", 0.0, 0.0, 9.0) == 2.0
    assert words.switch("s", False)
    assert words.texts("l") == ("one",)
    assert words.texts("none") == ()
    assert words.strings("o") == {"a": "1.5", "b": "off"}
    words.done()


def test_what_nobody_asked_for_is_unknown() -> None:
    words = Words("time", {"mvoe": 3}, PlanError)
    words.whole("move", 0, 0, 9)
    with pytest.raises(PlanError, match=r"time\.mvoe is not a key of plans\. Did you mean move\?"):
        words.done()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"t": 3}, "t must be a text, not 3"),
        ({"t": ""}, "t must be a text"),
        ({"t": "a\nb"}, "one line"),
        ({}, "missing"),
    ],
)
def test_a_text_is_one_line_that_is_there(data: dict[str, object], sentence: str) -> None:
    with pytest.raises(PlanError, match=sentence):
        Words("", data, PlanError).text("t")


def test_a_table_is_a_table() -> None:
    with pytest.raises(PlanError, match="The plan must be a table"):
        Words("", [], PlanError)
    with pytest.raises(PlanError, match=r"a 2 must be a table"):
        Words("", {"a": [{}, 3]}, PlanError).tables("a")


def test_times_are_milliseconds_or_durations() -> None:
    words = Words("time", {"a": 5, "b": "5s", "c": "5+0.1", "d": 1.5, "e": True, "f": "never"}, PlanError)
    assert (words.milliseconds("a", 0, 0, 10), words.milliseconds("b", 0, 0, 9000)) == (5, 5000)
    assert words.control("c") == Control(bank=5000, increment=100)
    for name in "cdef":
        with pytest.raises(PlanError, match=rf"time\.{name} must be a time from 0 to 10 milliseconds"):
            words.milliseconds(name, 0, 0, 10)
    with pytest.raises(PlanError, match=r"time\.f: No time control never"):
        words.control("f")
    assert (words.given("a"), words.given("z"), words.is_text("a"), words.is_text("b")) == (True, False, False, True)
