"""Times as people write them, read exactly or refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggtp.errors import OptionError
from ggtp.game.durations import DAY_MS, Control, read_control, read_milliseconds, whole_milliseconds


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [
        ("300ms", 300), ("5s", 5000), ("2m", 120_000), ("1h", 3_600_000), ("0.1s", 100), (".5s", 500), ("300", 300),
        ("+7", 7), ("5S", 5000), ("0", 0), ("1.5m", 90_000), ("0.0005s", None), ("1.5", None), ("5 s", None),
        ("-5s", None), ("5d", None), ("s", None), ("", None), ("1_0s", None), ("٤s", None), ("1e3", None),
    ],
)  # fmt: skip
def test_a_duration_is_a_number_with_a_unit_or_of_milliseconds(text: str, milliseconds: int | None) -> None:
    assert whole_milliseconds(text) == milliseconds


def test_a_plain_number_means_what_its_place_says() -> None:
    assert read_milliseconds("1.5", "s") == 1500
    assert read_milliseconds("1.5m", "s") == 90_000


@pytest.mark.parametrize(
    ("text", "control", "canonical"),
    [
        ("5+0.1", Control(bank=5000, increment=100), "5+0.1"),
        ("300ms", Control(move=300), "300ms"),
        ("300", Control(move=300), "300ms"),
        ("2s", Control(move=2000), "2000ms"),
        ("3m+2s", Control(bank=180_000, increment=2000), "180+2"),
        ("5+0", Control(bank=5000), "5+0"),
        ("1s  5+0.1", Control(1000, 5000, 100), "5+0.1 1000ms"),
        ("0", Control(), "0"),
        ("0+0", Control(), "0"),
    ],
)
def test_a_time_control_is_a_bank_with_an_increment_or_a_time_for_each_move(
    text: str, control: Control, canonical: str
) -> None:
    assert read_control(text) == control
    assert control.text() == canonical


@pytest.mark.parametrize("text", ["", "5+", "+0.1s+", "5+0.1 6+0.2", "1s 2s", "40/60", "fast", "25h", "1+2+3"])
def test_what_is_no_time_control_is_refused_with_examples(text: str) -> None:
    with pytest.raises(OptionError, match=r"300ms for each move, 5\+0\.1 for"):
        read_control(text)


def test_an_increment_needs_a_bank() -> None:
    with pytest.raises(OptionError, match="an increment needs a bank"):
        read_control("0+1")


@given(st.builds(Control, *[st.integers(0, DAY_MS)] * 3).filter(lambda control: control.bank or not control.increment))
def test_a_control_is_read_back_as_it_was_written(control: Control) -> None:
    assert read_control(control.text()) == control
