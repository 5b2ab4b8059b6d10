"""`ggtp key` from outside."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

from ggtp.transport.secure.keys import read_key


def test_a_key_is_made_once_and_its_public_part_shown_each_time(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "own.key"
    first = run("key", str(path))
    assert (first.status, first.out) == (0, f"{read_key(path).public.hex()}\n")
    assert "keep it to yourself" in first.err
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    again = run("key", str(path))
    assert (again.status, again.out, again.err) == (0, first.out, "")
    assert read_key(path).secret.hex() not in first.out + first.err


def test_without_a_file_it_is_the_users_own(run: Any, tmp_path: Path) -> None:
    run.variables["XDG_CONFIG_HOME"] = str(tmp_path)
    assert run("key").status == 0
    assert (tmp_path / "ggtp" / "key").exists()


def test_a_file_that_is_no_key_is_refused(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "own.key"
    path.touch(0o600)
    done = run("key", str(path))
    assert done.status == 1
    assert done.err.startswith(f"ggtp: {path}: this is no key file")
