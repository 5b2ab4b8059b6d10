import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggtp.foreign.gtp import (
    GtpAnswer,
    GtpCommand,
    GtpError,
    begins_answer,
    failure,
    read_answer,
    read_colour,
    read_command,
    success,
)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("genmove black", GtpCommand("", "genmove", ("black",))),
        ("17 play\tblack D4 # why", GtpCommand("17", "play", ("black", "D4"))),
        ("  007   name \r", GtpCommand("007", "name")),
        ("8", GtpCommand("8", "")),
        ("na\x07me", GtpCommand("", "name")),
        ("", None),
        (" \t ", None),
        ("# interrupt", None),
    ],
)
def test_a_line_of_a_controller(line: str, command: GtpCommand | None) -> None:
    assert read_command(line) == command


def test_answers_end_with_an_empty_line_and_have_none_inside() -> None:
    command = GtpCommand("3", "x")
    assert success(command) == "=3\n\n"
    assert success(GtpCommand("", "x"), "C4") == "= C4\n\n"
    assert failure(command, "illegal move") == "?3 illegal move\n\n"
    assert success(command, "a\n\nb\n") == "=3 a\n.\nb\n\n"
    assert success(command, "\n A B\n1 .") == "=3\n A B\n1 .\n\n"
    assert success(command, "\n") == "=3\n\n"


@pytest.mark.slow
@given(st.text(), st.text("0123456789", max_size=5))
def test_what_is_answered_is_read_again(text: str, number: str) -> None:
    answer = success(GtpCommand(number, "x"), text)
    assert answer.endswith("\n\n")
    *lines, _, last = answer.split("\n")
    assert last == ""
    assert "" not in lines
    assert begins_answer(lines[0])
    found, read = read_answer(lines)
    if not text[:1].isdigit():
        assert found == number
    assert read.done


def test_answers_of_programs() -> None:
    assert read_answer(["=12 E5"]) == ("12", GtpAnswer(True, "E5"))
    assert read_answer(["= 9"]) == ("", GtpAnswer(True, "9"))
    assert read_answer(["?", "more"]) == ("", GtpAnswer(False, "\nmore"))


def test_colours_are_read_in_any_case() -> None:
    assert [read_colour(text) for text in ("B", "black", "w", "White")] == ["black", "black", "white", "white"]
    with pytest.raises(GtpError):
        read_colour("red")
