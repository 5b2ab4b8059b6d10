"""`ggtp check --traces`: one line of JSON, progress beside it, and a status that tells whether anything failed."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from ggtp.catalogue.traces.traces import TraceVerdict
from ggtp.gdl.play.traces import sha1
from ggtp.ui.commands.traces import LONG, data, report, shortened

TEXT = "(role p) (init s) (legal p go) (<= terminal (true s)) (goal p 100) (<= (next s) (does p go))"


def record(game: str, goal: int = 100) -> dict[str, Any]:
    step = {"n": 0, "facts": 1, "sha1": sha1(["s"]), "terminal": True, "goals": {"p": goal}}
    return {"game": game, "roles": ["p"], "initial": ["s"], "playouts": [{"steps": [step]}]}


@pytest.fixture
def traces(tmp_path: Path) -> Any:
    """Writes traces of two games; gives the words of the command."""
    (tmp_path / "games").mkdir()
    for name in ("one", "two"):
        (tmp_path / "games" / f"{name}.kif").write_text(TEXT)

    def write(*records: Any) -> list[str]:
        path = tmp_path / "traces.jsonl.gz"
        path.write_bytes(gzip.compress("\n".join(json.dumps(item) for item in records).encode()))
        return ["check", "--traces", str(path), "--games", str(tmp_path), "--kernel", "interpreter"]

    return write


@pytest.mark.process
def test_all_pass(run: Any, traces: Any) -> None:
    ran = run(*traces(record("games/one.kif"), record("games/two.kif")), "--json")
    assert ran.status == 0
    assert ran.out.count("\n") == 1
    found = json.loads(ran.out)
    assert found == {"passed": ["games/one.kif", "games/two.kif"], "failed": [], "skipped": [], "interpreted": []}
    assert [line.split()[:3] for line in ran.err.splitlines()] == [
        ["1", "games/one.kif", "passed"],
        ["2", "games/two.kif", "passed"],
    ]


@pytest.mark.process
def test_one_fails_and_one_is_not_there(run: Any, traces: Any) -> None:
    words = traces(record("games/one.kif", goal=1), record("games/three.kif"), "nonsense")
    ran = run(*words, "--json")
    assert ran.status == 1
    found = json.loads(ran.out)
    why = "playout 1, state 0: the goals of p: missing 1; in excess 100"
    assert found["failed"] == [{"game": "games/one.kif", "why": why}]
    assert [item["game"] for item in found["skipped"]] == ["games/three.kif", "line 3"]
    ran = run(*words)
    assert ran.status == 1
    assert ran.out.splitlines()[0] == f"failed: games/one.kif: {why}"
    assert ran.out.splitlines()[-1] == "0 passed, 1 failed, 2 skipped."


def test_what_is_skipped_is_no_failure(run: Any, traces: Any) -> None:
    assert run(*traces(record("games/three.kif"))).status == 0


@pytest.mark.process
def test_some_games_only(run: Any, traces: Any) -> None:
    words = traces(record("games/one.kif"), record("games/two.kif"), record("more/three.kif"))
    for patterns, games in (
        (["one"], ["games/one.kif"]),
        (["t*"], ["games/two.kif", "more/three.kif"]),
        (["*.kif", "none"], ["games/one.kif", "games/two.kif", "more/three.kif"]),
        (["games/*"], ["games/one.kif", "games/two.kif"]),
        (["more/*", "?ne"], ["games/one.kif", "more/three.kif"]),
    ):
        options = [word for pattern in patterns for word in ("--only", pattern)]
        found = json.loads(run(*words, *options, "--json").out)
        assert sorted([*found["passed"], *(item["game"] for item in found["skipped"])]) == games
    ran = run(*words, "--only", "four")
    assert (ran.status, "no such traces" in ran.err) == (1, True)
    ran = run("check", "gdl/tictactoe", "--only", "one")
    assert (ran.status, "--traces" in ran.err) == (2, True)


def test_wrong_arguments(run: Any, traces: Any, tmp_path: Path) -> None:
    words = traces(record("games/one.kif"))
    assert run(*words, "tictactoe").status == 2
    assert run(*words, "--time", "0").status == 2
    assert run(*words, "--kernel", "magic").status == 2
    ran = run("check", "--traces", words[2])
    assert (ran.status, "--games FOLDER" in ran.err) == (1, True)
    assert run("check", "--traces", words[2], "--games", str(tmp_path / "none")).status == 1
    ran = run("check", "--traces", str(tmp_path / "none"), "--games", str(tmp_path))
    assert (ran.status, "No such file" in ran.err) == (1, True)
    (tmp_path / "empty").write_text("\n")
    ran = run("check", "--traces", str(tmp_path / "empty"), "--games", str(tmp_path))
    assert (ran.status, "no traces" in ran.err) == (1, True)


def test_who_was_interpreted_is_told() -> None:
    verdicts = [TraceVerdict("a", "passed", "", "interpreter", "Too big.", 2.0)]
    assert data(verdicts)["interpreted"] == [{"game": "a", "why": "Too big."}]
    assert report(verdicts) == ["interpreted: a: Too big.", "1 passed, 0 failed, 0 skipped."]


def test_long_reasons_are_cut() -> None:
    assert shortened("a\n  b") == "a b"
    assert len(shortened("x" * 1000)) == LONG + 3
