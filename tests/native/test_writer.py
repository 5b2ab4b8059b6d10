"""The text of a function while it is being written."""

from __future__ import annotations

import ast

import pytest

from ggtp.native.kinds import INT, INTS, PAIR, REAL, TRUTH, VOID, NotNative, Value
from ggtp.native.writer import Place, Writer

SOURCE = "def added(one: int) -> int:\n    two = one\n    return two + 1\n"
TREE = ast.parse(SOURCE).body[0]


class Sites:
    def __init__(self) -> None:
        self.noted: list[str] = []

    def add(self, place: Place, what: str) -> int:
        self.noted.append(f"{place}: {what}")
        return len(self.noted) - 1


def writer(sites: Sites | None = None, result=INT) -> Writer:
    assert isinstance(TREE, ast.FunctionDef)
    return Writer("games.py", 40, TREE, result, False, sites)


def test_an_error_names_file_line_and_function() -> None:
    assert isinstance(TREE, ast.FunctionDef)
    assert str(writer().refuse(TREE.body[1], "no")) == "games.py:42: in added: no: return two + 1"
    assert str(writer().refuse(TREE, "no")) == "games.py:40: in added: no"


def test_nothing_is_written_where_nothing_comes() -> None:
    out = writer()
    out.end("ret i64 1")
    out.go("more")
    assert out.body().endswith("ret i64 1")
    out.label("more")
    assert out.body().endswith("ret i64 1\nmore:")
    out.go("end")
    assert out.body().endswith("more:\nbr label %end")


def test_what_was_a_trial_leaves_nothing() -> None:
    out = writer()
    before = out.body()
    with out.trial():
        out.declare("one", INT)
        out.set("add i64 1, 2")
        out.end("ret i64 1")
    assert out.body() == before
    assert not out.ended
    assert not out.variables


def test_a_variable_keeps_its_kind_and_an_array_its_size() -> None:
    out = writer()
    out.declare("row", INTS)
    out.declare("row", INT)
    out.store("row", Value(INTS, "%p", "9"))
    assert out.variables["row"] is INTS
    assert out.load("row").kind is INTS
    assert "store i64 9, ptr %v.row.size" in out.body()


def test_an_integer_becomes_a_floating_point_number_and_nothing_else_changes() -> None:
    out = writer()
    assert out.as_kind(Value(TRUTH, "true"), TRUTH, TREE).name == "true"
    assert out.as_kind(Value(TRUTH, "true"), INT, TREE).kind is INT
    assert out.as_kind(Value(INT, "3"), REAL, TREE).kind is REAL
    for kind, other in ((REAL, INT), (INTS, INT), (INT, PAIR), (VOID, INT)):
        with pytest.raises(NotNative, match="not"):
            out.as_kind(Value(kind, "%p"), other, TREE)


def test_checks_are_written_only_where_they_are_asked_for() -> None:
    assert isinstance(TREE, ast.FunctionDef)
    plain = writer()
    before = plain.body()
    plain.check(TREE.body[1], "no", "%t")
    plain.check_failure()
    assert plain.body() == before
    sites = Sites()
    out = writer(sites, PAIR)
    out.check(TREE.body[1], "not {}", "%t", "7")
    assert sites.noted == ["games.py:42: in added: not {}: return two + 1"]
    assert "call void @native.fail(ptr @native.record, i64 0, i64 7, i64 0, i64 0)" in out.body()
    assert "ret { i64, i64 } zeroinitializer" in out.body()
