"""Syntax trees are made one after the other, and once more where Python itself has failed."""

import ast

import pytest
from support.paths import ROOT

from ggtp.native import source


def failing(times, seen):
    """A parser that fails so often, as Python 3.11 does where another thread is in the middle of it."""
    real = ast.parse

    def parse(text, filename):
        seen.append((filename, source._making.locked()))
        if len(seen) <= times:
            raise SystemError("AST constructor recursion depth mismatch (before=64, after=67)")
        return real(text, filename)

    return parse


def test_a_tree_is_made_while_nobody_else_makes_one(monkeypatch):
    seen = []
    monkeypatch.setattr(ast, "parse", failing(0, seen))
    assert ast.unparse(source.parsed("a  =  1", "here.py")) == "a = 1"
    assert seen == [("here.py", True)]
    assert not source._making.locked()


def test_it_is_tried_once_more(monkeypatch):
    seen = []
    monkeypatch.setattr(ast, "parse", failing(1, seen))
    assert isinstance(source.parsed("a = 1"), ast.Module)
    assert len(seen) == 2


def test_and_not_again(monkeypatch):
    seen = []
    monkeypatch.setattr(ast, "parse", failing(9, seen))
    with pytest.raises(SystemError):
        source.parsed("a = 1")
    assert len(seen) == 2
    assert not source._making.locked()


def test_what_is_wrong_with_the_source_is_told_at_once() -> None:
    with pytest.raises(SyntaxError):
        source.parsed("a = = 1")


def test_nobody_else_in_the_house_makes_trees() -> None:
    parsers = [
        str(path.relative_to(ROOT))
        for room in ("ggtp", "engines", "rules")
        for path in (ROOT / room).rglob("*.py")
        if "ast.parse(" in path.read_text(encoding="utf-8").replace("`ast.parse`", "")
    ]
    assert parsers == ["ggtp/native/source.py"]
