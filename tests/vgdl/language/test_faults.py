from __future__ import annotations

from ggtp.vgdl.language.faults import SHOWN, Fault, Severity, as_error, errors


def test_errors_are_in_the_order_of_the_text_and_each_once() -> None:
    late, early = Fault("b", 9, 1), Fault("a", 2, 5)
    assert errors([late, early, late, Fault("c", 1, 1, Severity.WARNING)]) == [early, late]


def test_one_error_names_all_faults_and_draws_the_first() -> None:
    error = as_error([Fault("second", 2, 1), Fault("first", 1, 3)], "a\tb\nc", "x.vgdl")
    assert str(error) == "x.vgdl:1:3: first; 2:1: second"
    assert error.caret() == ["a b", "  ^"]


def test_many_faults_are_counted() -> None:
    error = as_error([Fault(f"f{line}", line, 1) for line in range(1, SHOWN + 4)], "")
    assert str(error).endswith("; and 3 more")


def test_a_fault_is_a_line_of_text() -> None:
    assert str(Fault("odd", 3, 4, Severity.WARNING)) == "3:4: warning: odd"
