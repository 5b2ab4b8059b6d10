"""A worker process: jobs in, results out, and nothing left when its input ends."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from support.runs import tictactoe

from ggtp.driver.game_table import Job
from ggtp.driver.worker import job_data, job_from
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
        [sys.executable, "-m", "ggtp.driver.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
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
        [sys.executable, "-m", "ggtp.driver.worker"], input="", capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "")
