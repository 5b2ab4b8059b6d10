"""A play file on disk: written whole at first, then line by line, each line durable before we go on."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from itertools import count
from pathlib import Path

from ggtp.catalogue.paths import read_regular
from ggtp.driver.tasks import in_thread

MOST_BYTES = 64 * 2**20
"""How large a play file may be that we read."""

PRIVATE = 0o600
"""The permissions of a new play file: it tells every hidden card, and the seed of the chance to come."""


def read_text(path: str) -> str:
    """The text of a play file.

    Raises:
        OSError: it can't be read, or is no regular file.
        ValueError: it is too large, or not UTF-8; the text says so.
    """
    return text_of(read_regular(_at(path), MOST_BYTES))


def text_of(data: bytes) -> str:
    """The text of a play file's bytes.

    Raises:
        ValueError: they are not UTF-8; the text says where.
    """
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ValueError(f"line {line} is not UTF-8") from None


class JournalFile:
    """An open play file. A file that was there before stays as it was until the new one is complete."""

    def __init__(self, path: str, lines: Iterable[str]) -> None:
        """Write the lines.

        Raises:
            OSError: it can't be written; the old file is untouched.
        """
        self._target = target = _at(path)
        if target.is_symlink():
            self._target = target = real_path(target)
        if target.exists() and not target.is_file():
            raise OSError(f"{path} is not a regular file")
        self._size = 0
        mode = target.stat().st_mode & 0o777 if target.exists() else PRIVATE
        try:
            self._fd, scratch = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        except OSError as error:
            raise _about(error, path) from error
        try:
            os.fchmod(self._fd, mode)
            self.append(lines)
            os.replace(scratch, target)
            sync_folder(target.parent)
        except OSError as error:
            self.close()
            Path(scratch).unlink(missing_ok=True)
            raise _about(error, path) from error

    def append(self, lines: Iterable[str]) -> None:
        """Write lines; they are on disk when this returns.

        Raises:
            OSError: they are not, or not all of them.
        """
        data = memoryview("".join(f"{line}\n" for line in lines).encode())
        before, after = self._size, self._size + len(data)
        try:
            while data:
                data = data[os.write(self._fd, data) :]
            os.fsync(self._fd)
        except OSError:
            # Half a line could be read as another move.
            with suppress(OSError):
                os.ftruncate(self._fd, before)
            raise
        self._size = after

    def harm(self) -> str:
        """What others have done to the file, as `was removed`; nothing if it is there and holds what was written."""
        return harm(self._fd, self._target, self._size)

    def close(self) -> None:
        """Close the file; a second time does nothing."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


class PlayFile:
    """The play file that is being written, while there is one."""

    def __init__(self) -> None:
        self._file: JournalFile | None = None
        self._path = ""

    async def open(self, path: str, lines: tuple[str, ...]) -> None:
        """Write another one from now on, which begins with these lines.

        Raises:
            OSError: it can't be written; the one before goes on.
        """
        fresh = await in_thread(JournalFile, path, lines)
        self.close()
        self._file, self._path = fresh, path

    @property
    def path(self) -> str:
        """The whole path of the file, where its links lead; nothing if there is none."""
        return os.path.realpath(self._path) if self._file is not None else ""

    def harm(self) -> str:
        """What others have done to the file, as `was removed`; nothing if it is as it was written, or there is none."""
        return "" if self._file is None else self._file.harm()

    def move(self, lines: Iterable[str]) -> str:
        """Go on in a new file beside the one that was asked for, which begins with these lines; its path.

        Raises:
            OSError: it can't be written; the one before goes on.
        """
        path = free_name(self._path)
        fresh = JournalFile(path, lines)
        if self._file is not None:
            self._file.close()
        self._file = fresh
        return path

    def append(self, lines: tuple[str, ...]) -> None:
        """Write lines, if there is a file; they are on disk when this returns.

        Raises:
            OSError: they are not, or not all of them.
        """
        if self._file is not None:
            self._file.append(lines)

    def close(self) -> None:
        """Write no more."""
        if self._file is not None:
            self._file.close()
            self._file = None


def harm(fd: int, path: Path, size: int) -> str:
    """What others have done to an open file of this size since it was opened at the path; nothing if all is well."""
    ours = os.fstat(fd)
    try:
        there = path.stat()
    except OSError:
        return "was removed"
    if not os.path.samestat(ours, there):
        return "was replaced"
    return "" if ours.st_size == size else "was changed by another program"


def free_name(path: str) -> str:
    """The first of `NAME-1.ggtp`, `NAME-2.ggtp` and so on, beside a file `NAME.ggtp`, that does not exist."""
    wanted = Path(path)
    names = (str(wanted.with_name(f"{wanted.stem}-{number}{wanted.suffix}")) for number in count(1))
    return next(name for name in names if not os.path.lexists(_at(name)))


def real_path(path: Path) -> Path:
    """Where a path leads to, whether or not there is anything.

    Raises:
        OSError: links lead in a circle, of which `Path.resolve` would make an error of its own.
    """
    found = Path(os.path.realpath(path))
    if found.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return found


def _at(path: str) -> Path:
    """Where a file is; `~` is somebody's home where there is such a person, and else a name like any other."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)


def _about(error: OSError, path: str) -> OSError:
    """The same error, but about the file that was asked for and not about a scratch file beside it."""
    return OSError(error.errno, error.strerror or str(error), path)


def sync_folder(folder: Path) -> None:
    """Make a rename durable."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
