"""What the subcommands that connect elsewhere have in common."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.network import Keys

KEY = "00" * 32


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("--server-key", KEY), "--connect"),
        (("--connect", "host:1"), "--server-key"),
        (("--connect", "host:1", "--server-key", KEY, "--silence", "0"), "no time in seconds"),
    ],
)
def test_what_is_missing_or_wrong_is_usage(run: Any, words: tuple[str, ...], what: str) -> None:
    done = run("engine", "Random", *words)
    assert done.status == 2
    assert what in done.err


@pytest.mark.parametrize(
    ("address", "key", "what"),
    [
        ("host", KEY, "host is no address of a referee"),
        ("host:1", "12", "'12' is no key"),
        ("host:1", KEY, "the key can't be read: No such file or directory"),
    ],
)
def test_what_can_not_be_is_told(run: Any, tmp_path: Path, address: str, key: str, what: str) -> None:
    file = str(tmp_path / "none.key")
    done = run("engine", "Random", "--connect", address, "--server-key", key, "--key", file)
    assert done.status == 1
    assert what in done.err


def test_the_usual_key_is_used_where_none_is_named(run: Any, tmp_path: Path) -> None:
    run.variables["XDG_CONFIG_HOME"] = str(tmp_path)
    Keys(tmp_path)
    assert run("engine", "Nobody", "--connect", "host:1", "--server-key", KEY).status == 1
    assert not (tmp_path / "ggtp").exists()  # there is no such engine, and nothing has changed
