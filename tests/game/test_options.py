"""Options: which values they take, and how these are written."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ggtp.errors import OptionError
from ggtp.game.options import Option, complete, duration, find_option, number, switch

SIZE = number("size", 8, 4, 12, "how big")
FREE = Option("heaps", "1 3 5 7")
WAIT = Option("wait", "auto", low=0, high=60, words=("auto",))


@pytest.mark.parametrize(
    ("option", "answer"),
    [
        (switch("fast", True, ""), ("on", "off")),
        (SIZE, ("4..12",)),
        (number("least", 1, 1, None, ""), ("1..",)),
        (number("most", 1, None, 9, ""), ("..9",)),
        (FREE, ("any",)),
        (WAIT, ("auto", "0..60")),
    ],
)
def test_choices_are_described(option: Option, answer: tuple[str, ...]) -> None:
    assert option.describe_choices() == answer


@pytest.mark.parametrize(("text", "value"), [("4", "4"), ("+12", "12"), ("007", "7")])
def test_numbers_are_written_plainly(text: str, value: str) -> None:
    assert SIZE.canonical(text) == value


@pytest.mark.parametrize("text", ["3", "13", "", "-", "4.0", "1_0", "٤", "four", " 4", "9" * 50])
def test_no_other_numbers_are_taken(text: str) -> None:
    with pytest.raises(OptionError, match="size"):
        SIZE.canonical(text)


def test_a_range_may_have_words_beside_it() -> None:
    assert [WAIT.canonical(text) for text in ("Auto", "007")] == ["auto", "7"]
    with pytest.raises(OptionError, match="No value 61 for option wait: it takes auto or a whole number"):
        WAIT.canonical("61")


def test_a_range_without_an_end_takes_negative_numbers() -> None:
    assert number("most", 1, None, 9, "").canonical("-30") == "-30"


def test_choices_are_taken_without_regard_to_case() -> None:
    assert switch("fast", False, "").canonical("ON") == "on"
    assert switch("fast", False, "").default == "off"


def test_a_wrong_choice_is_answered_with_the_right_ones() -> None:
    with pytest.raises(OptionError, match="No value maybe for option fast: it takes on, off"):
        switch("fast", True, "").canonical("maybe")


def test_free_text_is_taken_as_it_is() -> None:
    assert FREE.canonical(" any  thing ") == " any  thing "


@settings(deadline=None)  # a busy machine is not a fault
@given(st.integers(4, 12))
def test_every_number_of_the_range_is_its_own_canonical_text(value: int) -> None:
    assert SIZE.canonical(str(value)) == str(value)


@settings(deadline=None)  # a busy machine is not a fault
@given(st.text())
def test_any_text_is_a_number_of_the_range_or_an_option_error(text: str) -> None:
    try:
        value = SIZE.canonical(text)
    except OptionError:
        return
    assert 4 <= int(value) <= 12


def test_options_are_found_by_name_in_any_case() -> None:
    assert find_option([SIZE, FREE], "SIZE") is SIZE
    with pytest.raises(OptionError, match="No option named colour"):
        find_option([SIZE, FREE], "colour")


def test_completing_keeps_defaults_and_canonical_values() -> None:
    assert complete([SIZE, FREE], {"Size": "+5"}) == {"size": "5", "heaps": "1 3 5 7"}
    assert complete([SIZE, FREE], {}) == {"size": "8", "heaps": "1 3 5 7"}


@pytest.mark.parametrize("values", [{"size": "3"}, {"colour": "red"}])
def test_completing_refuses(values: dict[str, str]) -> None:
    with pytest.raises(OptionError):
        complete([SIZE, FREE], values)


@pytest.mark.parametrize(("unit", "text", "value"), [("ms", "5s", "5000"), ("s", "2m", "120"), ("s", "5000ms", "5")])
def test_times_may_have_units_and_are_numbers_of_their_own(unit: str, text: str, value: str) -> None:
    option = duration("delay", 1, 0, 10_000, "how long", unit)
    assert option.canonical(text) == value
    assert option.canonical("7") == "7"


@pytest.mark.parametrize(("unit", "text"), [("ms", "0.5ms"), ("s", "500ms"), ("s", "3h"), ("ms", "5d"), ("ms", "1.5")])
def test_other_times_are_refused_with_examples(unit: str, text: str) -> None:
    with pytest.raises(OptionError, match=r"0\.\.10000, or a time such as 300ms, 5s or 2m"):
        duration("delay", 1, 0, 10_000, "how long", unit).canonical(text)
