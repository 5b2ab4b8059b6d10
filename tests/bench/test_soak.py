"""`ggtp bench soak`: what grows or is left is found, and nothing is where all is well."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.runs import engine

from ggtp.bench.soak import MANY_GAMES, Figures, Look, complaints, steepness


@pytest.mark.process
def test_nothing_is_left_of_a_short_one(run: Any, tmp_path: Path) -> None:
    ran = run("bench", "soak", "--games", "30", "--engine", engine(tmp_path, "good"), "--json")
    assert (ran.status, ran.err) == (0, "")
    data = json.loads(ran.out)
    assert set(data) == set(Figures.__slots__)
    assert data["games"] >= 30
    assert data["processes_seen"] >= 5  # we, two workers, and engines
    assert [data[name] for name in ("faults", "processes_left", "files_left", "complaints")] == [0, 0, 0, []]
    assert data["memory_last_kib"] > 0
    assert data["files_last"] > 0


@pytest.mark.process
def test_faults_are_complained_of(run: Any, tmp_path: Path) -> None:
    bad = engine(tmp_path, "bad", "--fault", "illegal")
    ran = run("bench", "soak", "--games", "2", "--engine", bad, "--concurrency", "1")
    assert ran.status == 1
    assert ran.out.splitlines()[-1].endswith("faults.")
    assert "games in" in ran.out


def test_what_can_not_be_played(run: Any) -> None:
    ran = run("bench", "soak", "--engine", "Nobody")
    assert ran.status == 1
    assert "Nobody" in ran.err


def looks(*files: int) -> list[Look]:
    return [Look(MANY_GAMES * (n + 1), 1000, count, 0, float(n)) for n, count in enumerate(files)]


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({}, ()),
        ({"slope": 100.0}, ("Memory grows by 100.0 KiB in 1000 games.",)),
        ({"looks": looks(10, 40)}, ("30 more files are open than at the beginning.",)),
        ({"files_left": 3}, ("3 files are still open.",)),
        ({"left": 2}, ("2 processes are left.",)),
        ({"zombies": 9}, ("9 processes had ended and were not seen to.",)),
        ({"slope": 100.0, "looks": [Look(50, 1, 1, 0, 0.0)]}, ()),
    ],
)
def test_complaints(given: dict[str, Any], found: tuple[str, ...]) -> None:
    all_is_well = {"looks": looks(10, 12), "slope": 0.1, "faults": 0, "files_left": 0, "left": 0, "zombies": 1}
    assert complaints(**{**all_is_well, **given}, concurrency=2) == found


def test_steepness() -> None:
    assert steepness([]) == steepness([(1, 2)]) == steepness([(1, 2), (1, 3)]) == 0.0
    assert steepness([(0, 1), (1, 3), (2, 5)]) == pytest.approx(2.0)
