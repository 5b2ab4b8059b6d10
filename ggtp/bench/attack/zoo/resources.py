"""Ways to use too much."""

from __future__ import annotations

import mmap
import os
import resource
import tempfile
import threading
import time
from typing import TYPE_CHECKING

from ggtp.bench.attack.zoo.ending import crash

if TYPE_CHECKING:
    from ggtp.bench.attack.zoo.engine import EvilEngine

MEGABYTE = 1 << 20
DESCRIPTORS = 10_000
THREADS = 400
FORKS = 200
LEAPS = 100
DEAD = 50


def memory(engine: EvilEngine, _answer: str) -> None:
    """Fill the heap."""
    kept = [b"m" * MEGABYTE for _ in range(engine.most)]
    engine.rest()
    del kept


def memory_mapped(engine: EvilEngine, _answer: str) -> None:
    """Map memory and write to it."""
    kept = []
    for _ in range(engine.most):
        kept.append(mmap.mmap(-1, MEGABYTE))
        kept[-1].write(b"m" * MEGABYTE)
    engine.rest()


def memory_shared(engine: EvilEngine, answer: str) -> None:
    """Fill /dev/shm."""
    _fill(engine, f"/dev/shm/{engine.mark or 'evil'}")
    engine.send(answer)


def memory_file(engine: EvilEngine, answer: str) -> None:
    """Fill a file without a name, which no process maps."""
    fd = os.memfd_create("evil")
    for _ in range(engine.most):
        os.write(fd, b"m" * MEGABYTE)
    engine.send(answer)


def memory_tmp(engine: EvilEngine, answer: str) -> None:
    """Fill a file in the folder for temporary files."""
    _fill(engine, os.path.join(tempfile.gettempdir(), f"{engine.mark or 'evil'}-full"))
    engine.send(answer)


def memory_of_child(engine: EvilEngine, answer: str) -> None:
    """Fill the heap of a child, and play on."""
    if os.fork() == 0:
        memory(engine, answer)
        os._exit(0)
    time.sleep(1.0)  # for a referee that looks now and then
    engine.rest()


def many_descriptors(engine: EvilEngine, answer: str) -> None:
    """Open as many as there may be."""
    try:
        for _ in range(DESCRIPTORS):
            os.dup(2)
    except OSError:
        pass
    engine.send(answer)


def many_threads(engine: EvilEngine, answer: str) -> None:
    """Start threads that wait."""
    threading.stack_size(65536)
    try:
        for _ in range(THREADS):
            threading.Thread(target=engine.rest, daemon=True).start()
    except RuntimeError:
        pass
    engine.send(answer)


def fork_bomb(engine: EvilEngine, _answer: str) -> None:
    """Fork as often as it goes, but no more than a machine can bear."""
    try:
        for _ in range(FORKS):
            if os.fork() == 0:
                engine.rest()
                os._exit(0)
    except OSError:
        pass
    engine.rest()


def zombies(engine: EvilEngine, answer: str) -> None:
    """Leave dead children that nobody waits for."""
    try:
        for _ in range(DEAD):
            if os.fork() == 0:
                os._exit(0)
    except OSError:
        pass
    engine.send(answer)


def leaps(engine: EvilEngine, _answer: str) -> None:
    """Leave one process for the next, so that nobody who looks sees the one that is there."""
    for _ in range(LEAPS):
        if os.fork():
            os._exit(0)
    os.setsid()
    engine.rest()


def spins(engine: EvilEngine, answer: str) -> None:
    """Keep a processor busy beside the game."""
    until = time.monotonic() + 10.0

    def spin() -> None:
        while time.monotonic() < until:
            pass

    threading.Thread(target=spin, daemon=True).start()
    engine.send(answer)


def dumps_core(engine: EvilEngine, answer: str) -> None:
    """Ask for a core file, and crash."""
    _, most = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (most, most))
    crash(engine, answer)


def _fill(engine: EvilEngine, path: str) -> None:
    try:
        with open(path, "wb") as file:
            for _ in range(engine.most):
                file.write(b"m" * MEGABYTE)
    except OSError:
        pass
