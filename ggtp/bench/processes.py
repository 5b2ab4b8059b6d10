"""What benchmarks ask about processes: which are below us, what each uses, and which are left."""

from __future__ import annotations

from contextlib import suppress

import psutil

from ggtp.processes import family

WATCHDOG = family.__file__
"""The program that ends our engines when we are killed; it ends with us."""


def descendants(pid: int) -> set[int]:
    """Return all processes below a process."""
    with suppress(psutil.NoSuchProcess):
        return {child.pid for child in psutil.Process(pid).children(recursive=True)}
    return set()


def cpu_seconds(pids: set[int]) -> float:
    """Return the processor time that these processes have used."""
    total = 0.0
    for pid in pids:
        with suppress(psutil.Error):
            times = psutil.Process(pid).cpu_times()
            total += times.user + times.system
    return total


def born(pid: int) -> float:
    """Return when a process began, which together with its number identifies it; 0 if there is none."""
    with suppress(psutil.Error):
        return psutil.Process(pid).create_time()
    return 0.0


def ended(pid: int) -> bool:
    """Return whether a process has ended and was not yet waited for."""
    with suppress(psutil.Error):
        return psutil.Process(pid).status() in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
    return False


def alive(pid: int) -> bool:
    """Return whether a process runs that should not: one that has not ended, and is not our own watchdog."""
    with suppress(psutil.Error):
        process = psutil.Process(pid)
        return not ended(pid) and WATCHDOG not in process.cmdline()
    return False


def resident_kib(pid: int) -> int:
    """Return the resident memory of a process; 0 if it can't be told."""
    with suppress(psutil.Error):
        return int(psutil.Process(pid).memory_info().rss) >> 10
    return 0


def open_files(pid: int) -> int:
    """Return how many files, pipes and sockets a process has open; 0 if it can't be told."""
    with suppress(psutil.Error):
        return psutil.Process(pid).num_fds()
    return 0
