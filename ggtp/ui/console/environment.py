"""What surrounds the program: streams, terminal, folders, clock. Tests hand in their own."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import TextIO


class ExitStatus(IntEnum):
    """How the program ended."""

    DONE = 0
    REFUSED = 1
    """A command was refused, or a check failed."""
    USAGE = 2
    INTERRUPTED = 3
    BUG = 4


@dataclass(slots=True)
class Environment:
    """Everything from outside that front ends use."""

    stdin: TextIO = field(default_factory=lambda: sys.stdin)
    stdout: TextIO = field(default_factory=lambda: sys.stdout)
    stderr: TextIO = field(default_factory=lambda: sys.stderr)
    variables: Mapping[str, str] = field(default_factory=lambda: os.environ)

    @property
    def interactive(self) -> bool:
        """Whether a person sits at both ends."""
        return self.stdin.isatty() and self.stdout.isatty() and self.variables.get("TERM") != "dumb"

    @property
    def input_is_file(self) -> bool:
        """Whether the input is a file on disk: a script, whose commands belong into the transcript."""
        try:
            return stat.S_ISREG(os.fstat(self.stdin.fileno()).st_mode)
        except (OSError, ValueError):
            return False

    @property
    def ascii_only(self) -> bool:
        """Whether the output can't show more than ASCII, or is asked not to by the locale."""
        if self.variables.get("LC_ALL") in ("C", "POSIX"):
            return True  # Python writes UTF-8 even there
        return (self.stdout.encoding or "ascii").lower().replace("-", "") not in ("utf8", "utf8sig")

    @property
    def state_folder(self) -> Path:
        """Where the prompt keeps its history, and the arcade its plays."""
        from ggtp.catalogue.paths import user_folder  # not loaded by those who only print a line

        folder = user_folder(self.variables, "XDG_STATE_HOME", ".local/state")
        return (folder if folder.is_absolute() else Path(os.devnull)) / "ggtp"  # a user may have no home
