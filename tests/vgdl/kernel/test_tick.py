"""The kernel plays as the interpreter does: random games, and recorded ones."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.corpus import is_own, video_folders, video_traces
from support.vgdl import world
from support.vgdl_random import first_difference

pytest.importorskip("llvmlite", reason="the compiler is not installed")

from ggtp.catalogue.traces.vgdl_traces import check_video_trace
from ggtp.vgdl.kernel import layout as k
from ggtp.vgdl.kernel import tick
from ggtp.vgdl.kernel.model import Model
from ggtp.vgdl.kernel.native import load
from ggtp.vgdl.language.vocabulary import Action

pytestmark = pytest.mark.bound(600)  # hundreds of games, by the interpreter too

GAMES = int(os.environ.get("GGTP_VGDL_GAMES", "100"))
"""How many random games are compared; by hand a few thousand."""


@pytest.fixture(autouse=True)
def good_code() -> None:
    """What is compiled with all care is what is compared; other tests run what is compiled hastily."""
    load(None, tick.__name__)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, GAMES, 50))
def test_random_games_are_played_alike(first: int) -> None:
    found = {seed: why for seed in range(first, first + 50) if (why := first_difference(seed))}
    assert found == {}


@pytest.mark.slow
@pytest.mark.parametrize("folder", video_folders())
def test_recorded_games_are_played_tick_by_tick(folder: Path) -> None:
    verdicts = [check_video_trace(trace, folder / "games", "compiled", 60) for trace in video_traces(folder)]
    assert len(verdicts) >= (4 if is_own(folder) else 40)
    assert [(item.identity, item.why) for item in verdicts if item.outcome != "passed"] == []


def noted(level: str, actions: list[Action]) -> list[tuple[bool, str, str, int]]:
    """Of each collision in some ticks: whether it was a shot's, both types, and the name of what was met."""
    sprites = "avatar > ShootAvatar stype=shot rotateInPlace=False\nshot > Missile\ngem > Resource\nf > Immovable"
    rules = "gem avatar > collectResource scoreChange=2\ngem shot > killSprite\ngem f > stepBack"
    made = world(level, sprites, rules, mapping=". > f\ng > gem\n")
    state = Model(made.game, made.level).start(1)
    ints, floats, scratch, log = state.model.arrays
    found = []
    for action in actions:
        log[k.LOGGED] = 0
        tick.advance(state.numbers, ints, floats, scratch, log, int(action))
        rows = log[k.LOG_HEAD :].reshape(-1, k.EVENT)[: int(log[k.LOGGED])]
        names = [one.name for one in made.game.types]
        found += [
            (bool(row[k.V_SHOT]), names[row[k.V_ACTIVE]], names[row[k.V_PASSIVE]], row[k.V_NAME])
            for row in rows.tolist()
        ]
    return found


def test_collisions_of_the_avatar_and_its_shots_are_noted() -> None:
    assert noted("A.g", [Action.USE]) == []
    assert noted("A.g", [Action.USE, Action.NIL, Action.NIL]) == [(True, "shot", "gem", 2)]
    assert noted("Ag.", [Action.RIGHT]) == [(False, "avatar", "gem", 1)]
