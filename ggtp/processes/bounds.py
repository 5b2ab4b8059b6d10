"""What a process may take, and how long it lives: for the process itself to say, at its beginning."""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache

PR_SET_PDEATHSIG, PR_SET_DUMPABLE = 1, 4


def parent_signal() -> Callable[[int], bool]:
    """A function by which a process asks for a signal when its parent ends; it says whether that can be had.

    The signal comes when the *thread* ends that has started the process. It is loaded here: who is going to be copied
    calls this before, since a copy would wait for ever for what another thread was just loading.
    """
    if sys.platform != "linux":
        return lambda number: False
    import ctypes  # only here: a process should be up fast

    try:
        prctl = ctypes.CDLL(None).prctl
    except (OSError, AttributeError):
        return lambda number: False
    return lambda number: prctl(PR_SET_PDEATHSIG, number, 0, 0, 0) == 0


@cache
def hide_memory() -> None:
    """Keep the user's other programs from reading this process's memory and variables, where the system can do it.

    What is started by this process later can be read, unless it hides itself, too. Debuggers and profilers need root.
    """
    if sys.platform != "linux":
        return
    import ctypes  # only here: a process should be up fast

    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def end_with_parent(parent: int = 0) -> None:
    """Arrange, where the system can do it, that this process does not outlive its parent; end if that has gone already.

    Args:
        parent: its number, if that was known before.
    """
    parent_signal()(int(signal.SIGKILL))
    if parent and os.getppid() != parent:
        os._exit(1)


def bound(*, cpu_seconds: int | None = None, memory_bytes: int | None = None) -> None:
    """Limit what this process may take from now on; it leaves no image of its memory when it fails.

    Args:
        cpu_seconds: of processors, after which the system ends it; None for no limit.
        memory_bytes: of addresses, beyond which it gets no more; None for no limit.
    """
    wanted = {resource.RLIMIT_CPU: cpu_seconds, resource.RLIMIT_AS: memory_bytes, resource.RLIMIT_CORE: 0}
    for what, value in wanted.items():
        if value is None:
            continue
        _, hard = resource.getrlimit(what)
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(what, (value, value))
