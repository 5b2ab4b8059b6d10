"""Memory that belongs to no process but to files: those of a sandbox's private folders, and files without a name."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator

UNNAMED = "/memfd:"
MOST_HANDLES = 4096
"""How many handles of a process are looked at; an engine in a sandbox has no more."""
BLOCK = 512
NODE = 1024
"""What a file in memory takes besides its content, about: the kernel keeps its name and its state."""


def kept_bytes(pids: Collection[int], inside: int = 0, folders: Collection[str] = ()) -> int:
    """Return how much memory is in files of the processes.

    Args:
        pids: the processes.
        inside: one of them that sees the folders; 0 if there are none.
        folders: file systems in memory, by their paths there.
    """
    return _unnamed(pids) + sum(_used(f"/proc/{inside}/root{folder}") for folder in folders if inside)


def _used(path: str) -> int:
    try:
        status = os.statvfs(path)
    except OSError:
        return 0
    return (status.f_blocks - status.f_bfree) * status.f_frsize + (status.f_files - status.f_ffree) * NODE


def _unnamed(pids: Collection[int]) -> int:
    """Return the bytes in files that have no name, each counted once."""
    sizes: dict[tuple[int, int], int] = {}
    for path in (path for pid in pids for path in _handles(pid)):
        try:
            if os.readlink(path).startswith(UNNAMED):
                status = os.stat(path)
                sizes[status.st_dev, status.st_ino] = status.st_blocks * BLOCK
        except OSError:
            continue
    return sum(sizes.values())


def _handles(pid: int) -> Iterator[str]:
    folder = f"/proc/{pid}/fd"
    try:
        with os.scandir(folder) as scan:
            for entry, _ in zip(scan, range(MOST_HANDLES), strict=False):
                yield entry.path
    except OSError:
        return
