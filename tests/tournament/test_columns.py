import pytest

from ggtp.tournament.columns import columns, duration


def test_cells_stand_below_each_other() -> None:
    rows = [("player", "won"), ("Ann", "10"), ("Bo",)]
    assert columns(rows) == ["player  won", "Ann      10", "Bo"]
    assert columns(rows, right=()) == ["player  won", "Ann     10", "Bo"]


def test_wide_characters_take_two_columns() -> None:
    assert columns([("將", "x"), ("abc", "y")], right=()) == ["將   x", "abc  y"]


def test_no_rows_are_no_lines() -> None:
    assert columns([]) == []


@pytest.mark.parametrize(
    ("seconds", "text"), [(5.2, "5 s"), (100, "1 min"), (12_000, "3 h 20 min"), (200_000, "2 d 7 h")]
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text
