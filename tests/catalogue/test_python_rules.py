"""A module with rules is sketched without running it, and loaded under a name of its own."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import dedent

import pytest

from ggtp.catalogue.loaders import RuleFile
from ggtp.catalogue.python_rules import load, sketch
from ggtp.errors import RulesError

PATH = Path("/rules/hex.py")


def sketched(text: str) -> tuple[str | None, str]:
    result = sketch(PATH, dedent(text).encode())
    assert result.problem is None
    return result.name, result.title


@pytest.mark.parametrize(
    ("text", "name", "title"),
    [
        ('class A: name = "Hex"; title = "a title"\nRULES = A()', "Hex", "a title"),
        ('class A:\n  name: str = "Hex"\nRULES: object = A()', "Hex", ""),
        ('class B:\n  title = "t"\nclass A(B):\n  name = "Hex"\nRULES = A()', "Hex", "t"),
        ('class B:\n  name = "Go"\nclass A(B):\n  name = "Hex"\nRULES = A()', "Hex", ""),
        ('NAME = "Hex"\nclass A:\n  name = NAME\nRULES = A()', "Hex", ""),
        ('NAME, TITLE = "Hex", "t"\nclass A:\n  name, title = NAME, TITLE\nRULES = A()', "Hex", "t"),
        ('RULES = make(name="Hex", title="t")', "Hex", "t"),
        ('class A: name = "Hex"\nHEX = A()\nRULES = HEX', "Hex", ""),
        ('try:\n  class A: name = "Hex"\nexcept ValueError: pass\nelse:\n  RULES = A()', "Hex", ""),
        ('if 1:\n  pass\nelse:\n  class A: name = "Hex"\nRULES = A()', "Hex", ""),
        # what can't be seen is not guessed
        ("RULES = make()", None, ""),
        ("from elsewhere import RULES", None, ""),
        ("import elsewhere as RULES", None, ""),
        ("from elsewhere import *", None, ""),
        ("class A: name = 'He' + 'x'\nRULES = A()", None, ""),
        ("class A: name = 3\nRULES = A()", None, ""),
        ("class A(B): pass\nclass B(A): pass\nRULES = A()", None, ""),
        ("A = B\nB = A\nRULES = A", None, ""),
        ("RULES = elsewhere.Hex()", None, ""),
    ],
)
def test_name_and_title_as_the_text_has_them(text: str, name: str | None, title: str) -> None:
    assert sketched(text) == (name, title)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"class", "expected an indented block|invalid syntax"),
        (b"RULES = '\0'", "null bytes"),
        (b"# coding: klingon\nRULES = 1", "klingon"),
        (b"RULES = '\xff'", "encoding|decode"),
        (b"RULES = " + b"(" * 5000, "too many nested|nested"),
        (b"", "has no RULES"),
        (b"def f():\n  RULES = 1\n", "has no RULES"),
        (b"x.RULES = 1\n", "has no RULES"),
    ],
)
def test_what_is_plainly_wrong(text: bytes, message: str) -> None:
    problem = sketch(PATH, text).problem
    assert problem is not None
    assert problem.path == str(PATH)
    with pytest.raises(RulesError, match=message):
        raise problem


def test_a_module_is_loaded_under_a_name_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "sys.py"
    content = b"from dataclasses import dataclass\n@dataclass\nclass A:\n  x: 'int'\nRULES = A\nFILE = __file__\n"
    first = load(RuleFile(path, "sys"), content)
    second = load(RuleFile(path, "sys"), content)
    assert isinstance(first, type)
    assert isinstance(second, type)
    assert first.__module__ != second.__module__
    module = sys.modules[first.__module__]
    assert module is not sys
    assert str(path) == module.FILE
    assert not list(tmp_path.iterdir())  # nothing is compiled on disk


def test_a_module_of_a_package_is_imported_by_its_name() -> None:
    with pytest.raises(RulesError, match="has no RULES"):  # since the real ggtp.errors has none
        load(RuleFile(PATH, "errors", "ggtp.errors"), b"RULES = 1")
