"""The lines that were typed before, kept over the end of the program. Nothing fails for want of them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from prompt_toolkit.history import FileHistory, History, InMemoryHistory

MOST_BYTES = 512 * 1024
"""A longer file is cut to its latest half when it is opened."""


class KeptHistory(FileHistory):
    """A file of lines that may become unreadable or full at any time."""

    def load_history_strings(self) -> Iterable[str]:
        """The lines of the file, the latest first; none where it can't be read."""
        try:
            return list(super().load_history_strings())
        except OSError:
            return []

    def store_string(self, string: str) -> None:
        """Append a line; where that is not possible, it is known until the program ends."""
        try:
            super().store_string(string)
        except OSError:
            return


def open_history(folder: Path) -> History:
    """The history in that folder, for its owner's eyes only; one in memory where it can't be kept."""
    path = folder / "history"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        _shorten(path)
    except OSError:
        return InMemoryHistory()
    return KeptHistory(str(path))


def _shorten(path: Path) -> None:
    """Keep the latest half of a file that has grown too long, from the beginning of an entry on."""
    if path.stat().st_size <= MOST_BYTES:
        return
    data = path.read_bytes()[-MOST_BYTES // 2 :]
    begin = data.find(b"\n# ")
    scratch = path.with_name(f".history.{os.getpid()}")
    descriptor = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "wb") as file:
        file.write(data[begin + 1 :] if begin >= 0 else b"")
    os.replace(scratch, path)
