"""Foreign programs that tests talk to: the real ones, and a shelf for fakes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
import uuid
from contextlib import suppress
from pathlib import Path
from textwrap import dedent

import pytest

from ggtp.catalogue.bridges import GAMES

SECONDS = 100
"""Only for a test that fails; one that passes never waits so long."""


def need_program(name: str, package: str = "") -> str:
    """The whole path of a program; where it is not installed, the test is skipped."""
    found = shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), *GAMES]))
    if found is None:
        pytest.skip(f"{name} is not installed (Debian package {package or name})")
    return found


def fake_program(path: Path, code: str) -> str:
    """Writes a program in Python to that path; gives the path."""
    path.write_text(f"#!{sys.executable}\n{dedent(code)}", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def living(pid: int) -> bool:
    """Whether a process runs, and is not merely waiting to be reaped."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] not in ("Z", "X")


def script(*lines: str) -> list[str]:
    """What `ggtp --batch` says to these lines; nothing of the engines is left afterwards."""
    mark = f"GGTP_TEST_BRIDGE={uuid.uuid4().hex}"
    done = subprocess.run(
        [sys.executable, "-m", "ggtp", "--batch", "-"],
        input="\n".join(lines) + "\n",
        env=_marked(mark),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.stderr == ""
    nothing_left(mark)
    return done.stdout.splitlines()


def match(*words: str) -> dict[str, tuple[int, int, int, int]]:
    """Plays with `ggtp match`: each player's wins, draws, losses and faults; nothing of the engines is left."""
    mark = f"GGTP_TEST_BRIDGE={uuid.uuid4().hex}"
    done = subprocess.run(
        [sys.executable, "-m", "ggtp", "match", *words, "--json"],
        env=_marked(mark),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    nothing_left(mark)
    players = json.loads(done.stdout)["players"]
    return {name: (row["wins"], row["draws"], row["losses"], row["faults"]) for name, row in players.items()}


def nothing_left(mark: str) -> None:
    """Waits until no process carries the mark; our own undertaker takes a moment to see that all are gone."""
    deadline = time.monotonic() + SECONDS
    while left := left_over(mark):
        assert time.monotonic() < deadline, left
        time.sleep(0.01)


def left_over(mark: str) -> set[int]:
    """The living processes that carry the mark in their environment."""
    found = set()
    for name in filter(str.isdecimal, os.listdir("/proc")):
        with suppress(OSError):
            if mark.encode() in Path(f"/proc/{name}/environ").read_bytes().split(b"\0") and living(int(name)):
                found.add(int(name))
    return found


def _marked(mark: str) -> dict[str, str]:
    name, _, value = mark.partition("=")
    return {**os.environ, name: value}
