"""Commands that cannot be started, and what is said about them."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from ggtp.errors import EngineFailedToStart
from ggtp.processes.engine import EngineProcess

pytestmark = pytest.mark.process


def refused(argv: list[str], cwd: Path | None = None, env: dict[str, str] | None = None) -> str:
    async def start() -> str:
        with pytest.raises(EngineFailedToStart) as caught:
            EngineProcess.start(argv, env=os.environ if env is None else env, cwd=cwd, on_exit=print, on_limit=print)
        return str(caught.value)

    return asyncio.run(start())


@pytest.fixture
def place(tmp_path: Path) -> Path:
    def write(name: str, text: str, mode: int = 0o755) -> None:
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(mode)

    write("text", "this is no program\n")
    write("locked", "#!/bin/sh\n", 0o644)
    write("orphan", "#!/nowhere/python9 -u\n")
    write("alien", "\x7fELF is not enough")
    return tmp_path


def test_sentences(place: Path) -> None:
    for argv, words in (
        ([], "The command is empty."),
        ([""], "The command is empty."),
        (["no-such-program-here"], "No program named no-such-program-here was found in any directory of PATH."),
        (["./nothing"], "There is no program ./nothing."),
        ([f"{place}/nothing"], f"There is no program {place}/nothing."),
        (["./locked"], "./locked is not executable; chmod +x may help."),
        (["./orphan"], "./orphan names /nowhere/python9 in its first line as the program to run it"),
        (["./text"], "./text is not a program; a script needs a first line such as #!/usr/bin/env python3."),
        (["./alien"], "./alien is not a program"),
        ([str(place)], f"{place} is a directory, not a program."),
        (["./locked\0"], "a zero byte"),
        (["/bin/true", "x" * 3_000_000], "/bin/true cannot be started: Argument list too long."),
    ):
        assert words in refused(argv, place), argv


def test_no_such_directory(tmp_path: Path) -> None:
    assert (
        refused(["true"], tmp_path / "nowhere")
        == f"true cannot be started in {tmp_path}/nowhere, which is no directory."
    )


def test_the_path_is_that_of_the_engine(tmp_path: Path) -> None:
    assert "No program named true" in refused(["true"], env={"PATH": str(tmp_path)})


def test_nothing_stays_open(descriptors: Any) -> None:
    refused(["./nothing"])
    before = descriptors()
    for _ in range(20):
        refused(["./nothing"])
    assert descriptors() == before
