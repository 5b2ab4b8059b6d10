"""Foreign programs that tests talk to: the real ones, and a shelf for fakes."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

import pytest

from ggtp.catalogue.bridges import GAMES


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


def environment(**more: str) -> Mapping[str, str]:
    """Ours, with more."""
    return {**os.environ, **more}
