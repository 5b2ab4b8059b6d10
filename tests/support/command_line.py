"""A way to run the command line in this process, with streams of its own."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from ggtp.ui.cli import main
from ggtp.ui.console.environment import Environment


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@dataclass
class Ran:
    """What came of it."""

    status: int
    out: str
    err: str


@dataclass
class CommandLine:
    """Calls like a shell: `run("rules", "--all")`."""

    variables: dict[str, str] = field(default_factory=lambda: dict(os.environ))

    def __call__(self, *words: str, stdin: str = "", terminal: bool = False) -> Ran:
        make: Callable[[], io.StringIO] = Terminal if terminal else io.StringIO
        out, err = make(), make()
        source = Terminal() if terminal else io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
        status = main(words, Environment(source, out, err, self.variables))
        return Ran(status, out.getvalue(), err.getvalue())


@pytest.fixture
def run() -> CommandLine:
    return CommandLine()
