"""Whether there is room for the library, which ends the whole process if it finds none for its threads."""

from __future__ import annotations

import errno
import mmap
import os
from contextlib import suppress

DESCRIPTORS = 24
"""More than a context with a socket or two opens."""
MEGABYTES = 96
"""The stacks of its threads, of which the system sets eight megabytes aside for each, and its buffers."""


def need_room(descriptors: int = DESCRIPTORS, megabytes: int = MEGABYTES) -> None:
    """See that so much can be had now.

    Raises:
        OSError: it can't; which of it says so.
    """
    opened: list[int] = []
    try:
        with suppress(OSError):
            opened.append(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC))
            while len(opened) < descriptors:
                opened.append(os.dup(opened[0]))
    finally:
        for handle in opened:
            os.close(handle)
    if len(opened) < descriptors:
        raise OSError(errno.EMFILE, "Too few files can be open at a time for connections to other machines")
    try:
        mmap.mmap(-1, megabytes << 20).close()
    except (OSError, ValueError, MemoryError):
        raise OSError(errno.ENOMEM, "There is too little memory for connections to other machines") from None
