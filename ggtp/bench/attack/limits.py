"""The part `limits`: few descriptors, little memory and short files, set for a program while it runs."""

from __future__ import annotations

import random
import resource
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path

from ggtp.bench.attack.engines import describe
from ggtp.bench.attack.kills import games
from ggtp.bench.attack.parts import Attempt, Site
from ggtp.bench.attack.program import GUARD, Ended, Folders, Hung, Program
from ggtp.bench.attack.tally import Kind
from ggtp.bench.attack.traces import Traces, descriptors
from ggtp.bench.attack.verdicts import raw, shows_error
from ggtp.ui.console.environment import ExitStatus

ROUNDS = 12
MIB = 1 << 20
SECONDS = 120.0
"""For a command that starts engines, on a busy machine."""


@contextmanager
def begin(site: Site) -> Iterator[Attempt]:
    """Try each limit in turn."""

    def attempt(number: int, rng: random.Random) -> None:
        site.tally.attempted()
        LimitAttack(site, number, rng).attempt(number)

    yield attempt


class LimitAttack:
    """One program under one limit."""

    def __init__(self, site: Site, number: int, rng: random.Random) -> None:
        self._site = site
        self._rng = rng
        self._folders = Folders(site.folder / str(number))
        self._traces = Traces()
        self._limit = ""
        self._file = self._folders.work / "play.ggtp"
        self._answered: list[str] = []

    def attempt(self, number: int) -> None:
        """Set the limit, say a session, and look."""
        program = Program(self._folders, self._traces, self._site.variables)
        try:
            self._record(program)
            (self._few_descriptors, self._little_memory, self._short_files)[number % 3](program)
            self._session(program)
        except Hung as why:
            self._found("hung", str(why))
        except Ended as why:
            # A program without memory may end; what it has answered is on the disk.
            if self._limit.startswith("memory"):
                self._site.tally.add("ended")
            else:
                self._found("tracebacks", f"the program has ended: {why}")
        finally:
            self._look(program)
            if left := self._traces.left(GUARD):
                self._found("left", f"{len(left)} processes: {list(left.values())[:3]}")
            program.end()

    def _record(self, program: Program) -> None:
        for line in ("set_rule TicTacToe", f"save_file {self._file}"):
            program.say(line)

    def _few_descriptors(self, program: Program) -> None:
        most = descriptors(program.pid) + self._rng.randrange(6)
        self._limit = f"{most} descriptors"
        resource.prlimit(program.pid, resource.RLIMIT_NOFILE, (most, most))

    def _little_memory(self, program: Program) -> None:
        used = int(Path(f"/proc/{program.pid}/statm").read_text().split()[0]) * resource.getpagesize()
        more = self._rng.randrange(24 * MIB)
        self._limit = f"memory for {more} bytes more"
        resource.prlimit(program.pid, resource.RLIMIT_AS, (used + more, used + more))

    def _short_files(self, program: Program) -> None:
        most = self._rng.randrange(200, 4000)
        self._limit = f"files of {most} bytes"
        resource.prlimit(program.pid, resource.RLIMIT_FSIZE, (most, most))

    def _session(self, program: Program) -> None:
        """Say something of everything; each command has its answer, whatever that is."""
        for line in islice(games(self._rng), 60):
            closed = any("is closed" in news for news in program.heard)
            if program.say(line, SECONDS).done and line.startswith("play ") and not closed:
                self._answered.append(f"force_{line}")
        for wire, name in (("stdio", "Alpha"), ("tcp", "Beta"), ("zmq", "Gamma")):
            engine = describe(self._folders.work, name, wire, self._traces.mark)
            program.say(f"set_engine Circle {engine}", SECONDS)
            program.say("start")
            program.say("play Cross B2")
            program.say("undo")
        for line in ("list_rules", "list_engines", f"load_file {self._file}", "save_file other.ggtp", "set_rule Chess"):
            program.say(line, SECONDS)
        program.say("listen 127.0.0.1:0", SECONDS)
        program.say("quit", SECONDS)
        if program.wait(SECONDS) not in (ExitStatus.DONE, ExitStatus.REFUSED):
            self._found("tracebacks", f"it did not end well: {program.errors[-300:]}")

    def _look(self, program: Program) -> None:
        """Every answered move is in the file, and no traceback was shown."""
        written = []
        with suppress(OSError):
            written = [line for line in self._file.read_text().splitlines() if line.startswith("force_play ")]
        closed = next((number for number, line in enumerate(program.heard) if "is closed" in line), None)
        answered = self._answered if closed is None else self._answered[:-1]
        if written[: len(answered)] != answered and len(written) < len(answered):
            self._found("lost", f"{len(answered)} moves were answered, and {len(written)} are in the file")
        memory = self._limit.startswith("memory") and "MemoryError" in program.errors
        if memory:
            self._site.tally.add("out_of_memory")
        elif shows_error(program.errors) or "internal error" in program.errors:
            self._found("tracebacks", program.errors[-400:])
        for line in raw([*program.heard, *program.errors.splitlines()]):
            self._found("raw", repr(line[:200]))

    def _found(self, kind: Kind, what: str) -> None:
        self._site.tally.found(kind, f"{self._limit}: {what}")
