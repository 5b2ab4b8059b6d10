"""The exceptions: whose fault, where, and the drawing of their tree."""

from __future__ import annotations

import re

import pytest

from ggtp import errors
from ggtp.errors import (
    EngineNotFound,
    EngineTerminated,
    GgtpError,
    LocalProtocolError,
    MessageTooLong,
    MoveError,
    PlacedError,
    ProtocolError,
    RemoteProtocolError,
    RulesNotFound,
    clipped,
    last_line,
    with_last_words,
)


def drawn() -> dict[str, str]:
    """Each class of the drawing in the docstring, and the class above it."""
    above: list[str] = []
    result = {}
    for line in (errors.__doc__ or "").splitlines():
        match = re.match(r"    ((?:[│ ]   )*(?:[├└]── )?)(\w+)", line)
        if match and match[2][0].isupper():
            depth = len(match[1]) // 4
            above[depth:] = [match[2]]
            result[match[2]] = above[depth - 1] if depth else "Exception"
    return result


def test_the_drawing_is_the_tree() -> None:
    classes = {
        name: value
        for name, value in vars(errors).items()
        if isinstance(value, type) and value.__module__ == errors.__name__
    }
    assert drawn() == {name: value.__bases__[0].__name__ for name, value in classes.items()}
    assert all(issubclass(value, GgtpError) for value in classes.values())
    assert all(value.__doc__ for value in classes.values())


def test_a_protocol_error_says_whose_fault() -> None:
    with pytest.raises(TypeError, match="say whose fault"):
        ProtocolError("neither")
    assert RemoteProtocolError("rubbish", "xyz").line == "xyz"
    assert LocalProtocolError("ours").line == ""


def test_a_move_error_is_a_value_error() -> None:
    assert issubclass(MoveError, ValueError)


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ({}, "what"),
        ({"path": "game"}, "game: what"),
        ({"path": "game", "line": 3}, "game:3: what"),
        ({"path": "game", "line": 3, "column": 2}, "game:3:2: what"),
        ({"line": 3, "column": 2}, "3:2: what"),
        ({"path": "game", "column": 2}, "game: what"),
    ],
)
def test_a_place_is_told_as_far_as_it_is_known(place: dict[str, object], text: str) -> None:
    assert str(PlacedError("what", **place)) == text  # type: ignore[arg-type]


def test_the_caret() -> None:
    assert PlacedError("what", line=1, column=3, source="abcd").caret() == ["abcd", "  ^"]
    assert PlacedError("what", line=1, source="abcd").caret() == []
    assert PlacedError("what", line=1, column=3).caret() == []


def test_what_is_not_found_has_neighbours() -> None:
    assert str(RulesNotFound("Nym")) == "No rule named Nym."
    error = EngineNotFound("Minmax", ["Minimax", "Maxmin"])
    assert str(error) == "No engine named Minmax. Did you mean Minimax or Maxmin?"
    assert error.near == ("Minimax", "Maxmin")


def test_what_else_errors_carry() -> None:
    error = EngineTerminated("it ended", "last words", 3)
    assert (error.last_words, error.status) == ("last words", 3)
    assert str(MessageTooLong(10)) == "a line of more than 10 bytes"


@pytest.mark.parametrize(
    ("last_words", "last"), [("", ""), (" \n", ""), ("oops", "oops"), ("Traceback\n  KeyError: 3 \n\n", "KeyError: 3")]
)
def test_a_failed_program_is_quoted_with_its_last_line(last_words: str, last: str) -> None:
    assert last_line(last_words) == last
    quoted = f" Its last words: {last}" if last else ""
    assert with_last_words("Engine Bad failed: it ended.", last_words) == f"Engine Bad failed: it ended.{quoted}"


def test_a_message_does_not_quote_a_whole_file() -> None:
    error = PlacedError(f"a game begins with BasicGame, not with {'x' * 100_000}", path="a.vgdl", line=1)
    assert len(str(error)) < 2000
    assert str(error).startswith("a.vgdl:1: a game begins with BasicGame, not with xxx")
    assert clipped("short") == "short"


def test_of_a_long_line_what_is_near_the_column_is_shown() -> None:
    source = f"{'x' * 5000}!{'y' * 5000}"
    shown, caret = PlacedError("wrong", line=1, column=5001, source=source).caret()
    assert len(shown) == 160
    assert shown[caret.index("^")] == "!"
    assert PlacedError("wrong", line=1, column=2, source="abc").caret() == ["abc", " ^"]
