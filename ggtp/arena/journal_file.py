"""A tournament's journal on the disk: read, then written to its end, and by one program only."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from ggtp.errors import GgtpError
from ggtp.tournament.journal.journal import Line, LineReader, LineWriter

CHUNK = 4 * 2**20


class JournalBusy(GgtpError):
    """Another program writes this journal."""


class TournamentJournal:
    """An open journal: `lines` to the end before anything is written, and again whenever that helps."""

    def __init__(self, path: str | Path) -> None:
        """Open it, or make it.

        Raises:
            OSError: it can't be opened.
            JournalBusy: another program has it.
        """
        self.path = Path(path)
        fresh = not self.path.exists()
        self._fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.close()
            raise JournalBusy(f"{path} is being written by another program: look at it with ggtp watch.") from None
        self.writer = LineWriter()
        if fresh:
            folder = os.open(self.path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)

    def lines(self) -> Iterator[Line]:
        """Every line that holds. What is torn at the end is cut off before anything is written.

        Raises:
            JournalError: it was damaged before its last line. Nothing is changed.
        """
        reader = LineReader(str(self.path))
        yield from read_lines(self._fd, reader)
        os.ftruncate(self._fd, reader.good)
        os.lseek(self._fd, reader.good, os.SEEK_SET)
        self.writer = LineWriter(reader.seq, reader.crc)

    def write(self, data: bytes, *, sync: bool = False) -> None:
        """Append lines. They outlive this program; with `sync`, all that was written outlives a machine that stops.

        Raises:
            OSError: they were not written.
        """
        view = memoryview(data)
        while view:
            view = view[os.write(self._fd, view) :]
        if sync:
            os.fsync(self._fd)

    def close(self) -> None:
        """Close it, and let others have it."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def read_lines(fd: int, reader: LineReader) -> Iterator[Line]:
    """The lines of a file from where the reader is, in pieces, so that a long journal takes little memory."""
    size = CHUNK
    while True:
        data = os.pread(fd, size, reader.good)
        before = reader.good
        more = len(data) == size
        yield from reader.read(data, more=more)
        if not more:
            return
        size = size * 2 if reader.good == before else CHUNK  # a line may be longer than a piece
