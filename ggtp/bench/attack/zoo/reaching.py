"""Ways to reach out of one's own process. Nothing is done to a process that does not carry the mark."""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from ggtp.bench.attack.zoo.channel import dialled

if TYPE_CHECKING:
    from ggtp.bench.attack.zoo.engine import EvilEngine

SLEEPER = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(300)"
PAGE = 4096


def forks(engine: EvilEngine, answer: str) -> None:
    """Leave a child, and a double-forked one in a session of its own; both ignore SIGTERM."""
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        engine.rest()
        os._exit(0)
    middle = os.fork()
    if middle == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            engine.rest()
        os._exit(0)
    os.waitpid(middle, 0)
    engine.send(answer)


def daemon(engine: EvilEngine, answer: str) -> None:
    """Leave a process without parent, session, environment and files."""
    middle = os.fork()
    if middle == 0:
        os.setsid()
        if os.fork() == 0:
            os.chdir("/")
            os.closerange(0, 256)
            os.execve(sys.executable, ["daemon", "-I", "-S", "-c", SLEEPER, engine.mark], {})
        os._exit(0)
    os.waitpid(middle, 0)
    engine.send(answer)


def kills_parent(engine: EvilEngine, answer: str) -> None:
    """Kill the process that started it."""
    _signal_parent(engine, signal.SIGKILL)
    engine.send(answer)


def terms_parent(engine: EvilEngine, answer: str) -> None:
    """Tell the process that started it to end."""
    _signal_parent(engine, signal.SIGTERM)
    engine.send(answer)


def stops_parent(engine: EvilEngine, answer: str) -> None:
    """Stop the process that started it."""
    _signal_parent(engine, signal.SIGSTOP)
    engine.send(answer)


def kills_all(engine: EvilEngine, answer: str) -> None:
    """Kill everybody who carries the mark."""
    for pid in _others(engine):
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    engine.send(answer)


def kills_group(_engine: EvilEngine, _answer: str) -> None:
    """Kill its own group."""
    if os.getpgid(0) == os.getsid(0):  # never that of whoever tries it by hand
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


def limits_parent(engine: EvilEngine, answer: str) -> None:
    """Let the process that started it open nothing more."""
    for pid in _parents(engine):
        with suppress(OSError):
            resource.prlimit(pid, resource.RLIMIT_NOFILE, (3, 3))
    engine.send(answer)


def reads_environment(engine: EvilEngine, answer: str) -> None:
    """Read the environments of others."""
    engine.found(", ".join(f"environ of {pid}" for pid in _others(engine) if _read(f"/proc/{pid}/environ")))
    engine.send(answer)


def reads_memory(engine: EvilEngine, answer: str) -> None:
    """Read the memory of others."""
    engine.found(", ".join(f"memory of {pid}" for pid in _others(engine) if _first_page(pid)))
    engine.send(answer)


def reads_files(engine: EvilEngine, answer: str) -> None:
    """Read files that it should not be able to."""
    files = [path for path in engine.loot.split(os.pathsep) if path]
    engine.found(", ".join(path for path in files if _read(path)))
    engine.send(answer)


def reads_descriptors(engine: EvilEngine, answer: str) -> None:
    """Open the files that others have open."""
    found = []
    for pid in _others(engine):
        with suppress(OSError):
            found += [f"{name} of {pid}" for name in os.listdir(f"/proc/{pid}/fd") if _opens(f"/proc/{pid}/fd/{name}")]
    engine.found(", ".join(found))
    engine.send(answer)


def writes_to_referee(engine: EvilEngine, answer: str) -> None:
    """Write a forged answer to the output of whoever started it."""
    for pid in _parents(engine):
        with suppress(OSError):
            fd = os.open(f"/proc/{pid}/fd/1", os.O_WRONLY | os.O_NONBLOCK)
            os.write(fd, b"-> FORGED\n")
            os.close(fd)
    engine.send(answer)


def calls_others(engine: EvilEngine, answer: str) -> None:
    """Connect to the sockets that the referee has for other engines."""
    found = []
    for row in _read("/proc/net/unix").decode("utf-8", "replace").splitlines()[1:]:
        path = row.split()[-1]
        if "ggtp" in path and path not in engine.endpoint:
            with suppress(OSError):
                dialled(f"ipc://{path}").close()
                found.append(path)
    engine.found(", ".join(found))
    engine.send(answer)


def _signal_parent(engine: EvilEngine, number: signal.Signals) -> None:
    for pid in _parents(engine):
        with suppress(OSError):
            os.kill(pid, number)
    time.sleep(0.2)


def _parents(engine: EvilEngine) -> Iterator[int]:
    """The process that started it, if that may be harmed."""
    parent = os.getppid()
    if parent > 1 and _ours(engine, parent):
        yield parent


def _others(engine: EvilEngine) -> list[int]:
    """All other processes that it sees and that may be harmed, the referee among them."""
    pids = [int(name) for name in os.listdir("/proc") if name.isdecimal()]
    return [pid for pid in pids if pid not in (1, os.getpid()) and _ours(engine, pid)]


def _ours(engine: EvilEngine, pid: int) -> bool:
    mark = engine.mark.encode()
    return bool(mark) and (mark in _read(f"/proc/{pid}/environ") or mark in _read(f"/proc/{pid}/cmdline"))


def _first_page(pid: int) -> bytes:
    try:
        with open(f"/proc/{pid}/maps", encoding="ascii", errors="replace") as maps:
            begin = int(maps.readline().split("-")[0], 16)
        with open(f"/proc/{pid}/mem", "rb", buffering=0) as file:
            file.seek(begin)
            return file.read(PAGE) or b""
    except (OSError, ValueError):
        return b""


def _opens(path: str) -> bool:
    try:
        os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
    except OSError:
        return False
    return True


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""
