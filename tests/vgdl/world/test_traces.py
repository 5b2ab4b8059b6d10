from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.corpus import is_own, video_folders, video_traces
from support.vgdl import game

from ggtp.catalogue.traces.vgdl_traces import check_video_trace
from ggtp.vgdl.language.level import Level, parse_level
from ggtp.vgdl.world.traces import Interpreted, TraceError, check_start, check_trace, checksum, player, seed_of

GAME = game("x > Passive\n", "x avatar > killSprite scoreChange=2", mapping="x > x\n")
LEVEL: Level = parse_level("Ax", GAME)
AVATAR = {"type": "avatar", "x": 0, "y": 0, "o": [0, 0], "alive": 1, "hp": 0}


def start() -> dict[str, Any]:
    state = [["avatar", 0, 0], ["x", 10, 0]]
    crc = checksum([("avatar", 0, 0), ("x", 10, 0)])
    return {"state": state, "crc": crc, "avatar": AVATAR, "seed": 4, "w": 2, "h": 1, "block": 10}


def tick(**changes: Any) -> dict[str, Any]:
    crc = checksum([("avatar", 10, 0)])
    record = {
        "t": 0, "a": "RIGHT", "score": 2, "win": -1, "avatar": {**AVATAR, "x": 10}, "crc": crc, "rng": 0,
        "del": [["avatar", 0, 0], ["x", 10, 0]], "add": [["avatar", 10, 0]],
    }  # fmt: skip
    return record | changes


def check(*ticks: dict[str, Any]) -> str:
    return check_trace(Interpreted(GAME, LEVEL, 0), start(), ticks)


def test_a_trace_that_agrees() -> None:
    assert check(tick()) == ""
    assert check_start(GAME, LEVEL, start()) == ""
    assert seed_of(start()) == 4
    assert player("interpreter", GAME, LEVEL, 0).figures()["score"] == 0


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"score": 3}, "in tick 0: score 2, not 3"),
        ({"win": 1, "end": 1}, "in tick 0: win -1, not 1, end 0, not 1"),
        ({"rng": 1}, "in tick 0: rng 0, not 1"),
        ({"avatar": {**AVATAR, "x": 20}}, "in tick 0: the avatar's x is 10, not 20"),
        ({"avatar": {**AVATAR, "x": 10, "res": {"x": 1}}}, "in tick 0: the avatar has {}, not {'x': 1}"),
        ({"del": [], "crc": 1}, "in tick 0: lacks avatar 0 0, x 10 0"),
        ({"add": [], "crc": 1}, "in tick 0: has also avatar 10 0"),
    ],
)
def test_every_difference_is_found(changes: dict[str, Any], why: str) -> None:
    assert check(tick(**changes)) == why


def test_another_level_is_found() -> None:
    assert check_start(GAME, LEVEL, {**start(), "w": 7}) == "w 2, not 7"
    assert check_trace(Interpreted(GAME, LEVEL, 0), {**start(), "state": [], "crc": 0}, []).startswith(
        "before the first"
    )


def test_a_damaged_trace_is_told() -> None:
    with pytest.raises(TraceError):
        check({"t": 0})
    with pytest.raises(TraceError):
        check(tick(a="FLY"))
    with pytest.raises(TraceError):
        seed_of({"seed": "x"})


def test_hurry_is_asked_in_every_tick() -> None:
    calls: list[int] = []
    check_trace(Interpreted(GAME, LEVEL, 0), start(), [tick()], lambda: calls.append(1))
    assert calls == [1]


@pytest.mark.slow
@pytest.mark.parametrize("folder", video_folders())
def test_recorded_games_are_played_tick_by_tick(folder: Path) -> None:
    verdicts = [check_video_trace(trace, folder / "games", "interpreter", 60) for trace in video_traces(folder)]
    assert len(verdicts) >= (4 if is_own(folder) else 40)
    assert [json.dumps([item.identity, item.why]) for item in verdicts if item.outcome != "passed"] == []
