"""The kernel plays as the interpreter does: random games, and recorded ones."""

from __future__ import annotations

import os

import pytest
from support.vgdl import VIDEO_GAMES
from support.vgdl_random import first_difference

pytest.importorskip("llvmlite", reason="the compiler is not installed")

from ggtp.catalogue.traces.vgdl_traces import check_video_trace, read_video_traces
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


@pytest.mark.skipif(not VIDEO_GAMES.is_dir(), reason="the shared games are not here")
def test_recorded_games_are_played_tick_by_tick() -> None:
    seen: set[str] = set()
    wrong = []
    for trace in read_video_traces(VIDEO_GAMES / "traces.jsonl.gz"):
        if trace.game in seen and "GGTP_ALL_TRACES" not in os.environ:
            continue
        seen.add(trace.game)
        verdict = check_video_trace(trace, VIDEO_GAMES / "games", "compiled", 60)
        wrong += [(verdict.identity, verdict.why)] if verdict.outcome != "passed" else []
    assert len(seen) >= 40
    assert wrong == []
