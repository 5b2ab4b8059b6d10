"""Where pages of the manual are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from ggtp.ui.manual.pages import find_pages, reader, title


def put(*paths: Path) -> None:
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def test_a_checkout_has_its_pages_beside_the_package(tmp_path: Path) -> None:
    put(tmp_path / "pyproject.toml", tmp_path / "man/ggtp.1", tmp_path / "man/ggtp-rules.7", tmp_path / "man/notes.txt")
    assert find_pages(tmp_path / "ggtp") == {
        "ggtp": tmp_path / "man/ggtp.1",
        "rules": tmp_path / "man/ggtp-rules.7",
    }


@pytest.mark.parametrize("package", ["lib/python3.11/site-packages/ggtp", "ggtp", "lib/python3/dist-packages/ggtp"])
def test_an_installed_package_has_them_below_its_prefix(tmp_path: Path, package: str) -> None:
    put(tmp_path / "share/man/man1/ggtp.1", tmp_path / "share/man/man7/ggtp-tell-tale.7", tmp_path / "man/ggtp-x.1")
    assert list(find_pages(tmp_path / package)) == ["ggtp", "tell-tale"]


def test_no_pages_are_no_failure(tmp_path: Path) -> None:
    assert find_pages(tmp_path / "a/b/c/d/e/f/ggtp") == {}


def test_titles() -> None:
    assert title(Path("man/ggtp-rules.7")) == "ggtp-rules(7)"


def test_the_reader_is_looked_up(tmp_path: Path) -> None:
    put(tmp_path / "one/man", tmp_path / "two/man")
    (tmp_path / "two/man").chmod(0o755)
    (tmp_path / "one/man").chmod(0o644)
    assert reader({"PATH": f"{tmp_path / 'one'}::{tmp_path / 'two'}"}) == tmp_path / "two/man"
    assert reader({"PATH": str(tmp_path / "one")}) is None
    assert reader({}) is None
