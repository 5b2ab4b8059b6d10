"""Why a command could not be started, in words for whoever wrote it."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from collections.abc import Mapping, Sequence


def obstacle(argv: Sequence[str], env: Mapping[str, str], cwd: str | os.PathLike[str] | None) -> str:
    """Return why a command can't be started, as far as its files tell; nothing if they don't."""
    if not argv or not argv[0] or any("\0" in word for word in argv):
        return why_not(argv, env, cwd, ValueError())
    if cwd is not None and not os.path.isdir(cwd):
        return why_not(argv, env, cwd, NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)))
    program = os.path.join(cwd or "", argv[0]) if "/" in argv[0] else shutil.which(argv[0], path=env.get("PATH"))
    if program is None or not os.path.isfile(program):
        return why_not(argv, env, cwd, FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)))
    if not os.access(program, os.X_OK):
        return why_not(argv, env, cwd, PermissionError(errno.EACCES, os.strerror(errno.EACCES)))
    interpreter = _interpreter(program)
    if interpreter and not os.path.exists(interpreter):
        return why_not(argv, env, cwd, FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)))
    return ""


def why_not(argv: Sequence[str], env: Mapping[str, str], cwd: str | os.PathLike[str] | None, error: Exception) -> str:
    """A sentence for somebody who wrote the command and wonders why it does not start."""
    if not argv or not argv[0]:
        return "The command is empty."
    name = argv[0]
    if isinstance(error, ValueError):
        return f"{name} cannot be started: a zero byte in the command or its environment."
    if not isinstance(error, OSError):
        return f"{name} cannot be started: {error}"
    if cwd is not None and not os.path.isdir(cwd):
        return f"{name} cannot be started in {os.fspath(cwd)}, which is no directory."
    if "/" in name:
        path = os.path.join(cwd or "", name)
    else:
        found = shutil.which(name, os.F_OK, env.get("PATH", os.defpath))
        if found is None:
            return f"No program named {name} was found in any directory of PATH."
        path = found
    if not os.path.exists(path):
        return f"There is no program {name}."
    if os.path.isdir(path):
        return f"{name} is a directory, not a program."
    if error.errno == errno.ENOENT:
        interpreter = _interpreter(path)
        if interpreter:
            return f"{name} names {interpreter} in its first line as the program to run it, which does not exist."
        return f"{name} cannot be run here: it was made for another system, or its loader is missing."
    if error.errno == errno.EACCES:
        return f"{name} is not executable; chmod +x may help."
    if error.errno == errno.ENOEXEC:
        return f"{name} is not a program; a script needs a first line such as #!/usr/bin/env python3."
    return f"{name} cannot be started: {error.strerror}."


def _interpreter(path: str) -> str:
    with contextlib.suppress(OSError), open(path, "rb") as file:
        first = file.readline(256)
        if first.startswith(b"#!"):
            return (first[2:].split() or [b""])[0].decode("utf-8", "replace")
    return ""
