"""One job in a process of its own, so that its time and memory can be bounded for certain.

The child is a module of the house. It reads one JSON object, and answers lines of JSON; a line
with `bytes` is the last, and so many bytes follow it.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, BinaryIO, TypeAlias

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


def run_child(
    module: str,
    request: Line,
    *,
    seconds: float,
    on_line: Callable[[Line], None],
    should_stop: Callable[[], bool] = lambda: False,
    own_group: bool = True,
) -> Ended:
    """Runs a module as a child and waits for its end, at most so many seconds.

    Args:
        module: its dotted name.
        request: what it reads.
        on_line: is given each line of the answer.
        should_stop: is asked many times a second.
        own_group: the child and all that it starts are a group, which ends as a whole. Without it the child
            belongs to our own group, and ends with that.

    Raises:
        OSError: it can't be started.
    """
    with TemporaryFile() as source, TemporaryFile() as errors:
        source.write(json.dumps(request).encode())
        source.seek(0)
        process = subprocess.Popen(
            [sys.executable or "python3", "-P", "-m", module],
            stdin=source,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=_environment(),
            start_new_session=own_group,
        )
        try:
            end, data = _listen(process, time.monotonic() + seconds, on_line, should_stop)
        finally:
            status, memory = _finish(process, own_group)
        return Ended(end, status, data, _tail(errors), memory)


def _environment() -> dict[str, str]:
    """Ours, and a child finds the house where we found it, wherever it is started."""
    house = str(Path(__file__).resolve().parents[2])
    paths = [house, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    # Threads of a library for matrices, which nobody uses, would each take a part of the memory.
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "OPENBLAS_NUM_THREADS": "1"}


def _listen(
    process: subprocess.Popen[bytes], until: float, on_line: Callable[[Line], None], should_stop: Callable[[], bool]
) -> tuple[End, bytes | None]:
    assert process.stdout is not None
    answer = _Answer(on_line)
    handle = process.stdout.fileno()
    with selectors.DefaultSelector() as selector:
        selector.register(handle, selectors.EVENT_READ)
        while True:
            left = until - time.monotonic()
            if left <= 0:
                return End.LATE, None
            if should_stop():
                return End.STOPPED, None
            if not selector.select(min(left, PATIENCE)):
                continue
            chunk = os.read(handle, 1 << 20)
            if not chunk:
                return End.BY_ITSELF, answer.data
            if not answer.receive(chunk):
                return End.GARBLED, None


def _finish(process: subprocess.Popen[bytes], own_group: bool) -> tuple[int, float]:
    """Ends what is still running; the exit status, and how much memory there was."""
    assert process.stdout is not None
    process.stdout.close()
    with suppress(ProcessLookupError, PermissionError):
        if own_group:
            # A child that has closed its output is done, and what it may have left behind ends with it.
            _let_end(process.pid)
            os.killpg(process.pid, signal.SIGKILL)
        else:
            _let_end(process.pid)
            os.kill(process.pid, signal.SIGKILL)
    ended = _reaped(process.pid, LAST_SECONDS)
    process.returncode, memory = (-signal.SIGKILL, 0.0) if ended is None else ended
    return process.returncode, memory


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
