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
from contextlib import suppress
from typing import NoReturn

from ggtp.processes.bounds import parent_signal

TASKS = "/proc/self/task"
FAILED = 4
"""The exit status after an error that nobody expected."""


def alone() -> bool:
    """Whether this process has one thread only, those of libraries counted; no where nobody can tell."""
    try:
        return len(os.listdir(TASKS)) == 1
    except OSError:
        return False


def copy(*, own_session: bool, ends_with_parent: bool) -> int:
    """Make a copy of this process, which goes on from here as well.

    Args:
        own_session: whether the copy is the first of a new session.
        ends_with_parent: whether the copy is killed when the thread ends that has made it, as far as the system can.

    Returns:
        The number of the process, and 0 in the copy.

    Raises:
        OSError: there can't be another process.
    """
    # Loaded here, and not in the copy: if another thread is just loading it, that one would wait for ever.
    ask = parent_signal() if ends_with_parent else None
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not stream.closed:
            with suppress(OSError):
                stream.flush()  # or the copy would have it, too
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        if own_session:
            os.setsid()
        if ask is not None:
            ask(int(signal.SIGKILL))
            if os.getppid() != parent:
                os._exit(FAILED)
    return pid


def keep_only(*handles: int) -> None:
    """Close all handles of files but the standard ones and these."""
    begin = 3
    for handle in sorted({*handles, os.sysconf("SC_OPEN_MAX")}):
        if handle >= begin:
            os.closerange(begin, handle)
            begin = handle + 1


def fork(work: Callable[[], int], stdin: int, stdout: int, stderr: int, *, own_group: bool) -> int:
    """Start a copy that does its work and ends with the status that comes of it.

    Args:
        work: what it does.
        stdin, stdout, stderr: handles of files that it has as these; of all others it has none.
        own_group: whether it is the first of a new session.

    Returns:
        The number of the process.

    Raises:
        OSError: there can't be another process.
    """
    return copy(own_session=own_group, ends_with_parent=False) or _live(work, (stdin, stdout, stderr))


def _live(work: Callable[[], int], handles: tuple[int, int, int]) -> NoReturn:
    """The whole life of the copy: it never comes back to what its parent was doing."""
    status = FAILED
    try:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        # Above the three, first, since they may stand in one another's place.
        kept = [os.dup2(handle, 64 + place) for place, handle in enumerate(handles)]
        for place, handle in enumerate(kept):
            os.dup2(handle, place)
        keep_only()
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
