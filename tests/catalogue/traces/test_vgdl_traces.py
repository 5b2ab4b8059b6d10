from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from support.vgdl import text

from ggtp.catalogue.traces.vgdl_traces import check_video_trace, find_text, read_video_traces
from ggtp.vgdl.world.traces import checksum

STATE = [("avatar", 0, 0), ("wall", 10, 0)]


def start(game: str = "g", **changes: Any) -> dict[str, Any]:
    record = {"k": "start", "id": f"{game}_1", "game": game, "level": 0, "seed": 1, "w": 2, "h": 1}
    return record | {"state": STATE, "crc": checksum(STATE)} | changes


def tick(game: str = "g", number: int = 0) -> dict[str, Any]:
    return {
        "k": "t", "id": f"{game}_1", "t": number, "a": "NIL", "score": 0, "win": -1, "rng": 0,
        "del": [], "add": [], "crc": checksum(STATE),
    }  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "g.txt").write_text(text())
    (tmp_path / "g_lvl0.txt").write_text("Aw\n")
    return tmp_path


def write(folder: Path, *records: Any) -> Path:
    path = folder / "t.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(json.dumps(record) for record in records).encode()))
    return path


def test_ticks_belong_to_the_start_before_them(folder: Path) -> None:
    path = write(folder, start(), tick(), tick(number=1), {"k": "stat"}, start("h"), tick("h"), tick(), "odd")
    found = list(read_video_traces(path))
    assert [(item.identity, len(item.ticks), bool(item.problem)) for item in found] == [
        ("g_1", 2, False),
        ("h_1", 1, False),
        ("line 7", 0, True),
        ("line 8", 0, True),
    ]


def verdict(folder: Path, *records: Any, seconds: float = 60) -> tuple[str, str]:
    (trace,) = read_video_traces(write(folder, *records))
    found = check_video_trace(trace, folder, "interpreter", seconds)
    return found.outcome, found.why


def test_verdicts(folder: Path) -> None:
    assert verdict(folder, start(), tick()) == ("passed", "")
    assert verdict(folder, start(w=9), tick()) == ("failed", "w 2, not 9")
    assert verdict(folder, start(), {**tick(), "score": 1}) == ("failed", "in tick 0: score 0, not 1")


def test_what_can_not_be_checked_is_skipped(folder: Path) -> None:
    assert verdict(folder, start("h")) == ("skipped", f"there is no game h in {folder}")
    assert verdict(folder, start(level=3)) == ("skipped", f"there is no level 3 of g in {folder}")
    assert verdict(folder, start(game=None))[0] == "skipped"
    assert verdict(folder, start(seed="x"))[1] == "the trace is damaged: its seed is x"
    assert verdict(folder, start(), tick(), seconds=-1) == ("skipped", "it takes too long")
    (folder / "g_lvl0.txt").write_text("")
    assert verdict(folder, start()) == ("skipped", f"{folder}/g_lvl0.txt:1:1: the level is empty")


def test_games_are_found_below_the_folder_too(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "z.vgdl").write_text("")
    assert find_text(folder, "z") == folder / "sub" / "z.vgdl"
    assert find_text(folder, "../g") == folder / "g.txt"
    assert find_text(folder, "..") is None
    assert find_text(folder, "nothing") is None
