"""A disk in memory that is nearly full: a file system of its own, where the system lets us mount one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ggtp.bench.attack.parts import Skipped
from ggtp.processes.spawn import NOTHING, ended, spawn

SECONDS = 20.0
FILLER = "filler"
CHUNK = 512


class SmallDisk:
    """A folder on such a disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def fill(self, left: int) -> None:
        """Leave so many bytes, about."""
        with (self.folder / FILLER).open("wb", buffering=0) as file:
            try:
                while file.write(bytes(CHUNK)):
                    pass
            except OSError:
                file.truncate(max(0, file.tell() - left))

    def empty(self) -> None:
        """Make room."""
        (self.folder / FILLER).unlink(missing_ok=True)

    def read_only(self) -> None:
        """Let nobody write any more."""
        _do("mount", "-o", "remount,ro", str(self.folder))


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[SmallDisk]:
    """Mount a disk of so many bytes at a folder.

    Raises:
        Skipped: that is not allowed here.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if _do("mount", "-t", "tmpfs", "-o", f"size={size},mode=700", "none", str(folder)) != 0:
        raise Skipped("no file system can be mounted: that takes the superuser")
    try:
        yield SmallDisk(folder)
    finally:
        _do("umount", "-l", str(folder))


def _do(*words: str) -> int | None:
    """Run a program; its exit status, or None if there is none."""
    try:
        process = spawn(words, stdin=NOTHING, stdout=NOTHING, stderr=NOTHING)
    except OSError:
        return None
    return ended(process, SECONDS)
