"""Where pages of the manual are found."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from support.paths import ROOT

from ggtp.ui.manual.pages import find_pages, find_texts, reader, summary


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


def test_every_page_has_its_text() -> None:
    texts = find_texts()
    assert texts.keys() == find_pages(ROOT / "ggtp").keys()
    for topic, path in texts.items():
        assert summary(path.read_text("ascii")), topic


def test_a_text_without_a_name_says_nothing_about_itself() -> None:
    assert summary("DESCRIPTION\n     words\n") == ""


@pytest.mark.process
@pytest.mark.skipif(shutil.which("mandoc") is None, reason="mandoc is not installed")
@pytest.mark.parametrize("topic", find_pages(ROOT / "ggtp"))
def test_the_text_says_what_the_source_says(topic: str) -> None:
    # By words: releases of mandoc differ in how they fill lines.
    command = ["mandoc", "-T", "ascii", "-I", "os=GGTP", "-O", "width=80", str(find_pages(ROOT / "ggtp")[topic])]
    made = re.sub(".\x08", "", subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert find_texts()[topic].read_text("ascii").split() == made.split(), "run `make manual`"


def test_the_reader_is_looked_up(tmp_path: Path) -> None:
    put(tmp_path / "one/man", tmp_path / "two/man")
    (tmp_path / "two/man").chmod(0o755)
    (tmp_path / "one/man").chmod(0o644)
    assert reader({"PATH": f"{tmp_path / 'one'}::{tmp_path / 'two'}"}) == tmp_path / "two/man"
    assert reader({"PATH": str(tmp_path / "one")}) is None
    assert reader({}) is None
