"""The pool: games are given to processes, and a process that is lost is replaced."""

from __future__ import annotations

import asyncio
import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest
from support.runs import tictactoe

from ggtp.arena import pool as pool_module
from ggtp.arena.messages import Moved, News, Played, Withdrawn
from ggtp.arena.pool import Pool, default_concurrency
from ggtp.tournament.results import Job
from ggtp.tournament.schedule.schedule import Schedule


@pytest.mark.process
def test_every_job_has_one_result_and_no_process_is_left(tmp_path: Path) -> None:
    plan = tictactoe(tmp_path, blocks=4)
    jobs = [Job(game) for game in iter(Schedule(plan).next, None)]
    said: list[Played] = []

    async def script() -> list[int]:
        over = asyncio.Event()

        def heard(news: News) -> None:
            if isinstance(news, Played):
                said.append(news)
            if len(said) == len(jobs):
                over.set()

        pool = Pool(plan, 3, heard, lambda _jobs, why, _players: pytest_fail(why), cores=2)
        await pool.start()
        assert pool.room == 5
        for job in jobs:
            pool.give(job)
        pids = [hand.process.pid for hand in pool._hands if hand.process is not None]
        await over.wait()
        assert pool.room == 5
        await pool.close()
        return pids

    pids = asyncio.run(script())
    assert len(pids) == 2
    assert all(not os.path.exists(f"/proc/{pid}") for pid in pids)
    assert len({played.game.id for played in said}) == len(jobs)


def pytest_fail(why: str) -> None:
    raise AssertionError(why)


@pytest.mark.process
def test_a_worker_that_is_killed_is_replaced_and_its_games_are_told(tmp_path: Path) -> None:
    plan = tictactoe(tmp_path, "--fault", "hang", time={"move": 0, "patience": 100_000})
    jobs = [Job(game) for game in iter(Schedule(plan).next, None)]
    lost: list[tuple[list[Job], str, frozenset[str]]] = []

    async def script() -> None:
        over = asyncio.Event()

        def on_lost(gone: list[Job], why: str, players: frozenset[str]) -> None:
            lost.append((gone, why, players))
            over.set()

        pool = Pool(plan, 1, lambda _news: None, on_lost, cores=1)
        await pool.start()
        pool.give(jobs[0])
        process = pool._hands[0].process
        assert process is not None
        os.kill(process.pid, signal.SIGKILL)
        await over.wait()
        assert pool.alive
        assert pool.room == 2
        await pool.close()

    asyncio.run(script())
    ((gone, why, players),) = lost
    assert gone == [jobs[0]]
    assert "worker" in why
    assert players == {"Good", "Bad"}


@pytest.mark.process
@pytest.mark.parametrize("told", [True, False])
def test_a_worker_that_is_stopped_or_stuck_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: bool
) -> None:
    monkeypatch.setattr(pool_module, "SILENT_SECONDS", 1.0)
    if not told:  # as on a system that does not tell
        monkeypatch.setattr(pool_module, "is_stopped", lambda _pid: False)
    plan = tictactoe(tmp_path)
    game = Schedule(plan).next()
    assert game is not None
    lost: list[str] = []

    async def script() -> None:
        over = asyncio.Event()

        def on_lost(_gone: list[Job], why: str, _players: frozenset[str]) -> None:
            lost.append(why)
            over.set()

        pool = Pool(plan, 1, lambda _news: None, on_lost, cores=1)
        await pool.start()
        process = pool._hands[0].process
        assert process is not None
        os.kill(process.pid, signal.SIGSTOP)
        pool.give(Job(game))
        await over.wait()
        await pool.close()

    asyncio.run(script())
    assert ("was stopped by a signal" if told else "was stuck for 1 s") in lost[0]


@pytest.mark.process
def test_jobs_that_a_lost_worker_had_not_begun_are_given_back(tmp_path: Path) -> None:
    plan = tictactoe(tmp_path, "--fault", "hang", time={"move": 0, "patience": 100_000})
    jobs = [Job(game) for game in iter(Schedule(plan).next, None)]
    lost: list[Job] = []
    back: list[Job] = []

    async def script() -> None:
        over, moved = asyncio.Event(), asyncio.Event()

        def heard(news: News) -> None:
            if isinstance(news, Moved):
                moved.set()
            elif isinstance(news, Withdrawn):
                back.extend(news.jobs)

        def on_lost(gone: list[Job], _why: str, _players: frozenset[str]) -> None:
            lost.extend(gone)
            over.set()

        pool = Pool(plan, 1, heard, on_lost, cores=1)
        await pool.start()
        for job in jobs:
            pool.give(job)
        await moved.wait()
        process = pool._hands[0].process
        assert process is not None
        os.kill(process.pid, signal.SIGKILL)
        await over.wait()
        await pool.close()

    asyncio.run(script())
    assert (lost, back) == (jobs[:1], jobs[1:])


@pytest.mark.process
def test_a_game_that_is_played_apart_has_a_worker_of_its_own(tmp_path: Path) -> None:
    plan = tictactoe(tmp_path, blocks=2)
    jobs = [Job(game) for game in iter(Schedule(plan).next, None)]
    jobs[1] = replace(jobs[1], apart=True)
    order: list[str] = []
    rooms: list[int] = []

    async def script() -> None:
        two, over = asyncio.Event(), asyncio.Event()

        def heard(news: News) -> None:
            if isinstance(news, Played):
                order.append(news.game.id)
                rooms.append(pool.room)
            if len(order) == 2:
                two.set()
            if len(order) == len(jobs):
                over.set()

        pool = Pool(plan, 2, heard, lambda _jobs, why, _players: pytest_fail(why), cores=1)
        await pool.start()
        pool.give(jobs[0])
        pool.give(jobs[1])
        assert pool.room == 0  # the worker has to become free first
        await two.wait()
        for job in jobs[2:]:
            pool.give(job)
        await over.wait()
        await pool.close()

    asyncio.run(script())
    assert order[:2] == [jobs[0].id, jobs[1].id]
    assert rooms[0] == 0
    assert rooms[1] > 0
    assert set(order) == {job.id for job in jobs}


def test_there_is_always_somebody_to_play() -> None:
    assert default_concurrency() >= 1
