"""How typed names are matched."""

from __future__ import annotations

import pytest

from ggtp.game.names import did_you_mean, match_name, near_names


@pytest.mark.parametrize(
    ("text", "names", "found"),
    [
        ("Cross", ["Cross", "Circle"], "Cross"),
        ("cROSS", ["Cross", "Circle"], "Cross"),
        ("a", ["A", "a"], "a"),
        ("ab", ["AB", "Ab"], None),
        ("Square", ["Cross", "Circle"], None),
        ("", ["Cross"], None),
        ("STRASSE", ["straße"], "straße"),
    ],
)
def test_match_name(text: str, names: list[str], found: str | None) -> None:
    assert match_name(text, names) == found


def test_near_names_are_the_nearest_first() -> None:
    assert near_names("tictactow", ["Chess", "PhantomTicTacToe", "TicTacToe"])[0] == "TicTacToe"


def test_what_looks_like_nothing_has_no_near_names() -> None:
    assert near_names("xyzzy", ["Chess", "TicTacToe"]) == []


def test_no_more_near_names_than_wanted() -> None:
    assert len(near_names("abcd", ["abcd1", "abcd2", "abcd3", "abcd4"], most=2)) == 2


def test_a_very_long_text_has_no_near_names() -> None:
    assert near_names("x" * 1_000_000, ["Chess"]) == []


def test_the_beginning_of_a_name_is_near_it() -> None:
    assert near_names("conn", ["Nim", "ConnectFour", "Con"]) == ["ConnectFour", "Con"]
    assert near_names("n", ["Nim"]) == []


def test_a_hint_is_a_question_behind_a_sentence() -> None:
    assert did_you_mean("dpeth", ["Time", "Depth"]) == " Did you mean Depth?"
    assert did_you_mean("colour", ["Time", "Depth"]) == ""
