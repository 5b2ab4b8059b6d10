"""A copy of this process as a child: what is loaded here is loaded there, so that it works after a few milliseconds.

A copy has one thread only, and whatever others were in the middle of stays so for ever. So there are copies of
processes with one thread only, and everybody else starts children in the plain way.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable
from typing import NoReturn

TASKS = "/proc/self/task"
FAILED = 4
"""The exit status after an error that nobody expected."""


def alone() -> bool:
    """Whether this process has one thread only, those of libraries counted; no where nobody can tell."""
    try:
        return len(os.listdir(TASKS)) == 1
    except OSError:
        return False


def fork(work: Callable[[], int], stdin: int, stdout: int, stderr: int, *, own_group: bool) -> int:
    """Starts a copy that does its work and ends with the status that comes of it.

    Args:
        work: what it does.
        stdin, stdout, stderr: handles of files that it has as these; of all others it has none.
        own_group: whether it is the first of a new session.

    Returns:
        The number of the process.

    Raises:
        OSError: there can't be another process.
    """
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not stream.closed:
            stream.flush()  # or the copy would have it, too
    pid = os.fork()
    return pid or _live(work, (stdin, stdout, stderr), own_group)


def _live(work: Callable[[], int], handles: tuple[int, int, int], own_group: bool) -> NoReturn:
    """The whole life of the copy: it never comes back to what its parent was doing."""
    status = FAILED
    try:
        if own_group:
            os.setsid()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        # Above the three, first, since they may stand in one another's place.
        kept = [os.dup2(handle, 64 + place) for place, handle in enumerate(handles)]
        for place, handle in enumerate(kept):
            os.dup2(handle, place)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        sys.stdin, sys.stdout, sys.stderr = (
            open(place, mode, encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115 - they stay open
            for place, mode in enumerate(("r", "w", "w"))
        )
        status = work()
        sys.stdout.flush()
    except BaseException:  # noqa: BLE001 - nobody above may see it
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)
