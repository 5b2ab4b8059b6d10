"""Games on a real Dask cluster: a scheduler and two workers, one of which is killed."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.runs import games, results, run, tictactoe

from ggtp.arena import cluster
from ggtp.arena.cluster import Cluster, NoCluster
from ggtp.arena.messages import Begin, Play, Played, decode_news, encode
from ggtp.arena.runner import Runner, RunnerListeners, open_runner
from ggtp.tournament.results import Job
from ggtp.tournament.schedule.schedule import Schedule

pytest.importorskip("distributed", reason="dask.distributed is not installed")


class Dask:
    """A scheduler and its workers, each a process."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "scheduler.json"
        self._folder = folder
        self.processes = [self._start("scheduler", "--port", "0", "--no-dashboard", "--host", "127.0.0.1")]
        while not self.address:
            assert self.processes[0].poll() is None
        for _ in range(2):
            self.processes.append(self._start("worker", "--nthreads", "1", "--no-nanny", "--no-dashboard"))

    def _start(self, what: str, *words: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.dask_{what}", "--scheduler-file", str(self._file), *words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self._folder,
        )

    @property
    def address(self) -> str:
        try:
            return str(json.loads(self._file.read_text())["address"])
        except (OSError, ValueError, KeyError):
            return ""

    def end(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[Dask]:
    there = Dask(tmp_path)
    yield there
    there.end()


@pytest.mark.process
@pytest.mark.bound(400)
def test_a_lost_worker_loses_no_game_and_doubles_none(dask: Dask, tmp_path: Path) -> None:
    plan = tictactoe(tmp_path, blocks=10, seed=5)
    path = tmp_path / "a.journal"
    killed: list[int] = []

    def result(_game: object) -> None:
        if runner.played == 6:
            victim = dask.processes[1]
            os.kill(victim.pid, signal.SIGKILL)
            killed.append(victim.pid)

    runner, journal = open_runner(plan, path, listeners=RunnerListeners(result=result))
    asyncio.run(runner.run(lambda on_message, on_lost: Cluster(plan, dask.address, on_message, on_lost)))
    journal.close()
    assert killed
    assert runner.ended
    found = results(path)
    assert [game.id for game in found.games] == [f"{block}.{index}" for block in range(1, 11) for index in (0, 1)]
    assert not found.void
    run(plan, tmp_path / "b.journal")
    assert games(path) == games(tmp_path / "b.journal")


@pytest.mark.process
@pytest.mark.bound(400)
def test_a_game_that_was_interrupted_goes_on_with_its_moves(dask: Dask, tmp_path: Path) -> None:
    plan = tictactoe(tmp_path, "--fault", "hang")  # it thinks for ever after the first move
    path = tmp_path / "a.journal"
    runner, journal = open_runner(plan, path)

    async def script() -> None:
        task = asyncio.ensure_future(
            runner.run(lambda on_message, on_lost: Cluster(plan, dask.address, on_message, on_lost))
        )
        while not any(live.job.moves for live in runner.running.values()):
            await asyncio.wait([task], timeout=0.05)
            assert not task.done()
        runner.stop()
        await task

    asyncio.run(script())
    journal.close()
    moves = [game.moves for game in results(path).running if game.moves]
    assert moves
    assert moves[0] == ("Cross A1",)


def test_nobody_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.3)
    plan = tictactoe(tmp_path)
    runner, journal = open_runner(plan, tmp_path / "a.journal")
    with pytest.raises(NoCluster, match=r"tcp://127\.0\.0\.1:9"):
        asyncio.run(runner.run(lambda on_message, on_lost: Cluster(plan, "tcp://127.0.0.1:9", on_message, on_lost)))
    journal.close()


def test_without_the_library_there_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(cluster, "import_module", refuse)
    runner: Runner
    runner, journal = open_runner(tictactoe(tmp_path), tmp_path / "a.journal")
    with pytest.raises(NoCluster, match=r"ggtp\[cluster\]"):
        asyncio.run(runner.run(lambda on_message, on_lost: Cluster(runner.plan, "x", on_message, on_lost)))
    journal.close()


@pytest.mark.process
def test_a_task_plays_and_its_process_waits_for_the_next(tmp_path: Path) -> None:
    plan = tictactoe(tmp_path)
    begin = encode(Begin(plan, 1))
    jobs = [Job(game) for game in iter(Schedule(plan).next, None)]
    try:
        first = decode_news(cluster.play_job(begin, encode(Play(jobs[0]))))
        (hand,) = cluster._idle
        second = decode_news(cluster.play_job(begin, encode(Play(jobs[1]))))
        assert cluster._idle == [hand]
    finally:
        cluster.release()
    assert isinstance(first, Played)
    assert isinstance(second, Played)
    assert [first.game.end, second.game.end] == ["rules", "rules"]
    assert cluster._idle == []
