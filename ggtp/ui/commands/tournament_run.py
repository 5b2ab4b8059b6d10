"""Runs a tournament in the foreground: a dashboard or plain lines, and Ctrl-C once or twice."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from ggtp.arena.calibration import measure_jitter
from ggtp.arena.checking import Problem, check_engines
from ggtp.arena.control import controlled
from ggtp.arena.pool import Pool
from ggtp.arena.runner import MakePlayers, Runner
from ggtp.catalogue import Catalogue
from ggtp.tournament.plan.plan import Plan
from ggtp.tournament.results import Game
from ggtp.tournament.standings.table import sprt_words
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.output import complain, say

PLAIN_SECONDS = 10.0
"""How often plain lines say how far it is, where no game says so."""

REFRESH_SECONDS = 0.25


class View(Protocol):
    """Shows how a tournament goes."""

    def begin(self, runner: Runner) -> None:
        """It begins."""

    def refresh(self) -> None:
        """Some time has passed."""

    def end(self) -> None:
        """It is over, for now."""

    def result(self, game: Game) -> None:
        """A game has ended, and its result counts."""

    def log(self, text: str) -> None:
        """Something has happened that people want to read."""


class Quiet:
    """Shows nothing but what goes wrong, on standard error."""

    def __init__(self, env: Environment) -> None:
        self._env = env

    def begin(self, runner: Runner) -> None:
        pass

    def refresh(self) -> None:
        pass

    def end(self) -> None:
        pass

    def result(self, game: Game) -> None:
        pass

    def log(self, text: str) -> None:
        complain(self._env.stderr, text)


class Lines:
    """A line for each result, or every few seconds where there are many: for logs."""

    def __init__(self, env: Environment) -> None:
        self._env = env
        self._runner: Runner | None = None
        self._last = 0.0

    def begin(self, runner: Runner) -> None:
        self._runner = runner
        total = f" of {runner.ledger.total}" if runner.ledger.total is not None else ""
        if runner.resumed:
            self.log(f"Going on with {runner.plan.name}: {runner.ledger.standings.games}{total} games are played.")

    def result(self, game: Game) -> None:
        now = time.monotonic()
        runner = self._runner
        assert runner is not None
        if now - self._last < PLAIN_SECONDS and runner.rate > 1:
            return
        self._last = now
        standings = runner.ledger.standings
        total = f"/{runner.ledger.total}" if runner.ledger.total is not None else ""
        table = ", ".join(f"{row.name} {100 * row.score:.1f} %" for row in standings.table()[:6])
        test = runner.ledger.test
        stand = "" if test is None else f"; {sprt_words(test, ascii_only=self._env.ascii_only)}"
        self.log(f"{standings.games}{total} games, {runner.rate:.1f} a second: {table}{stand}")

    def log(self, text: str) -> None:
        say(self._env.stdout, text)

    def refresh(self) -> None:
        pass

    def end(self) -> None:
        pass


def local_players(env: Environment, plan: Plan, concurrency: int) -> MakePlayers:
    """Processes of this machine."""
    return lambda on_message, on_lost: Pool(plan, concurrency, on_message, on_lost, env=env.variables)


def calibrate(env: Environment, runner: Runner) -> None:
    """Where clocks will run on this machine, see how exact they can be, write it down, and warn of too short ones."""
    if not runner.limit_ms:
        return
    jitter = measure_jitter()
    runner.note(f"calibration: {jitter.words()}")
    warning = jitter.warning(runner.limit_ms)
    if warning:
        complain(env.stderr, warning)


def run_tournament(env: Environment, runner: Runner, players: MakePlayers, view: View) -> ExitStatus:
    """Play until the end, or until Ctrl-C."""
    view.begin(runner)
    try:
        interrupted = asyncio.run(_run(runner, players, view))
    finally:
        view.end()
    if runner.ended or runner.part_played:
        return ExitStatus.DONE
    return ExitStatus.INTERRUPTED if interrupted else ExitStatus.REFUSED


def report_problems(env: Environment, plan: Plan, catalogue: Catalogue, where: Callable[[Problem], str]) -> ExitStatus:
    """Start every engine of a plan once, and say what it refuses, with where that stands."""
    problems = asyncio.run(check_engines(plan, catalogue))
    for problem in problems:
        complain(env.stderr, f"{where(problem)}: {problem.text}")
    return ExitStatus.REFUSED if any(problem.fatal for problem in problems) else ExitStatus.DONE


async def _run(runner: Runner, players: MakePlayers, view: View) -> int:
    loop = asyncio.get_running_loop()
    count = 0

    def interrupt() -> None:
        nonlocal count
        count += 1
        if count == 1:
            runner.finish("interrupted; once more stops now")
        else:
            runner.stop()

    with suppress(NotImplementedError, RuntimeError, ValueError):  # not the main thread, as in tests
        loop.add_signal_handler(signal.SIGINT, interrupt)
        loop.add_signal_handler(signal.SIGTERM, interrupt)
    ticker: asyncio.TimerHandle | None = None

    def tick() -> None:
        nonlocal ticker
        view.refresh()
        ticker = loop.call_later(REFRESH_SECONDS, tick)

    tick()
    try:
        async with controlled(runner):
            await runner.run(players)
    finally:
        if ticker is not None:
            ticker.cancel()
    return count
