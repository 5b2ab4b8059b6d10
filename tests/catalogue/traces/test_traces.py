"""Trace files of every kind, games that are there or not, and children that end in every way."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from ggtp.catalogue.traces import traces as module
from ggtp.catalogue.traces.traces import KERNELS, Trace, TraceSettings, check_trace, find_game, read_traces
from ggtp.gdl.play.traces import sha1
from ggtp.processes.child import End, Ended

TEXT = """(role p) (init (at 1)) (succ 1 2) (succ 2 3)
    (<= (legal p go) (true (at ?x)) (succ ?x ?y)) (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y) (does p go))
    (<= terminal (true (at 3))) (<= (goal p 100) (true (at 3)))"""


def record(goal: int = 100) -> dict[str, Any]:
    """Two moves of the game above."""
    steps: list[dict[str, Any]] = []
    for n in range(3):
        facts = [f"(at {n + 1})"]
        steps.append({"n": n, "facts": 1, "sha1": sha1(facts), "terminal": n == 2})
        if n:
            steps[n] |= {"add": facts, "del": [f"(at {n})"]}
    steps[0] |= {"legal": {"p": ["go"]}, "move": ["go"]}
    steps[1] |= {"legal": {"p": ["go"]}, "move": ["go"]}
    steps[2] |= {"goals": {"p": goal}}
    return {"game": "games/walk.kif", "roles": ["p"], "initial": ["(at 1)"], "playouts": [{"steps": steps}]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "walk.kif").write_text(TEXT)
    return tmp_path


# Files.


@pytest.mark.parametrize("packed", [False, True])
def test_lines_are_read(tmp_path: Path, packed: bool) -> None:
    lines = ['{"game": "a"}', "", "not json", "[]", '{"game": 5}', '\ufeff{"game": "b"}', "[" * 100_000]
    content = "\n".join(lines).encode() + b"\n\xff\n"
    path = tmp_path / "traces"
    path.write_bytes(gzip.compress(content) if packed else content)
    found = list(read_traces(path))
    assert [trace.game for trace in found] == ["a", "line 3", "line 4", "line 5", "b", "line 7", "line 8"]
    assert [trace.record is not None for trace in found] == [True, False, False, False, True, False, False]
    assert all(trace.problem for trace in found if trace.record is None)


def test_a_damaged_file_gives_what_it_can(tmp_path: Path) -> None:
    path = tmp_path / "traces.gz"
    path.write_bytes(gzip.compress(b'{"game": "a"}\n' * 5)[:-6])
    *_, last = read_traces(path)
    assert "damaged" in last.problem


def test_no_file_at_all(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(read_traces(tmp_path / "none"))


def test_games_are_found(tmp_path: Path) -> None:
    for name in ("games/walk.kif", "games/deep__one.kif", "flat.gdl", "games/sub/two.kif"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    for folder, game, found in (
        (".", "games/walk.kif", "games/walk.kif"),
        ("games", "games/walk.kif", "games/walk.kif"),
        (".", "games/deep/one.kif", None),
        ("games", "games/deep/one.kif", "games/deep__one.kif"),
        (".", "flat", "flat.gdl"),
        (".", "/games/sub/two.kif", "games/sub/two.kif"),
        (".", "games\\sub\\two", "games/sub/two.kif"),
        ("games", "../flat.gdl", None),
        (".", "nothing.kif", None),
        (".", "a" * 5000, None),
        (".", "nul\0", None),
        (".", "", None),
    ):
        expected = None if found is None else tmp_path / found
        assert find_game(tmp_path / folder, game) == expected, game


# Checking.


@pytest.mark.process
@pytest.mark.parametrize("kernel", [*KERNELS, "any"])
def test_every_kernel_checks(folder: Path, kernel: str) -> None:
    settings = TraceSettings(kernel, 60, cache=folder / "cache")
    good = check_trace(Trace("games/walk.kif", record()), folder, settings)
    assert (good.outcome, good.why, good.note) == ("passed", "", "")
    assert good.kernel == ("single" if kernel == "any" else kernel)


@pytest.mark.process
def test_a_difference_is_told(folder: Path) -> None:
    settings = TraceSettings("interpreter")
    bad = check_trace(Trace("games/walk.kif", record(goal=0) | {"file_sha1": "other"}), folder, settings)
    assert bad.outcome == "failed"
    assert bad.why == (
        "playout 1, state 2: the goals of p: missing 0; in excess 100 (the file is not the one that was recorded)"
    )


@pytest.mark.process
@pytest.mark.parametrize(
    ("trace", "why"),
    [
        (Trace("line 4", None, "the line names no game"), "the line names no game"),
        (Trace("games/other.kif", {}), "there is no such file"),
        (Trace("games/walk.kif", {"error": "killed"}), "the trace holds no game: killed"),
        (Trace("games/walk.kif", {"game": "x"}), "the trace can't be used: KeyError: 'roles'"),
        (Trace("games/walk.kif", record() | {"playouts": 5}), "the trace can't be used: TypeError"),
    ],
)
def test_what_cannot_be_checked_is_skipped(folder: Path, trace: Trace, why: str) -> None:
    verdict = check_trace(trace, folder, TraceSettings("interpreter"))
    assert verdict.outcome == "skipped"
    assert why in verdict.why


@pytest.mark.process
def test_rules_that_are_refused_have_failed(folder: Path) -> None:
    (folder / "games" / "walk.kif").write_bytes(b"(role p\xff) (<= (p ?x")
    verdict = check_trace(Trace("games/walk.kif", record()), folder, TraceSettings())
    assert verdict.outcome == "failed"
    assert verdict.why.startswith("the rules are refused: ")


@pytest.mark.process
def test_time_holds(folder: Path) -> None:
    # No interpreter of Python starts within a millisecond.
    verdict = check_trace(Trace("games/walk.kif", record()), folder, TraceSettings("interpreter", 0.001))
    assert (verdict.outcome, verdict.why) == ("skipped", "more than 0.001 s before there was a player")
    assert verdict.seconds < 10


@pytest.mark.process
def test_memory_holds(folder: Path) -> None:
    digits = " ".join(f"(n {n})" for n in range(2000))
    (folder / "games" / "walk.kif").write_text(TEXT + digits + "(<= (next (big ?a ?b)) (n ?a) (n ?b))")
    verdict = check_trace(Trace("games/walk.kif", record()), folder, TraceSettings("interpreter", 60, 200))
    assert (verdict.outcome, verdict.why) == ("skipped", "playing it takes more than 200 MiB")


@pytest.mark.parametrize(
    ("ended", "outcome", "why"),
    [
        (Ended(End.BY_ITSELF, 1, None, "a\nKeyError: 1", 0), "failed", "the table player stopped: KeyError: 1"),
        (Ended(End.BY_ITSELF, -11, None, "", 0), "failed", "the table player stopped: status -11"),
        (Ended(End.BY_ITSELF, -6, None, "LLVM ERROR: out of memory", 0), "skipped", "more than 4096 MiB"),
        (Ended(End.BY_ITSELF, -24, None, "", 0), "skipped", "more than 60 s with the table player"),
        (Ended(End.STOPPED, -9, None, "", 0), "skipped", "stopped"),
    ],
)
def test_a_child_without_a_verdict(
    folder: Path, monkeypatch: pytest.MonkeyPatch, ended: Ended, outcome: str, why: str
) -> None:
    def child(name: str, request: Any, *, on_line: Any, **more: Any) -> Ended:
        assert json.dumps(request)
        on_line({"note": "too big"})
        on_line({"kernel": "table"})
        return ended

    monkeypatch.setattr(module, "run_child", child)
    verdict = check_trace(Trace("games/walk.kif", record()), folder, TraceSettings())
    assert (verdict.outcome, verdict.why, verdict.kernel, verdict.note) == (outcome, why, "table", "too big")


def test_a_line_without_an_end_is_not_read_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_LINE", 1000)
    path = tmp_path / "bomb.jsonl.gz"
    path.write_bytes(gzip.compress(b"x" * 100_000))
    (trace,) = read_traces(path)
    assert trace.problem == "the line has more than 1000 bytes"
