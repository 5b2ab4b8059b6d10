"""A tournament's journal on the disk: read, then written to its end, and by one program only."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from ggtp.catalogue.paths import read_regular
from ggtp.driver.journal import free_name, harm, sync_folder
from ggtp.errors import GgtpError
from ggtp.tournament.journal.journal import JournalError, Line, LineReader, LineWriter, looks_like_journal

CHUNK = 4 * 2**20
MOST_BYTES = 2**30
"""How large a journal may be that is read as a whole, for a report: about two million games."""

MOST_LINE = 2**28
"""How long a line may be: it is read as a whole."""
BEGIN = b'{"seq":1,"kind":"'
"""How every journal begins."""

PRIVATE = 0o600
"""The permissions of what a tournament writes: the key of its chance is in it."""


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
        self.path = self._asked = Path(path)
        self._size = 0
        fresh = not self.path.exists()
        self._fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC, PRIVATE)
        if not stat.S_ISREG(os.fstat(self._fd).st_mode):
            self.close()
            raise OSError(errno.EINVAL, "Not a regular file", str(path))
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.close()
            raise JournalBusy(f"{path} is being written by another program: look at it with ggtp watch.") from None
        self.writer = LineWriter()
        if fresh:
            sync_folder(self.path.parent)

    def lines(self) -> Iterator[Line]:
        """Every line that holds. What is torn at the end is cut off before anything is written.

        Raises:
            JournalError: it is no journal, was damaged before its last line, or is shorter than it was. Nothing is
                changed.
        """
        if os.fstat(self._fd).st_size < self._size:
            raise JournalError("Another program has cut it off.", path=str(self.path))
        begin = os.pread(self._fd, len(BEGIN), 0)
        none = JournalError("It is no journal.", path=str(self.path))
        if begin and not looks_like_journal(begin):
            raise none
        reader = LineReader(str(self.path))
        yield from read_lines(self._fd, reader)
        if not reader.good and not BEGIN.startswith(begin):
            raise none  # all of it would be cut off
        os.ftruncate(self._fd, reader.good)
        os.lseek(self._fd, reader.good, os.SEEK_SET)
        self._size = reader.good
        self.writer = LineWriter(reader.seq, reader.crc)

    def secure(self) -> str:
        """See that what is written next can be found. If the file was removed or replaced, go on in a copy beside it.

        Returns:
            A sentence about what happened; nothing if all is well.

        Raises:
            OSError: others have changed what was written, or the copy can't be made.
        """
        what = harm(self._fd, self.path, self._size)
        if not what:
            return ""
        if os.fstat(self._fd).st_size != self._size:
            raise OSError(errno.EIO, "another program has changed it")
        path, old = Path(free_name(str(self._asked))), self.path
        fresh = self._copy(path)
        os.close(self._fd)
        self._fd, self.path = fresh, path
        return f"The journal {old} {what}. The whole journal is in {path}, which goes on."

    def _copy(self, path: Path) -> int:
        """A new file, open and locked, that holds the journal so far."""
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, os.fstat(self._fd).st_mode & 0o777)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            for begin in range(0, self._size, CHUNK):
                _write_all(fd, os.pread(self._fd, CHUNK, begin))
            os.fsync(fd)
            sync_folder(path.parent)
        except BaseException:
            os.close(fd)
            path.unlink(missing_ok=True)
            raise
        return fd

    def write(self, data: bytes, *, sync: bool = False) -> None:
        """Append lines. They outlive this program; with `sync`, all that was written outlives a machine that stops.

        Raises:
            OSError: they were not written.
        """
        try:
            _write_all(self._fd, data)
        finally:
            self._size = os.lseek(self._fd, 0, os.SEEK_CUR)
        if sync:
            os.fsync(self._fd)

    def close(self) -> None:
        """Close it, and let others have it."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def write_private(path: Path, text: str) -> None:
    """Write a file that nobody else may read.

    Raises:
        OSError: it can't be written.
    """
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, PRIVATE)
    with open(fd, "w", encoding="utf-8", errors="backslashreplace") as file:
        os.fchmod(fd, PRIVATE)  # one that was there, too
        file.write(text)


def create_private(path: Path, data: bytes) -> None:
    """Make a file that was not there and that nobody else may read, on the disk when this returns.

    Raises:
        OSError: it is there, or can't be written; then there is none.
    """
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE)
    try:
        _write_all(fd, data)
        os.fsync(fd)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    finally:
        os.close(fd)
    sync_folder(path.parent)


def read_journal_file(path: str | Path) -> bytes:
    """Return the bytes of a journal or a play file.

    Raises:
        OSError: it can't be read, or is no regular file.
        JournalError: it is too large.
    """
    try:
        return read_regular(path, MOST_BYTES)
    except ValueError as error:
        raise JournalError(f"the file can't be read: {error}", path=str(path)) from None


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
        if size > MOST_LINE:
            raise JournalError(f"This line has more than {MOST_LINE} bytes.", path=reader.path, line=reader.seq + 1)
