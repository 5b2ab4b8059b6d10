"""What third parties may use is listed in `__all__`: sorted, complete, and nothing that is not there."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

import pytest

PUBLIC = ("ggtp.catalogue", "ggtp.game", "ggtp.kit", "ggtp.protocol")


def imported_names(module_file: str) -> list[str]:
    """The names that the module imports at its top level, or says for type checkers that it would.

    A module that loads its names only when they are asked for may import what it needs for that.
    """
    body = ast.parse(Path(module_file).read_bytes()).body
    lazy = any(isinstance(node, ast.FunctionDef) and node.name == "__getattr__" for node in body)
    names = []
    for node in [*body, *(inner for branch in body if isinstance(branch, ast.If) for inner in branch.body)]:
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        home = node.module if isinstance(node, ast.ImportFrom) else ""
        if home == "__future__" or (lazy and home in ("importlib", "typing")):
            continue
        names += [alias.asname or alias.name for alias in node.names]
    return names


def sort_key(name: str) -> tuple[int, str]:
    """CONSTANTS first, then Classes, then functions, each by the alphabet; the linter sorts so too."""
    if name.isupper():
        return 0, name
    return (1, name) if name[:1].isupper() else (2, name)


@pytest.mark.parametrize("package", PUBLIC)
def test_all_is_what_is_imported(package: str) -> None:
    module = import_module(package)
    assert module.__file__ is not None
    imported = imported_names(module.__file__)
    assert len(imported) == len(set(imported))
    assert sorted(module.__all__) == sorted(imported)


@pytest.mark.parametrize("package", PUBLIC)
def test_all_is_sorted_and_real(package: str) -> None:
    module = import_module(package)
    assert module.__all__ == sorted(module.__all__, key=sort_key)
    for name in module.__all__:
        assert hasattr(module, name)
        assert not name.startswith("_")


@pytest.mark.parametrize("package", PUBLIC)
def test_a_package_says_what_it_is(package: str) -> None:
    assert import_module(package).__doc__
