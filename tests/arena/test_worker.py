"""A worker process: jobs in, results out, and nothing left when its input ends."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.runs import tictactoe

from ggtp.arena.lateness import punctual_loop
from ggtp.arena.messages import Alive, Begin, Moved, News, Play, Played, decode_news, encode
from ggtp.arena.table.seating import Seating
from ggtp.arena.worker import STARTING, Worker
from ggtp.catalogue import Catalogue
from ggtp.driver.listeners import Listeners
from ggtp.tournament.results import Job
from ggtp.tournament.schedule.schedule import Schedule

pytestmark = pytest.mark.process


def test_jobs_in_and_results_out(tmp_path: Path) -> None:
    plan = tictactoe(tmp_path, blocks=3)
    schedule = Schedule(plan)
    jobs = [Job(game) for game in iter(schedule.next, None)]
    lines = [encode(order) for order in (Begin(plan, 2), *map(Play, jobs))]
    with subprocess.Popen(
        [sys.executable, "-m", "ggtp.arena.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"\n".join(lines) + b"\n")
        process.stdin.flush()
        said = []
        while len(said) < len(jobs):
            news = decode_news(process.stdout.readline())
            assert isinstance(news, Alive | Moved | Played)
            if isinstance(news, Played):
                said.append(news.game)
        process.stdin.close()
        assert process.wait() == 0
    assert sorted(game.id for game in said) == sorted(job.game.id for job in jobs)
    assert {game.end for game in said} == {"rules"}


def test_without_a_plan_it_ends() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ggtp.arena.worker"], input="", capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_many_games_at_once_start_their_engines_a_few_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = tictactoe(tmp_path, blocks=5)
    jobs = [Job(game) for game in iter(Schedule(plan).next, None)]
    starting: list[int] = []
    under_way = 0
    original = Seating.lay

    async def lay(seating: Seating, listeners: Listeners) -> None:
        nonlocal under_way
        under_way += 1
        starting.append(under_way)
        try:
            await original(seating, listeners)
        finally:
            under_way -= 1

    monkeypatch.setattr(Seating, "lay", lay)
    said: list[News] = []

    async def script() -> None:
        over = asyncio.Event()

        def say(news: News) -> None:
            said.append(news)
            if len(said) == len(jobs):
                over.set()

        worker = Worker(plan, len(jobs), Catalogue.from_environment(os.environ), say, punctual)
        for job in jobs:
            worker.obey(Play(job))
        await over.wait()
        await worker.close()

    loop, punctual = punctual_loop()
    try:
        loop.run_until_complete(script())
    finally:
        loop.close()
    assert len(jobs) == len(starting) == 10  # each has a table of its own, and engines of its own
    assert max(starting) == STARTING
    games = [news.game for news in said if isinstance(news, Played)]
    assert [game.faults for game in games] == [()] * len(jobs)
