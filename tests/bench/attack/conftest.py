"""Fixtures of these tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.command_line import run

from ggtp.bench.attack.parts import Site
from ggtp.bench.attack.tally import Tally

__all__ = ["run"]


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """A place for a part that has all the time it needs."""
    return Site(tmp_path, Tally("test"), lambda _text: None, os.environ, lambda: False)
