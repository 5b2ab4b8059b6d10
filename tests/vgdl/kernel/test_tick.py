"""The kernel plays as the interpreter does: random games, and recorded ones."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.corpus import is_own, video_folders, video_traces
from support.vgdl_random import first_difference

pytest.importorskip("llvmlite", reason="the compiler is not installed")

from ggtp.catalogue.traces.vgdl_traces import check_video_trace
from ggtp.vgdl.kernel import tick
from ggtp.vgdl.kernel.native import load

pytestmark = pytest.mark.bound(600)  # hundreds of games, by the interpreter too

GAMES = int(os.environ.get("GGTP_VGDL_GAMES", "100"))
"""How many random games are compared; by hand a few thousand."""


@pytest.fixture(autouse=True)
def good_code() -> None:
    """What is compiled with all care is what is compared; other tests run what is compiled hastily."""
    load(None, tick.__name__)


@pytest.mark.parametrize("first", range(0, GAMES, 50))
def test_random_games_are_played_alike(first: int) -> None:
    found = {seed: why for seed in range(first, first + 50) if (why := first_difference(seed))}
    assert found == {}


@pytest.mark.parametrize("folder", video_folders())
def test_recorded_games_are_played_tick_by_tick(folder: Path) -> None:
    verdicts = [check_video_trace(trace, folder / "games", "compiled", 60) for trace in video_traces(folder)]
    assert len(verdicts) >= (4 if is_own(folder) else 40)
    assert [(item.identity, item.why) for item in verdicts if item.outcome != "passed"] == []
