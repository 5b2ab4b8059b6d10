"""Fixtures of these tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ggtp.bench.attack.parts import Site
from ggtp.bench.attack.tally import Tally


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    """A place for a part, with a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return Site(tmp_path, Tally("test"), lambda _text: None, os.environ, lambda: False)
