"""The program under attack: `ggtp` at the other end of pipes, in folders of its own and with a mark."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ggtp.bench.attack.traces import VARIABLE, Traces, descriptors
from ggtp.processes.dialogue import Dialogue, Silent
from ggtp.processes.spawn import Apart, environment, module_command

GUARD = 60.0
"""Seconds for what should happen at once, on a busy machine: only a hanging program needs them."""
KEPT = ("PATH", "LANG", "LC_ALL", "TZ", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "COVERAGE_PROCESS_START")
"""The variables that the program is started with, beside those of its folders."""


class Hung(Exception):
    """The program did not answer, or did not end, in time; says on what."""


class Ended(Exception):
    """The program ended when it should not have; says how."""


@dataclass(frozen=True, slots=True)
class Said:
    """What came of a command: its closing line, and the `->` lines before it."""

    answer: str
    news: tuple[str, ...]

    @property
    def done(self) -> bool:
        """Whether the command was not refused."""
        return self.answer.startswith("= ")


class Folders:
    """The home, the temporary and the working folder of programs, and a file for their standard error."""

    def __init__(self, base: Path) -> None:
        self.home, self.temporary, self.work = base / "home", base / "tmp", base / "work"
        self.errors = base / "stderr"
        for folder in (self.home, self.temporary, self.work):
            folder.mkdir(parents=True, exist_ok=True)

    def variables(self, given: Mapping[str, str], mark: str) -> dict[str, str]:
        """The whole environment of a program with this mark."""
        ours = {**given, "PYTHONPATH": environment()["PYTHONPATH"]}
        kept = {name: ours[name] for name in KEPT if name in ours}
        return {**kept, "HOME": str(self.home), "TMPDIR": str(self.temporary), VARIABLE: mark}


class Program:
    """A running `ggtp`."""

    def __init__(self, folders: Folders, traces: Traces, given: Mapping[str, str], *words: str) -> None:
        """Start it, with these words of the command line.

        Raises:
            OSError: it can't be started.
        """
        self.traces = traces
        self.folders = folders
        self.heard: list[str] = []
        """All lines of its standard output so far."""
        self._told = ""
        with folders.errors.open("ab") as errors:
            self._errors_from = errors.tell()
            self._dialogue = Dialogue(
                module_command("ggtp") + list(words),
                stderr=errors.fileno(),
                env=folders.variables(given, traces.mark),
                cwd=folders.work,
                apart=Apart.SESSION,
            )

    @property
    def pid(self) -> int:
        """Its process."""
        return self._dialogue.pid

    @property
    def alive(self) -> bool:
        """Whether it has not ended."""
        return self._dialogue.alive

    @property
    def errors(self) -> str:
        """The text that it has written to its standard error."""
        return self.folders.errors.read_bytes()[self._errors_from :].decode("utf-8", "replace")

    def descriptors(self) -> int:
        """How many descriptors it has open."""
        return descriptors(self.pid)

    def tell(self, *lines: str, seconds: float = GUARD) -> None:
        """Write lines to it.

        Raises:
            Ended, Hung: it has ended, or does not read.
        """
        self._told = lines[-1]
        with self._killed_after(seconds) as late:
            try:
                self._dialogue.tell("\n".join(lines).encode("utf-8", "surrogateescape"))
            except (OSError, ValueError):
                self._gone(late)

    def hear(self, seconds: float = GUARD) -> str:
        """Return its next line.

        Raises:
            Ended, Hung: there is none.
        """
        try:
            line = self._dialogue.hear(seconds)
        except Silent:
            raise Hung(f"no answer to {self._told[:200]!r} in time") from None
        if not line:
            self._gone([])
        self.heard.append(line.decode("utf-8", "replace").rstrip("\n"))
        return self.heard[-1]

    def answer(self, seconds: float = GUARD) -> Said:
        """Return what came of the oldest command that has no closing line yet.

        Raises:
            Ended, Hung: there is no answer.
        """
        until = time.monotonic() + seconds
        news = []
        while not (line := self.hear(max(0.001, until - time.monotonic()))).startswith(("= ", "? ")):
            news.append(line)
        return Said(line, tuple(news))

    def say(self, line: str, seconds: float = GUARD) -> Said:
        """Say one command, and return what came of it.

        Raises:
            Ended, Hung: there is no answer.
        """
        self.tell(line, seconds=seconds)
        return self.answer(seconds)

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def wait(self, seconds: float = GUARD) -> int:
        """Read what it still says until it ends, and return its status.

        Raises:
            Hung: it goes on.
        """
        with self._killed_after(seconds) as late:
            with suppress(Silent, OSError, ValueError):
                while line := self._dialogue.hear(seconds):
                    self.heard.append(line.decode("utf-8", "replace").rstrip("\n"))
            status = self._dialogue.end(seconds)
        if late:
            raise Hung(f"it did not end within {seconds:g} s after {self._told[:200]!r}")
        return status

    def end(self) -> None:
        """End it, and everything with its mark."""
        self._dialogue.kill()
        self.traces.kill()
        self._dialogue.end(GUARD)

    def _gone(self, late: Sequence[object]) -> None:
        if late:
            raise Hung(f"it did not read {self._told[:200]!r}")
        raise Ended(f"with status {self._dialogue.end(GUARD)} after {self._told[:200]!r}: {self.errors[-300:]}")

    @contextmanager
    def _killed_after(self, seconds: float) -> Iterator[list[bool]]:
        """Kill the program when the time is over, so that nobody waits for it for ever; the list is not empty then."""
        late: list[bool] = []

        def over() -> None:
            late.append(True)
            self._dialogue.kill()

        timer = threading.Timer(seconds, over)
        timer.start()
        try:
            yield late
        finally:
            timer.cancel()
            timer.join()
