"""One job in a process of its own, so that its time and memory can be bounded for certain.

The child is a module of the house. It reads one JSON object, and answers lines of JSON; a line
with `bytes` is the last, and so many bytes follow it.
"""

from __future__ import annotations

import importlib
import json
import os
import selectors
import signal
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from tempfile import TemporaryFile
from typing import Any, BinaryIO, TypeAlias

from ggtp.processes.forked import fork
from ggtp.processes.spawn import Apart, Process, environment, module_command, spawn

MOST_LINE = 1 << 20
"""Bytes of a line; ours have a few dozen, but messages quote rules."""
MOST_BYTES = 1 << 30
PATIENCE = 0.05
"""Seconds between two looks whether somebody wants to stop."""
LAST_WORDS = 2000
LAST_SECONDS = 3.0
"""How long a process that was killed is waited for."""

Line: TypeAlias = Mapping[str, Any]


class End(Enum):
    """How a child ended."""

    BY_ITSELF = "by itself"
    LATE = "late"
    STOPPED = "stopped"
    """Somebody asked for it."""
    GARBLED = "garbled"
    """It said something that is not agreed."""


@dataclass(frozen=True, slots=True)
class Ended:
    """What is left of a child."""

    end: End
    status: int
    """Its exit status; that of a signal is negative."""
    data: bytes | None
    """The bytes at the end of its answer, if all of them came."""
    last_words: str
    """The end of what it wrote to its standard error."""
    memory_mib: float
    """The most memory that it held at a time."""


class Talk:
    """What a child is told while it works: lines that wait until it takes them. Nobody who tells has to wait."""

    def __init__(self) -> None:
        self._waiting = bytearray()
        self._lock = threading.Lock()
        self.woken, self._wake = os.pipe()
        """Can be read when there is something to send."""
        self._closed = False

    def tell(self, line: Line) -> None:
        """One more line; nothing where nobody listens any more."""
        with self._lock:
            if not self._closed:
                if not self._waiting:
                    os.write(self._wake, b"!")
                self._waiting += json.dumps(line).encode() + b"\n"

    def send(self, handle: int) -> bool:
        """Sends as much as goes at once; whether that was all.

        Raises:
            OSError: nobody listens any more.
        """
        with self._lock:
            if self._waiting and not self._closed:
                with suppress(BlockingIOError):
                    while self._waiting:
                        del self._waiting[: os.write(handle, self._waiting[: 1 << 16])]
                    os.read(self.woken, 1)
            return not self._waiting

    def close(self) -> None:
        """Nobody listens any more."""
        with self._lock:
            if not self._closed:
                self._closed = True
                os.close(self.woken)
                os.close(self._wake)


class Child:
    """A module of the house as a process. It runs from when this is made until the end of `listen`."""

    def __init__(
        self, module: str, request: Line | Talk, *, own_group: bool = True, copy: bool = False, bare: bool = False
    ) -> None:
        """Starts it.

        Args:
            module: its dotted name.
            request: what it reads; or lines, of which more may come while it works.
            own_group: the child and all that it starts are a group, which ends as a whole. Without it the child
                belongs to our own group, and ends with that.
            copy: let it be a copy of this process, which calls `serve` of the module. Only where we are `alone`.
            bare: the child finds modules where we find them, but does without what installers hang on to the start of
                every program, which takes longer than the interpreter itself. It can't import guests then.

        Raises:
            OSError: it can't be started.
        """
        self._own_group = own_group
        self._talk = talk = request if isinstance(request, Talk) else None
        self._errors = TemporaryFile()  # noqa: SIM115 - it is open as long as the child is there
        self._input = -1
        with TemporaryFile() as source:
            if talk is None:
                source.write(json.dumps(request).encode())
                source.seek(0)
                stdin = source.fileno()
            else:
                stdin, self._input = os.pipe()
                os.set_blocking(self._input, False)
            self._output, stdout = os.pipe()
            try:
                self._process: Process | None = None
                if copy:
                    work = importlib.import_module(module).serve
                    self._pid = fork(work, stdin, stdout, self._errors.fileno(), own_group=own_group)
                else:
                    self._process = spawn(
                        module_command(module, bare=bare),
                        stdin=stdin,
                        stdout=stdout,
                        stderr=self._errors.fileno(),
                        # Threads of a library for matrices, which nobody uses, would each take a part of the memory.
                        env={**environment(bare=bare), "OPENBLAS_NUM_THREADS": "1"},
                        apart=Apart.SESSION if own_group else Apart.NOT,
                    )
                    self._pid = self._process.pid
            except BaseException:
                self._close()
                raise
            finally:
                os.close(stdout)
                if talk is not None:
                    os.close(stdin)

    def listen(
        self, *, seconds: float, on_line: Callable[[Line], None], should_stop: Callable[[], bool] = lambda: False
    ) -> Ended:
        """Waits for its end, at most so many seconds.

        Args:
            seconds: then it is ended.
            on_line: is given each line of the answer.
            should_stop: is asked many times a second.
        """
        end = End.STOPPED
        try:
            try:
                end, data = self._listen(time.monotonic() + seconds, on_line, should_stop)
            finally:
                os.close(self._output)
                self._output = -1
                status, memory = _finish(self._pid, self._own_group, let_end=end is End.BY_ITSELF)
                if self._process is not None:
                    self._process.returncode = status
            return Ended(end, status, data, _tail(self._errors), memory)
        finally:
            self._close()
            if self._talk is not None:
                self._talk.close()

    def _listen(
        self, until: float, on_line: Callable[[Line], None], should_stop: Callable[[], bool]
    ) -> tuple[End, bytes | None]:
        answer = _Answer(on_line)
        with selectors.DefaultSelector() as selector:
            selector.register(self._output, selectors.EVENT_READ)
            awaited = -1 if self._talk is None else self._talk.woken
            if awaited >= 0:
                selector.register(awaited, selectors.EVENT_READ)
            while True:
                left = until - time.monotonic()
                if left <= 0:
                    return End.LATE, None
                if should_stop():
                    return End.STOPPED, None
                ready = {key.fd for key, _ in selector.select(min(left, PATIENCE))}
                if awaited in ready:
                    awaited = self._send(selector, awaited)
                if self._output not in ready:
                    continue
                chunk = os.read(self._output, 1 << 20)
                if not chunk:
                    return End.BY_ITSELF, answer.data
                if not answer.receive(chunk):
                    return End.GARBLED, None

    def _send(self, selector: selectors.BaseSelector, awaited: int) -> int:
        """Tells it what waits; the handle that tells when there is more to send."""
        assert self._talk is not None
        try:
            following = self._talk.woken if self._talk.send(self._input) else self._input
        except OSError:  # it is gone, as its output will tell
            following = -1
        if following != awaited:
            selector.unregister(awaited)
            if following >= 0:
                selector.register(
                    following, selectors.EVENT_WRITE if following == self._input else selectors.EVENT_READ
                )
        return following

    def _close(self) -> None:
        self._errors.close()
        for handle in (self._input, self._output):
            if handle >= 0:
                os.close(handle)
        self._input = self._output = -1


