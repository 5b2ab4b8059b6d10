"""A worker process: jobs in, results out, and nothing left when its input ends."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.runs import tictactoe

from ggtp.arena.lateness import punctual_loop
from ggtp.arena.table.moment import Job
from ggtp.arena.table.seating import Seating
from ggtp.arena.worker import STARTING, Worker, job_data, job_from
from ggtp.catalogue import Catalogue
from ggtp.tournament.journal import result_from
from ggtp.tournament.schedule import Schedule


def test_a_job_survives_json(tmp_path: Path) -> None:
    game = Schedule(tictactoe(tmp_path)).next()
    assert game is not None
    job = Job(game, 2, ("Cross A1",))
    assert job_from(json.loads(json.dumps(job_data(job)))) == job


def test_jobs_in_and_results_out(tmp_path: Path) -> None:
    plan = tictactoe(tmp_path, blocks=3)
    schedule = Schedule(plan)
    jobs = [Job(game) for game in iter(schedule.next, None)]
    lines = [json.dumps({"plan": plan.data(), "slots": 2}), *(json.dumps(job_data(job)) for job in jobs)]
    with subprocess.Popen(
        [sys.executable, "-m", "ggtp.arena.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("\n".join(lines) + "\n")
        process.stdin.flush()
        said = []
        while len(said) < len(jobs):
            message = json.loads(process.stdout.readline())
            assert message["kind"] in ("alive", "moves", "result")
            if message["kind"] == "result":
                said.append(result_from(message["result"]))
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

    async def lay(seating: Seating) -> None:
        nonlocal under_way
        under_way += 1
        starting.append(under_way)
        try:
            await original(seating)
        finally:
            under_way -= 1

    monkeypatch.setattr(Seating, "lay", lay)
    said: list[dict[str, Any]] = []

    async def script() -> None:
        over = asyncio.Event()

        def say(message: dict[str, Any]) -> None:
            said.append(message)
            if len(said) == len(jobs):
                over.set()

        worker = Worker(plan, len(jobs), Catalogue.from_environment(os.environ), say, punctual)
        for job in jobs:
            worker.take(job)
        await over.wait()
        await worker.close()

    loop, punctual = punctual_loop()
    try:
        loop.run_until_complete(script())
    finally:
        loop.close()
    assert len(jobs) == len(starting) == 10  # each has a table of its own, and engines of its own
    assert max(starting) == STARTING
    games = [result_from(message["result"]) for message in said]
    assert [game.faults for game in games] == [()] * len(jobs)
