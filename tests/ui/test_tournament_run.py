"""Running in the foreground: Ctrl-C once ends running games, twice stops now; nothing is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from support.runs import engine, results

from ggtp.driver.runner import now


def begin(tmp_path: Path, *faults: str) -> tuple[subprocess.Popen[str], Path]:
    journal = tmp_path / "m.journal"
    players = [f"A={engine(tmp_path, 'good')}", f"B={engine(tmp_path, 'bad', *faults)}"]
    words = ["match", *players, "--rule", "TicTacToe", "--games", "100000", "--journal", str(journal), "--plain"]
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


def test_the_time_is_iso_8601() -> None:
    assert now().endswith("+00:00")
