"""What a guest did wrong becomes an error with a place."""

from __future__ import annotations

from pathlib import Path

import pytest

from ggtp.catalogue.faults import guest_fault, source_line
from ggtp.errors import EngineFileError, RulesError


def raised(text: str, path: str) -> BaseException:
    try:
        exec(compile(text, path, "exec"), {})
    except (Exception, SystemExit) as fault:  # noqa: BLE001  whatever the text does
        return fault
    raise AssertionError("nothing was raised")


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("1 +* 2", "x.py:1:4", "invalid syntax"),
        ("\nint('é' + 'x')", "x.py:2:1", "it can't be loaded: ValueError: invalid literal"),
        ("'é', 1 / 0", "x.py:1:6", "it can't be loaded: ZeroDivisionError: division by zero"),
        ("raise SystemExit", "x.py:1:1", "it can't be loaded: SystemExit"),
        ("raise KeyError", "x.py:1:1", "it can't be loaded: KeyError"),
    ],
)
def test_a_place_in_a_known_file(text: str, place: str, message: str) -> None:
    error = guest_fault(RulesError, raised(text, "x.py"), path="x.py", content=text.encode())
    assert isinstance(error, RulesError)
    assert error.place() == place
    assert error.message.startswith(message)
    assert error.source == text.splitlines()[error.line - 1]


def test_code_that_never_ran_in_the_file_has_no_line() -> None:
    error = guest_fault(RulesError, raised("1 / 0", "other.py"), path="x.py", content=b"")
    assert error.place() == "x.py"


def test_a_syntax_error_elsewhere_is_not_placed_in_the_file() -> None:
    error = guest_fault(RulesError, raised("1 +* 2", "other.py"), path="x.py", content=b"")
    assert error.place() == "x.py"
    assert "SyntaxError" in error.message


def test_without_a_file_the_place_is_where_it_happened(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_text("\nprint(1 / 0)\n")
    error = guest_fault(EngineFileError, raised(path.read_text(), str(path)), what="package x can't be loaded")
    assert error.place() == f"{path}:2:7"
    assert str(error).endswith("package x can't be loaded: ZeroDivisionError: division by zero")
    assert error.caret() == ["print(1 / 0)", "      ^"]


def test_an_exception_without_a_trace_has_no_place() -> None:
    error = guest_fault(EngineFileError, ValueError("no"), what="it")
    assert str(error) == "it: ValueError: no"


def test_lines_are_counted_from_one() -> None:
    assert [source_line(b"a\nb", number) for number in range(4)] == [None, "a", "b", None]
