"""Which sandbox works here."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ggtp.processes.sandbox import available as module
from ggtp.processes.sandbox.available import available

pytestmark = pytest.mark.process


@pytest.fixture(autouse=True)
def _anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "available", available.__wrapped__)


def found() -> module.Available:
    return module.available()


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bwrap is not installed")
def test_what_is_installed_is_tried() -> None:
    there = found()
    assert (there.bubblewrap is None) == bool(there.missing)


def test_where_it_is_not_installed_the_remedy_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(module, "PLACES", (str(tmp_path),))
    monkeypatch.setenv("PATH", str(tmp_path))
    there = found()
    assert there.bubblewrap is None
    assert "install bubblewrap" in there.missing


def test_where_it_does_not_work_its_words_are_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho 'bwrap: no permissions to create a namespace' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setattr(module, "PLACES", (str(tmp_path),))
    there = found()
    assert there.bubblewrap is None
    assert "no permissions to create a namespace" in there.missing
