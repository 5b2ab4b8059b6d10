"""The real program, with its commands piped in, and a look at the processes that it has started.

Nothing here sleeps to be in time: whoever waits, waits for a condition, and fails at its deadline.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from support.paths import FAKES

SECONDS = 20.0
"""For what should happen at once, on a machine that has other things to do."""

MARK = "GGTP_TEST_MARK"
ENGINE = b"GGTP_ENGINE="


def until(condition: Callable[[], object], seconds: float = SECONDS, what: object = "") -> object:
    """The first true value of the condition; fails when there is none in time."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > deadline:
            pytest.fail(f"not within {seconds:g} s: {what() if callable(what) else what or condition}")
        time.sleep(0.005)
    return value


def variables() -> dict[int, list[bytes]]:
    """The living processes, and the variables of each; a look of our own at /proc."""
    found = {}
    for name in filter(str.isdecimal, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            found[int(name)] = Path(f"/proc/{name}/environ").read_bytes().split(b"\0")
    return found


def is_sandbox(pid: int) -> bool:
    """Whether it is a process of a sandbox, of which there are two around an engine."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/comm").read_text() == "bwrap\n"
    return False


@dataclass(frozen=True)
class Said:
    """What came of a command: its closing line, and the `->` lines since the closing line before."""

    answer: str
    news: list[str]

    @property
    def text(self) -> str:
        return "\n".join([*self.news, self.answer])


class Program:
    """`python -m ggtp` at the other end of two pipes."""

    def __init__(
        self, *arguments: str, cwd: Path | None = None, stdout: int = subprocess.PIPE, prefix: Sequence[str] = ()
    ) -> None:
        self.mark = uuid.uuid4().hex
        self._tokens: set[bytes] = set()
        """How the tokens of its engines begin, as far as they are known."""
        self.lines: list[str] = []
        self._heard = threading.Condition()
        self._read = 0  # lines that belong to commands before
        self._errors: list[bytes] = []
        self.ended = False
        self._popen = subprocess.Popen(
            [*prefix, sys.executable, "-m", "ggtp", *arguments],
            stdin=subprocess.PIPE,
            stdout=stdout,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env={**os.environ, MARK: self.mark},
            start_new_session=True,
        )
        self.pid = self._popen.pid
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._listen, self._listen_errors)]
        for thread in self._threads:
            thread.start()

    # -- talking ------------------------------------------------------------------------------------------------

    def _listen(self) -> None:
        for line in self._popen.stdout or ():
            with self._heard:
                self.lines.append(line.decode().rstrip("\n"))
                self._heard.notify_all()
        with self._heard:
            self.ended = True
            self._heard.notify_all()

    def _listen_errors(self) -> None:
        assert self._popen.stderr
        for line in self._popen.stderr:
            self._errors.append(line)

    def transcript(self) -> str:
        return "\n".join(self.lines[-40:]) + "\n" + b"".join(self._errors[-40:]).decode("utf-8", "replace")

    def hear(self, fits: Callable[[str], object], seconds: float = SECONDS, what: object = "") -> int:
        """Wait for a line after the last closing line that fits; its index."""
        at = self._read
        deadline = time.monotonic() + seconds
        with self._heard:
            while True:
                while at < len(self.lines):
                    if fits(self.lines[at]):
                        return at
                    at += 1
                if self.ended or not self._heard.wait(deadline - time.monotonic()):
                    pytest.fail(f"{what or 'a line'} was not heard; the end of what was:\n{self.transcript()}")

    def write(self, text: str) -> None:
        assert self._popen.stdin
        self._popen.stdin.write(text.encode())
        self._popen.stdin.flush()

    def answer(self, what: str = "an answer", seconds: float = SECONDS) -> Said:
        """The next closing line."""
        at = self.hear(lambda line: line.startswith(("= ", "? ")), seconds, what)
        news, self._read = self.lines[self._read : at], at + 1
        return Said(self.lines[at], [line.removeprefix("-> ") for line in news])

    def say(self, line: str, seconds: float = SECONDS) -> Said:
        """Say one line, and what came of it."""
        self.write(f"{line}\n")
        return self.answer(f"the answer to {line}", seconds)

    def do(self, *lines: str) -> Said:
        """Say lines of which none is refused; what came of the last."""
        said = Said("", [])
        for line in lines:
            said = self.say(line)
            assert said.answer.startswith("= "), f"{line}: {said.answer}"
        return said

    def ask(self, line: str) -> str:
        """What a question is answered with."""
        return self.do(line).answer.removeprefix("= ")

    def news(self, text: str, seconds: float = SECONDS) -> str:
        """Wait for a `->` line with this text, since the last closing line."""
        at = self.hear(lambda line: line.startswith("-> ") and text in line, seconds, f"-> {text}")
        return self.lines[at].removeprefix("-> ")

    def heard(self, since: int, pattern: str, seconds: float = SECONDS) -> str:
        """Wait until the lines from that index on, as one text, have something that fits; that text."""

        def text() -> str:
            return "\n".join(self.lines[since:])

        until(lambda: re.search(pattern, text(), re.MULTILINE), seconds, lambda: f"{pattern} in\n{self.transcript()}")
        return text()

    # -- the end of it ------------------------------------------------------------------------------------------

    def wait(self, seconds: float = SECONDS) -> int:
        """Its exit status; everything that it said is in `lines` then."""
        status = self._popen.wait(seconds)
        for thread in self._threads:
            thread.join(seconds)
        return status

    def quit(self) -> int:
        """Let it quit, and see that nothing of it is left."""
        assert self.say("quit").answer == "= Done"
        status = self.wait()
        assert self._errors == []
        assert self.engines() == [], "engines are gone before the program is"
        self.no_trace()
        return status

    def signal(self, number: int) -> None:
        if number == signal.SIGKILL or not self._tokens:
            self.processes()  # its engines can be told from others while it lives
        os.kill(self.pid, number)

    def close_input(self) -> None:
        assert self._popen.stdin
        self._popen.stdin.close()

    @property
    def running(self) -> bool:
        return self._popen.poll() is None

    @property
    def errors(self) -> str:
        return b"".join(self._errors).decode("utf-8", "replace")

    def end(self) -> None:
        """See that nothing is left, however the test went."""
        if self.running:
            self._popen.kill()
        self._popen.wait()
        for pid in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for thread in self._threads:
            thread.join(SECONDS)
        for pipe in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()

    # -- its processes ------------------------------------------------------------------------------------------

    def processes(self) -> dict[int, list[bytes]]:
        """The living processes that it has started, and the variables of each.

        Engines in a sandbox do not have our mark. They have a token that begins as those of their referee do, and that
        beginning is known to the undertaker of the referee, which has our mark.
        """
        found = variables()
        marked = {pid for pid, own in found.items() if f"{MARK}={self.mark}".encode() in own}
        for pid in marked:
            with contextlib.suppress(OSError):
                words = Path(f"/proc/{pid}/cmdline").read_bytes().rstrip(b"\0").split(b"\0")
                if any(word.endswith(b"/family.py") for word in words):
                    self._tokens.add(words[-1])
        return {pid: own for pid, own in found.items() if pid in marked or self._has_token(own)}

    def _has_token(self, own: list[bytes]) -> bool:
        tokens = [part for each in own if each.startswith(ENGINE) for part in each.removeprefix(ENGINE).split(b"/")]
        return any(token.startswith(known) for token in tokens for known in self._tokens)

    def engines(self) -> list[int]:
        """The processes of engines, children and grandchildren included, but not those of their sandboxes."""
        return sorted(
            pid
            for pid, own in self.processes().items()
            if any(variable.startswith(ENGINE) for variable in own) and not is_sandbox(pid)
        )

    def only(self, pids: list[int], seconds: float = 10.0) -> None:
        """These engines are still there, and the others gone or soon will be."""
        until(lambda: self.engines() == pids, seconds, lambda: f"engines {self.engines()}, not {pids}")

    def no_engines(self, seconds: float = 10.0) -> None:
        """Engines are gone, or soon will be."""
        until(lambda: not self.engines(), seconds, lambda: f"engines left: {self.engines()}")

    def no_trace(self, seconds: float = 15.0) -> None:
        """Nothing is left that the program has started, helpers of its own included."""
        until(lambda: not self.processes(), seconds, lambda: f"left: {list(self.processes())}")

    def watch_memory(self) -> Callable[[], int]:
        """A function that answers by how many bytes its memory has grown at most from now on."""

        def bytes_of(name: str) -> int:
            status = Path(f"/proc/{self.pid}/status").read_text()
            return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith(f"{name}:"))

        before = bytes_of("VmRSS")
        Path(f"/proc/{self.pid}/clear_refs").write_text("5")  # the most that it ever had counts from here
        return lambda: bytes_of("VmHWM") - before


class Engines:
    """Writes descriptions of engines."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0

    def describe(
        self,
        argv: Sequence[object],
        transport: str,
        name: str = "",
        options: dict[str, str] | None = None,
        *,
        writes: bool = False,
    ) -> Path:
        """A description of an engine, which may write to the test's folder if it `writes`, and its path."""
        self._count += 1
        name = name or f"engine{self._count}"
        lines = [f"name = {json.dumps(name)}", f"transport = {json.dumps(transport)}"]
        lines.append(f"argv = {json.dumps([str(word) for word in argv])}")
        if writes:
            lines.append(f"writes = {json.dumps([str(self._folder)])}")
        if options:
            lines += ["[options]", *(f"{key} = {json.dumps(value)}" for key, value in options.items())]
        path = self._folder / f"{self._count}-{name}.toml"
        path.write_text("\n".join(lines) + "\n")
        return path

    def bad(self, transport: str, fault: str = "", *arguments: object, name: str = "bad") -> Path:
        """An engine with a fault; without one, a good engine."""
        return self.describe(bad_command(fault, *arguments), transport, name)

    def bad_once(self, transport: str, fault: str, *arguments: object, name: str = "bad") -> Path:
        """An engine with a fault that it has only when it is started for the first time."""
        marker = self._folder / f"{uuid.uuid4().hex}.started"
        choice = 'if test -e "$1"; then shift; exec "$1" "$2" "$3"; fi; : > "$1"; shift; exec "$@"'
        command = ["sh", "-c", choice, "once", marker, *bad_command(fault, *arguments)]
        return self.describe(command, transport, name, writes=True)


def bad_command(fault: str, *arguments: object) -> list[object]:
    return ["{python}", FAKES / "bad_engine.py", "{endpoint}", *(["--fault", fault] if fault else []), *arguments]


@pytest.fixture(name="engines")
def make_engines(tmp_path: Path) -> Engines:
    return Engines(tmp_path)


@pytest.fixture(name="program")
def make_program() -> Iterator[Callable[..., Program]]:
    """Starts programs; afterwards nothing is left of them."""
    made: list[Program] = []

    def start(*arguments: str, **keywords: Any) -> Program:
        made.append(Program(*arguments, **keywords))
        return made[-1]

    yield start
    for program in made:
        program.end()


@pytest.fixture(scope="session", name="new_program")
def give_program() -> type[Program]:
    """For those who see to its end themselves."""
    return Program


@pytest.fixture(name="until")
def give_until() -> Callable[..., object]:
    return until


@pytest.fixture(name="fakes")
def fakes_folder() -> Path:
    return FAKES
