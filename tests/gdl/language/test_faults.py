"""Faults as values, in order, and as errors with a caret."""

from __future__ import annotations

import pytest

from ggtp.gdl.language.faults import Fault, Severity, as_error, errors, in_order, source_line


def test_a_fault_says_where_what_and_what_to_do() -> None:
    assert str(Fault("Too many.", "Remove one.", 3, 7)) == "3:7: error: Too many. Remove one."
    assert str(Fault("Odd.", severity=Severity.WARNING)) == "warning: Odd."


def test_order_is_that_of_the_text_and_each_fault_comes_once() -> None:
    late, early, nowhere = Fault("b", line=9, column=1), Fault("a", line=2, column=5), Fault("c")
    assert in_order([nowhere, late, early, late]) == [early, late, nowhere]


def test_only_errors_forbid_playing() -> None:
    bad = Fault("bad")
    assert errors([Fault("odd", severity=Severity.WARNING), bad]) == [bad]


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("a\nb", 2, "b"),
        ("a\r\nb", 2, "b"),
        ("a\rb", 2, "b"),
        ("\tx", 1, " x"),
        ("\ufeffx", 1, "x"),
        ("a", 2, None),
        ("a", 0, None),
    ],
)
def test_lines_are_counted_as_the_reader_counts(text: str, line: int, found: str | None) -> None:
    assert source_line(text, line) == found


def test_as_an_error_it_draws_the_caret() -> None:
    error = as_error(Fault("This list is never closed.", "Add ')'.", 2, 3), "(a)\n\t (b", "game.kif")
    assert str(error) == "game.kif:2:3: This list is never closed. Add ')'."
    assert error.caret() == ["  (b", "  ^"]


def test_without_a_place_there_is_no_caret() -> None:
    assert as_error(Fault("Nothing."), "text").caret() == []
