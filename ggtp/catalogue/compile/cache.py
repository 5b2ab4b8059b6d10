"""A cache of bytes on the disk: it may forget anything at any time, and never gives what it was not given.

A file is believed if it is our user's own, nobody else may write it, and its checksum fits its
name and content. Whatever else is found counts as missing and is replaced. What is kept may be
machine code, so this is where that is decided, and nothing is ever unpickled.
"""

from __future__ import annotations

import fcntl
import os
import stat
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

from ggtp.catalogue.paths import user_folder

MAGIC = b"ggtp kept\n"
MOST_BYTES = 512 << 20
"""How large a cache may grow, unless somebody says otherwise."""
LEFT = 0.75
"""Which part of that stays when the oldest files are removed."""

SHARED = "GGTP_SHARED_CACHE"
"""The variable that names, to an engine in a sandbox, the user's cache, which it may read and not write."""

_DIGEST = sha256().digest_size
_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH
_PREFIX = ".new-"
_CLAIM = ".made-"
_PATIENCE = 0.05
"""Seconds between two looks whether somebody else is done."""


def cache_folder(environ: Mapping[str, str]) -> Path:
    """Where the user's compiled rules are kept."""
    return user_folder(environ, "XDG_CACHE_HOME", ".cache") / "ggtp" / "gdl"


def usual_cache(environ: Mapping[str, str]) -> DiskCache:
    """Return the user's cache; in a sandbox, an engine's own, behind which the user's is read."""
    return DiskCache(cache_folder(environ), shared=shared_folder(environ))


def shared_folder(environ: Mapping[str, str]) -> Path | None:
    """Return where the user's cache is, in a sandbox that shows it; None elsewhere."""
    named = environ.get(SHARED, "")
    return Path(named) if named else None


class DiskCache:
    """Keeps bytes under names, each in a file of the folder; a folder that can't be used keeps nothing.

    Several programs may use a folder at once: a file is there as a whole, or not.
    """

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES, shared: Path | None = None) -> None:
        """A cache in the folder, which is made when something is put there.

        Args:
            folder: where it is kept.
            most_bytes: how large it may grow.
            shared: the folder of another cache, which is read where there is nothing in this one, and never written.
        """
        self.folder = folder
        self.shared = shared
        self._most = most_bytes
        self._size: int | None = None
        """About how many bytes there are, once that was counted."""

    def get(self, key: str) -> bytes | None:
        """What was put there under this name, if it is still there."""
        found = self._read(key, self._path(key))
        if found is None and self.shared is not None:
            found = self._read(key, self.shared / self._path(key).name)
        return found

    def _read(self, key: str, path: Path) -> bytes | None:
        try:
            handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
        except OSError:
            return None
        with os.fdopen(handle, "rb") as file:
            try:
                found = os.fstat(handle)
                if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & _MAY_WRITE:
                    return None
                # As much as there is: reading makes room for as much as it is asked for.
                content = file.read(min(found.st_size, self._most) + 1)
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

    @contextmanager
    def claim(self, key: str, should_stop: Callable[[], bool], seconds: float) -> Iterator[bool]:
        """Be the only one who makes what belongs under a name, while other programs wait for it.

        Waits for whoever is at it, until `should_stop` says so or the seconds are over; the result is whether there
        was anybody to wait for, so that it may be there now. The claim of a program that ends ends with it.
        """
        if self.shared is not None and self._await_shared(key, should_stop, seconds):
            yield True
            return
        handle = self._open_claim(key)
        if handle is None:
            yield False
            return
        waited = False
        until = time.monotonic() + seconds
        try:
            while not (ours := _locked(handle)):
                waited = True
                if should_stop() or time.monotonic() >= until:
                    break
                time.sleep(_PATIENCE)
            yield waited
            if ours:
                # Who waits for this file has it, and who comes now a new one: both find what we have made.
                with suppress(OSError):
                    os.unlink(self._claim_path(key))
        finally:
            os.close(handle)

    def _await_shared(self, key: str, should_stop: Callable[[], bool], seconds: float) -> bool:
        """Wait until nobody makes it for the shared cache any more; whether anybody did."""
        assert self.shared is not None
        until = time.monotonic() + seconds
        waited = False
        while not should_stop() and time.monotonic() < until:
            try:
                handle = os.open(self.shared / self._claim_path(key).name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
            except OSError:
                return waited  # who has made it removes the file
            try:
                if _locked(handle, fcntl.LOCK_SH):
                    return waited
            finally:
                os.close(handle)
            waited = True
            time.sleep(_PATIENCE)
        return waited

    def _open_claim(self, key: str) -> int | None:
        """The file whose lock is the claim; None where there can't be one."""
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            return os.open(self._claim_path(key), flags, 0o600)
        except OSError:
            return None

    def _claim_path(self, key: str) -> Path:
        return self.folder / f"{_CLAIM}{sha256(key.encode()).hexdigest()}"

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


def _locked(handle: int, kind: int = fcntl.LOCK_EX) -> bool:
    """Whether we have the lock of an open file now, or such a thing is not to be had."""
    try:
        fcntl.flock(handle, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def _checksum(key: str, data: bytes) -> bytes:
    # The name is part of it, so that a file that was renamed is not believed.
    digest = sha256(key.encode() + b"\0")
    digest.update(data)
    return digest.digest()