def run_child(
    module: str,
    request: Line,
    *,
    seconds: float,
    on_line: Callable[[Line], None],
    should_stop: Callable[[], bool] = lambda: False,
    own_group: bool = True,
    bare: bool = False,
) -> Ended:
    """Runs a module as a child and waits for its end, at most so many seconds: see `Child`.

    Raises:
        OSError: it can't be started.
    """
    child = Child(module, request, own_group=own_group, bare=bare)
    return child.listen(seconds=seconds, on_line=on_line, should_stop=should_stop)


def _finish(pid: int, own_group: bool, *, let_end: bool) -> tuple[int, float]:
    """Ends what is still running; the exit status, and how much memory there was."""
    with suppress(ProcessLookupError, PermissionError):
        if let_end:
            # A child that has closed its output is done, and what it may have left behind ends with it.
            _let_end(pid)
        if own_group:
            os.killpg(pid, signal.SIGKILL)
        else:
            os.kill(pid, signal.SIGKILL)
    return _reaped(pid, LAST_SECONDS) or (-signal.SIGKILL, 0.0)


def _reaped(pid: int, seconds: float) -> tuple[int, float] | None:
    """The exit status of a process that was ended, and its memory; None where it takes longer than that to go.

    The system may take long to take a large process down, above all when memory is short; nobody
    is to wait for that. A thread does, so that nothing is left of it in the end.
    """
    until = time.monotonic() + seconds
    while True:
        found, status, usage = os.wait4(pid, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status), usage.ru_maxrss / 1024
        if time.monotonic() >= until:
            break
        time.sleep(0.002)
    threading.Thread(target=os.waitpid, args=(pid, 0), name="waiting for a child", daemon=True).start()
    return None


def _let_end(pid: int, seconds: float = 0.5) -> None:
    """Gives a process that has nothing more to say a moment to end; it stays to be waited for."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        found = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if found is not None:
            return
        time.sleep(0.002)


def _tail(errors: BinaryIO) -> str:
    size = errors.seek(0, os.SEEK_END)
    errors.seek(max(0, size - LAST_WORDS))
    return errors.read(LAST_WORDS).decode("utf-8", "replace").strip()


class _Answer:
    """What a child has said so far."""

    def __init__(self, on_line: Callable[[Line], None]) -> None:
        self._on_line = on_line
        self._buffer = bytearray()
        self._wanted: int | None = None

    @property
    def data(self) -> bytes | None:
        """The bytes at the end, if they are complete."""
        return bytes(self._buffer) if self._wanted is not None and len(self._buffer) == self._wanted else None

    def receive(self, chunk: bytes) -> bool:
        """Takes what came; the result is false if that makes no sense."""
        self._buffer += chunk
        while self._wanted is None:
            end = self._buffer.find(b"\n")
            if end < 0:
                return len(self._buffer) <= MOST_LINE
            text = bytes(self._buffer[:end])
            del self._buffer[: end + 1]
            try:
                line = json.loads(text)
            except ValueError:
                return False
            if not isinstance(line, dict):
                return False
            wanted = line.get("bytes")
            if isinstance(wanted, int):
                self._wanted = wanted
                if not 0 <= wanted <= MOST_BYTES:
                    return False
            self._on_line(line)
        return len(self._buffer) <= self._wanted
