"""Plans with small engines that start fast, and runs of them."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from support.paths import FAKES

from ggtp.arena.control import ask, controlled
from ggtp.arena.journal_file import TournamentJournal
from ggtp.arena.pool import Pool
from ggtp.arena.preparation import complete, prepare, settle_deals
from ggtp.arena.runner import Runner, RunnerListeners
from ggtp.catalogue import Catalogue
from ggtp.driver.tasks import in_thread
from ggtp.tournament.journal.journal import read_journal
from ggtp.tournament.plan.plan import Plan, plan_from
from ggtp.tournament.results import Game, Results

Say = Callable[[str], Awaitable[str]]


def engine(folder: Path, name: str, *args: str) -> str:
    """The path of a description of the fake engine that plays the first free square, with these arguments."""
    path = folder / f"{name}.toml"
    argv = ["{python}", "-S", str(FAKES / "bad_engine.py"), "{endpoint}", *args]
    path.write_text(f'name = "{name}"\nargv = {json.dumps(argv)}\ntransport = "stdio"\n', "utf-8")
    return str(path)


def tictactoe(folder: Path, *faults: str, **changes: Any) -> Plan:
    """A plan for TicTacToe between a good engine and one with these arguments."""
    players = [
        {"name": "Good", "engine": engine(folder, "good")},
        {"name": "Bad", "engine": engine(folder, "bad", *faults)},
    ]
    return plan_of({"player": players, "rule": [{"rule": "TicTacToe"}], **changes})


def plan_of(data: dict[str, Any]) -> Plan:
    """A complete plan, which is repeatable."""
    catalogue = Catalogue.from_environment(os.environ)
    return complete(plan_from(prepare({"seed": 0, "repeats": 0, **data}, catalogue, Path.cwd())), catalogue)


def run(
    plan: Plan | None,
    path: Path,
    concurrency: int = 2,
    prepare: Callable[[Runner], None] | None = None,
    result: Callable[[Runner], object] | None = None,
) -> Runner:
    """Run a plan, or go on with a journal; the runner afterwards. After each result, something may be done to it."""

    def heard(_game: Game) -> None:
        if result is not None:
            result(runner)

    if plan is not None:
        plan = settle_deals(plan, Catalogue.from_environment(os.environ), os.environ)
    journal = TournamentJournal(path)
    try:
        when, listeners = "2026-01-01T00:00:00+00:00", RunnerListeners(result=heard)
        runner = Runner(plan, journal, version="test", now=lambda: when, listeners=listeners)
        if prepare is not None:
            prepare(runner)
        asyncio.run(
            runner.run(lambda on_message, on_lost: Pool(runner.plan, concurrency, on_message, on_lost, cores=2))
        )
    finally:
        journal.close()
    return runner


def results(path: Path) -> Results:
    """What a journal says."""
    return read_journal(path.read_bytes(), str(path))


def games(path: Path) -> dict[str, tuple[tuple[str, ...], dict[str, float]]]:
    """Every game that counts: its moves and scores."""
    return {game.id: (game.moves, dict(game.scores)) for game in results(path).games}


def during(folder: Path, path: Path, script: Callable[[Runner, Say], Awaitable[None]], *faults: str) -> list[str]:
    """Run a long tournament while a script talks to it from outside; what it said."""
    journal = TournamentJournal(path)
    runner = Runner(tictactoe(folder, *faults, blocks=100_000), journal, version="test", now=lambda: "now")

    async def say(line: str) -> str:
        return (await in_thread(ask, path, line))[-1]

    async def main() -> None:
        async with controlled(runner):
            task = asyncio.ensure_future(runner.run(lambda *told: Pool(runner.plan, 2, *told, cores=2)))
            try:
                await script(runner, say)
            finally:
                runner.stop()
                await task

    try:
        asyncio.run(main())
    finally:
        journal.close()
    return list(runner.log)
