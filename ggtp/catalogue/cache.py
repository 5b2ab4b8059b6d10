"""A cache of bytes on the disk: it may forget anything at any time, and never gives what it was not given.

A file is believed if it is our user's own, nobody else may write it, and its checksum fits its
name and content. Whatever else is found counts as missing and is replaced. What is kept may be
machine code, so this is where that is decided, and nothing is ever unpickled.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from ggtp.catalogue.paths import user_folder

MAGIC = b"ggtp kept\n"
MOST_BYTES = 512 << 20
"""How large a cache may grow, unless somebody says otherwise."""
LEFT = 0.75
"""Which part of that stays when the oldest files are removed."""

_DIGEST = sha256().digest_size
_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH
_PREFIX = ".new-"


def cache_folder(environ: Mapping[str, str]) -> Path:
    """Where the user's compiled rules are kept."""
    return user_folder(environ, "XDG_CACHE_HOME", ".cache") / "ggtp" / "gdl"


class DiskCache:
    """Keeps bytes under names, each in a file of the folder; a folder that can't be used keeps nothing.

    Several programs may use a folder at once: a file is there as a whole, or not.
    """

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        """A cache in the folder, which is made when something is put there."""
        self.folder = folder
        self._most = most_bytes
        self._size: int | None = None
        """About how many bytes there are, once that was counted."""

    def get(self, key: str) -> bytes | None:
        """What was put there under this name, if it is still there."""
        path = self._path(key)
        try:
            handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
        except OSError:
            return None
        with os.fdopen(handle, "rb") as file:
            try:
                found = os.fstat(handle)
                if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & _MAY_WRITE:
                    return None
                content = file.read(self._most + 1)
            except OSError:
                return None
        head = len(MAGIC) + _DIGEST
        data = content[head:]
        if content[:head] != MAGIC + _checksum(key, data):
            return None
        with suppress(OSError):
            os.utime(path)  # so that what is used is not the oldest
        return data

    def put(self, key: str, data: bytes) -> None:
        """Keep bytes under a name. That it could not be done, nobody needs to know."""
        size = len(MAGIC) + _DIGEST + len(data)
        if size > self._most:
            return
        path = self._path(key)
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, new = tempfile.mkstemp(prefix=_PREFIX, dir=self.folder)
        except OSError:
            return
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(MAGIC + _checksum(key, data))
                file.write(data)
            os.replace(new, path)
        except OSError:
            with suppress(OSError):
                os.unlink(new)
            return
        self._size = self._count() if self._size is None else self._size + size
        if self._size > self._most:
            self._shrink()

    def _path(self, key: str) -> Path:
        return self.folder / sha256(key.encode()).hexdigest()

    def _files(self) -> list[tuple[float, int, str]]:
        """The time of use, the size and the path of each file."""
        found = []
        with suppress(OSError), os.scandir(self.folder) as scan:
            for entry in scan:
                with suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    if stat.S_ISREG(status.st_mode):
                        found.append((status.st_mtime, status.st_size, entry.path))
        return found

    def _count(self) -> int:
        return sum(size for _, size, _ in self._files())

    def _shrink(self) -> None:
        """Remove what was not used for the longest time."""
        files = sorted(self._files())
        total = sum(size for _, size, _ in files)
        for _, size, path in files:
            if total <= self._most * LEFT:
                break
            with suppress(OSError):
                os.unlink(path)
                total -= size
        self._size = total


def _checksum(key: str, data: bytes) -> bytes:
    # The name is part of it, so that a file that was renamed is not believed.
    digest = sha256(key.encode() + b"\0")
    digest.update(data)
    return digest.digest()
