"""Running in the foreground: Ctrl-C once ends running games, twice stops now; nothing is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.runs import engine, results

from ggtp.arena.control import ask
from ggtp.arena.runner import now


def begin(tmp_path: Path, *faults: str) -> tuple[subprocess.Popen[str], Path]:
    journal = tmp_path / "m.journal"
    players = [f"A={engine(tmp_path, 'good')}", f"B={engine(tmp_path, 'bad', *faults)}"]
    words = [
        "match",
        *players,
        "--rule",
        "TicTacToe",
        "--games",
        "100000",
        "--journal",
        str(journal),
        "--plain",
        "--repeats",
        "0",
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "ggtp", *words, "--concurrency", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    return process, journal


def wait_for(journal: Path, kind: str, count: int, process: subprocess.Popen[str]) -> None:
    """Until the journal has so many lines of a kind."""
    while not journal.exists() or journal.read_text("utf-8").count(f'"kind":"{kind}"') < count:
        assert process.poll() is None, process.communicate()
        os.sched_yield()


@pytest.mark.process
def test_one_interrupt_ends_the_running_games(tmp_path: Path) -> None:
    process, journal = begin(tmp_path)
    wait_for(journal, "result", 3, process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 3
    assert "No more games are begun: interrupted; once more stops now" in out
    assert f"ggtp tournament {journal}" in err
    found = results(journal)
    assert not any(game.moves for game in found.running)
    assert len(found.games) >= 3
    assert found.happened[-1].kind == "pause"


@pytest.mark.process
def test_two_interrupts_stop_now(tmp_path: Path) -> None:
    process, journal = begin(tmp_path, "--fault", "hang")
    wait_for(journal, "moves", 1, process)
    process.send_signal(signal.SIGINT)
    assert process.stdout is not None
    while "No more games" not in process.stdout.readline():
        pass
    process.send_signal(signal.SIGINT)
    process.communicate()
    assert process.returncode == 3
    assert results(journal).running


@pytest.mark.process
def test_a_reader_that_is_gone_stops_nothing(tmp_path: Path) -> None:
    process, journal = begin(tmp_path)
    assert process.stdout is not None
    process.stdout.close()
    wait_for(journal, "result", 20, process)
    process.send_signal(signal.SIGINT)
    process.wait()
    assert results(journal).happened[-1].kind == "pause"
    assert process.stderr is not None
    assert "Traceback" not in process.stderr.read()


def test_the_time_is_iso_8601() -> None:
    assert now().endswith("+00:00")


@pytest.mark.process
def test_it_is_managed_from_another_terminal(run: Any, tmp_path: Path) -> None:
    process, journal = begin(tmp_path)
    wait_for(journal, "result", 2, process)
    paused = run("watch", str(journal), "--pause", "--why", "lunch")
    assert (paused.status, paused.out, paused.err) == (0, "Done\n", "")
    assert run("watch", str(journal), "--once").out.startswith("match: paused, ")
    again = run("watch", str(journal), "--pause")
    assert (again.status, again.err) == (1, "ggtp: It is paused already.\n")
    while not ask(journal, "show_tournament")[-1].endswith(" 0 running"):  # games end that were begun
        os.sched_yield()
    games = len(results(journal).games)
    assert run("watch", str(journal), "--resume").status == 0
    wait_for(journal, "result", games + 2, process)
    assert run("watch", str(journal), "--stop").status == 0
    out, err = process.communicate()
    assert process.returncode == 1
    assert "Paused by" in out
    assert f"ggtp tournament {journal}" in err
    acts = [event for event in results(journal).happened if event.kind != "note"]
    assert [event.kind for event in acts] == ["pause", "resume", "pause"]
    assert acts[0].text.endswith(": lunch")
    gone = run("watch", str(journal), "--stop")
    assert (gone.status, gone.err) == (1, f"ggtp: No tournament that runs here writes {journal}.\n")
