"""A tournament beside the prompt: started, looked at, paused and stopped by the supervisor's commands."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

from ggtp.arena.calibration import Jitter, measure_jitter
from ggtp.arena.control import controlled
from ggtp.arena.journal_file import TournamentJournal
from ggtp.arena.pool import Pool, default_concurrency
from ggtp.arena.preparation import is_journal, read_plan, settle_deals
from ggtp.arena.runner import Runner, RunnerListeners, open_runner
from ggtp.arena.supervision import state_of, supervise
from ggtp.catalogue import Catalogue
from ggtp.driver.tasks import in_thread, spawn
from ggtp.errors import CommandError, GgtpError
from ggtp.play.replay import Say
from ggtp.tournament.plan.plan import Plan

NONE = "There is no tournament. Use start_tournament."
INTERRUPTED = "Interrupted."
PROGRESS_SECONDS = 3.0
"""How often it is said how far a long start position is."""
PROMPT = "at the prompt"
"""Where a supervisor has done something, for the journal."""


class Steward:
    """Runs one tournament at a time, in the loop of whoever asks."""

    def __init__(self, catalogue: Catalogue, say: Callable[[str], None]) -> None:
        self._catalogue = catalogue
        self._say = say
        self._runner: Runner | None = None
        self._task: asyncio.Task[None] | None = None
        self._opening: asyncio.Future[tuple[Runner, TournamentJournal, Path]] | None = None
        """A tournament that is being read."""

    async def manage(self, command: str, words: str) -> list[str]:
        """Do what a command asks; lines to show, the last of which is the answer.

        Raises:
            GgtpError, OSError: it can't be done; nothing has changed.
        """
        if command == "start_tournament":
            return await self._start(words)
        runner = self._runner
        if runner is None:
            raise CommandError(NONE)
        if not self._busy and command not in ("show_tournament", "list_rulings"):
            raise CommandError(f"The tournament does not run. Use start_tournament {runner.path} to go on.")
        lines = await supervise(runner, command, words, PROMPT)
        if command != "stop_tournament":
            return lines
        await self._ended()
        return [f"To go on: start_tournament {runner.path}", *lines]

    @property
    def _busy(self) -> bool:
        return self._task is not None and not self._task.done()

    async def _start(self, filename: str) -> list[str]:
        if self._busy:
            raise CommandError("A tournament runs already. Use stop_tournament first.")
        given_up = threading.Event()
        self._opening = asyncio.ensure_future(in_thread(self._open, filename, self._told_while(given_up)))
        try:
            runner, journal, path = await self._opening
        except asyncio.CancelledError:
            given_up.set()
            raise CommandError(INTERRUPTED) from None
        finally:
            self._opening = None
        self._runner = runner
        self._task = spawn(self._run(runner, journal))
        return [f"The journal is {path}", "Done"]

    def _told_while(self, given_up: threading.Event) -> Say:
        """What a thread says of its progress: it is shown now and then, and raises when nobody waits any more."""
        loop, due = asyncio.get_running_loop(), time.monotonic() + PROGRESS_SECONDS

        def say(text: str) -> None:
            nonlocal due
            if given_up.is_set():
                raise CommandError(INTERRUPTED)
            if text and time.monotonic() >= due:
                due = time.monotonic() + PROGRESS_SECONDS
                loop.call_soon_threadsafe(self._told, text)

        return say

    def interrupt(self) -> None:
        """Give up a tournament that is being read; one that runs goes on."""
        if self._opening is not None:
            self._opening.cancel()

    def _open(self, filename: str, say: Say) -> tuple[Runner, TournamentJournal, Path]:
        file = Path(filename).expanduser()
        plan: Plan | None = None
        path = file
        if not is_journal(file):
            plan = settle_deals(read_plan(file, self._catalogue, say), self._catalogue, os.environ)
            path = file.with_suffix(".journal")
        say("")  # perhaps nobody waits any more
        return (*open_runner(plan, path, listeners=RunnerListeners(log=self._told)), path)

    def _told(self, text: str) -> None:
        self._say(f"Tournament: {text}")

    async def _run(self, runner: Runner, journal: TournamentJournal) -> None:
        try:
            if runner.limit_ms:
                self._calibrated(runner, await in_thread(measure_jitter))
            async with controlled(runner):
                await runner.run(lambda *told: Pool(runner.plan, default_concurrency(), *told))
        except (GgtpError, OSError) as error:
            self._say(f"Tournament: {error}")
        finally:
            journal.close()
        self._say(f"Tournament {state_of(runner, running=False)}")

    def _calibrated(self, runner: Runner, jitter: Jitter) -> None:
        runner.note(f"calibration: {jitter.words()}")
        warning = jitter.warning(runner.limit_ms)
        if warning:
            self._say(f"Tournament: {warning}")

    async def _ended(self) -> None:
        if self._task is not None:
            await asyncio.wait([self._task])

    async def close(self) -> None:
        """Stop it; the journal says how to go on."""
        if self._busy and self._runner is not None:
            self._runner.stop()
            await self._ended()
