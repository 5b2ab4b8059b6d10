"""What an attack has left behind: processes and files that carry its mark.

Every program that an attack starts has the mark in its environment, and every evil engine has it in its command line,
which its children inherit whatever else they give up: their environment, their session, their parents.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

VARIABLE = "GGTP_ATTACK"
COMMON_FOLDERS = ("/tmp", "/var/tmp", "/dev/shm")
PAUSE = 0.01


class Traces:
    """Everything that carries one mark."""

    def __init__(self) -> None:
        self.mark = f"attack{os.urandom(8).hex()}"

    def processes(self) -> dict[int, str]:
        """The living processes that carry the mark, with their command lines."""
        mark = self.mark.encode()
        found = {}
        for name in filter(str.isdecimal, os.listdir("/proc")):
            words = _read(f"/proc/{name}/cmdline")
            if int(name) != os.getpid() and (mark in words or mark in _read(f"/proc/{name}/environ")) and _alive(name):
                found[int(name)] = words.replace(b"\0", b" ").decode("utf-8", "replace").strip()
        return found

    def engines(self) -> dict[int, str]:
        """The living processes that have the mark in their command line."""
        return {pid: words for pid, words in self.processes().items() if self.mark in words}

    def left(self, seconds: float) -> dict[int, str]:
        """The processes that are still there after at most this time."""
        until(lambda: not self.processes(), seconds)
        return self.processes()

    def kill(self) -> None:
        """End all of them."""
        while pids := self.processes():
            for number in (signal.SIGSTOP, signal.SIGKILL):
                for pid in pids:
                    with suppress(ProcessLookupError):
                        os.kill(pid, number)
            time.sleep(PAUSE)

    def files(self) -> list[Path]:
        """Entries of the folders that all programs share which carry the mark in their names."""
        return [entry for folder in COMMON_FOLDERS for entry in entries(folder) if self.mark in entry.name]


def until(condition: Callable[[], object], seconds: float) -> bool:
    """Wait until the condition holds, at most this time; return whether it does."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(PAUSE)
    return True


def entries(folder: str | Path) -> list[Path]:
    """Return the names in a folder; none if it can't be read."""
    try:
        return sorted(Path(folder).iterdir())
    except OSError:
        return []


def tree(folder: Path) -> dict[str, int]:
    """Every file below a folder, with its size."""
    found = {}
    for path in folder.rglob("*"):
        with suppress(OSError):
            if not path.is_dir() or path.is_symlink():
                found[str(path.relative_to(folder))] = path.lstat().st_size
    return found


def descriptors(pid: int) -> int:
    """How many descriptors a process has open; 0 if that can't be told."""
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return 0


def children(pid: int) -> list[int]:
    """The children of a process."""
    found = []
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            found += [int(child) for child in _read(f"/proc/{pid}/task/{thread}/children").split()]
    return found


def _read(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError:
        return b""


def _alive(name: str) -> bool:
    """Whether a process has not ended and waits to be reaped."""
    return _read(f"/proc/{name}/stat").rpartition(b")")[2].split()[:1] not in ([], [b"Z"], [b"X"])
