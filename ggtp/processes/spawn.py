"""Starts programs. Whatever else starts one, in this package or elsewhere, does it through `spawn`.

    process = spawn([sys.executable, "-c", "print(1)"], stdin=NOTHING)
    status = ended(process, seconds=1.0)

Engines have more around them (see `engine`), and so do jobs with bounds (`child`), programs that talk in lines
(`dialogue`) and copies of this process (`forked`, `worker`).
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import TypeAlias

Process: TypeAlias = subprocess.Popen[bytes]
PIPE, NOTHING = subprocess.PIPE, subprocess.DEVNULL
PROJECT = __name__.partition(".")[0]


class Apart(Enum):
    """How far a program is from us: who gets a terminal's signals, and who is killed as a group."""

    NOT = "it is in our group, and ends with that"
    GROUP = "it begins a group of its own in our session"
    SESSION = "it begins a session of its own"


def spawn(
    argv: Sequence[str],
    *,
    stdin: int = PIPE,
    stdout: int = PIPE,
    stderr: int | None = None,
    env: Mapping[str, str] | None = None,
    cwd: str | os.PathLike[str] | None = None,
    apart: Apart = Apart.NOT,
    handles: Sequence[int] = (),
) -> Process:
    """Start a program, never through a shell. Its pipes are not buffered, and of other files it has only those named.

    Args:
        argv: the program and its arguments.
        stdin, stdout, stderr: `PIPE`, `NOTHING` or an open file's handle; without one, standard error is ours.
        env: its whole environment; ours where there is none.
        cwd: where it starts.
        apart: whether it has a group or a session of its own.
        handles: those of other open files that it is to have, too.

    Raises:
        OSError, ValueError, IndexError: it can't be started; `refusal.why_not` puts that into words.
    """
    return subprocess.Popen(
        list(argv),
        bufsize=0,
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        env=env,
        cwd=cwd,
        pass_fds=handles,
        start_new_session=apart is Apart.SESSION,
        process_group=0 if apart is Apart.GROUP else None,
    )


def ended(process: Process, seconds: float) -> int | None:
    """Wait for a program's end; its exit status, or minus a signal's number. None if it goes on after that time."""
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return None


def module_command(module: str, *, bare: bool = False) -> list[str]:
    """The command that runs one of the project's modules; to be started with `environment`.

    Args:
        module: its dotted name.
        bare: do without what installers add to the start of every program, which takes longer than the interpreter
            itself. Plugins can't be imported then.
    """
    return [sys.executable or "python3", *(("-S",) if bare else ()), "-P", "-m", module]


def without_folder(command: Sequence[str]) -> list[str]:
    """The command, with -P if it runs a module of the project, which then imports no file of the working folder.

    Any other program stays as it is. A script needs the modules beside it, and -P would hide them.
    """
    words = list(command)
    for index, word in enumerate(words[1:-1], 1):
        if not word.startswith("-"):
            break
        if word == "-m":
            ours = words[0] == sys.executable and words[index + 1].partition(".")[0] == PROJECT
            return [*words[:index], "-P", *words[index:]] if ours and "-P" not in words[:index] else words
    return words


def environment(*, bare: bool = False) -> dict[str, str]:
    """Our environment, in which Python finds the project where we found it, wherever it is started."""
    project = str(Path(__file__).resolve().parents[2])
    paths = [project, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    if bare:
        # Without the folder of the script, or the one in which somebody happens to be: that is what -P is for.
        paths += filter(os.path.isabs, sys.path if sys.flags.safe_path else sys.path[1:])
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
