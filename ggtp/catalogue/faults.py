"""What went wrong in a guest's code, as an error with a place."""

from __future__ import annotations

import importlib
import linecache
import os
import traceback
from pathlib import Path
from typing import TypeVar

from ggtp.errors import PlacedError

LOADING = "it can't be loaded"

MACHINERY = ("<frozen", os.path.dirname(importlib.__file__), os.path.dirname(__file__))
"""How the files begin that import a guest but are no part of it."""

Placed = TypeVar("Placed", bound=PlacedError)


def guest_fault(
    error: type[Placed],
    fault: BaseException,
    *,
    path: str = "",
    content: bytes | None = None,
    what: str = "",
    package: Path | None = None,
) -> Placed:
    """The error for an exception that came out of a guest's code.

    Args:
        error: the class to make.
        fault: what the guest raised.
        path: the guest's file, if it is one file: the place is the last line of it that was running.
        content: what is in that file, for the caret.
        what: begins the message, where a path alone does not say whose fault it is.
        package: the guest's folder, if it is a package: the place may be in any of its files.
    """

    def theirs(file: str) -> bool:
        if package is not None:
            return file.startswith(f"{package}{os.sep}")
        return file == path if path else not file.startswith(MACHINERY)

    if isinstance(fault, SyntaxError) and fault.filename and theirs(fault.filename):
        text = (fault.text or "").rstrip("\r\n")
        return error(
            f"{what}: {fault.msg}" if what else fault.msg,
            path=fault.filename,
            line=fault.lineno or 0,
            # The compiler says -1 or nothing where it does not know.
            column=max(fault.offset or 0, 0),
            source=text or None,
        )
    message = f"{what or LOADING}: {type(fault).__name__}: {fault}".rstrip(": ")
    frames = [frame for frame in traceback.extract_tb(fault.__traceback__) if theirs(frame.filename)]
    if not frames:
        return error(message, path=path)
    file, line = frames[-1].filename, frames[-1].lineno or 0
    if content is not None and file == path:
        source = source_line(content, line)
    else:
        source = linecache.getline(file, line).rstrip("\r\n")
    return error(message, path=file, line=line, column=_column(source, frames[-1].colno), source=source)


def source_line(content: bytes, line: int) -> str | None:
    """The line of that number, counted from one, if there is one."""
    lines = content.decode("utf-8", errors="replace").splitlines()
    return lines[line - 1] if 1 <= line <= len(lines) else None


def _column(source: str | None, offset: int | None) -> int:
    """A column counted from one, of an offset in bytes counted from nought."""
    if source is None or offset is None:
        return 0
    return len(source.encode()[:offset].decode(errors="ignore")) + 1
