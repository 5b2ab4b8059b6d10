"""To be given a processor soon, though others want all of them: for threads that mostly sleep."""

from __future__ import annotations

import ctypes
import os
import struct
from contextlib import suppress

SLICE = 100_000
"""Nanoseconds at a time that a thread wants to have a processor. Who wants little is given it sooner (since Linux
6.12)."""
SET_ATTRIBUTES = {"x86_64": 314, "aarch64": 274, "riscv64": 274}
"""The number of the system call `sched_setattr`."""


class Waits:
    """How long the thread that has made this waits for a processor, as the kernel counts it."""

    def __init__(self) -> None:
        self._handle = -1
        with suppress(OSError):
            self._handle = os.open("/proc/thread-self/schedstat", os.O_RDONLY)

    def seconds(self) -> float:
        """All in all until now; always nothing where nobody counts."""
        try:
            return int(os.pread(self._handle, 80, 0).split()[1]) / 1e9
        except (OSError, ValueError, IndexError):
            return 0.0


def want_soon() -> None:
    """Ask for a processor as soon as this thread has something to do.

    Before everybody else, where we are allowed to: the thread must then sleep nearly always. Otherwise in short turns,
    which come sooner than long ones. On systems that know of neither, nothing happens.
    """
    if not hasattr(os, "sched_setscheduler") or os.sched_getscheduler(0) != os.SCHED_OTHER:
        return
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(1))
    except OSError:
        _want_little()


def _want_little() -> None:
    number = SET_ATTRIBUTES.get(os.uname().machine)
    if number is not None:
        nice = os.getpriority(os.PRIO_PROCESS, 0)
        attributes = struct.pack("<IIQiIQQQ", 48, os.SCHED_OTHER, 0, nice, 0, SLICE, 0, 0)
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).syscall(number, 0, attributes, 0)


def halves() -> tuple[frozenset[int], frozenset[int]]:
    """The processors that we may use in two parts; the second is empty where there is one processor only."""
    if not hasattr(os, "sched_getaffinity"):
        return frozenset(), frozenset()
    every = sorted(os.sched_getaffinity(0))
    return frozenset(every[::2]), frozenset(every[1::2])


def stay_on(processors: frozenset[int]) -> None:
    """Let this thread run on these processors only, if there are any and it is allowed."""
    if processors:
        with suppress(OSError):
            os.sched_setaffinity(0, processors)
