"""Two machines and a cable between them: network namespaces, which take a user who may make them."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import pytest

REFEREE, PLAYER = "10.213.77.1", "10.213.77.2"


def _ip(*words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["ip", *words], capture_output=True, text=True, timeout=30, check=check)


class Cable:
    """The cable, and how to be on either side of it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.here = ["ip", "netns", "exec", f"{name}a"]
        """What stands before a command on the referee's machine."""
        self.there = ["ip", "netns", "exec", f"{name}b"]
        """... and on the player's."""

    def cut(self) -> None:
        _ip("-n", f"{self.name}b", "link", "set", "cable", "down")

    def mend(self) -> None:
        _ip("-n", f"{self.name}b", "link", "set", "cable", "up")


@contextmanager
def laid() -> Iterator[Cable]:
    """A cable between two machines; skips where there may be none."""
    if shutil.which("ip") is None:
        pytest.skip("the command ip (iproute2) is not installed")
    if os.geteuid() != 0:
        pytest.skip("only root may make network namespaces")
    name = f"ggtp{uuid4().hex[:7]}"
    cable = Cable(name)
    spaces = [f"{name}a", f"{name}b"]
    try:
        for space in spaces:
            made = _ip("netns", "add", space, check=False)
            if made.returncode:
                pytest.skip(f"no network namespace may be made here: {made.stderr.strip()}")
        _ip("-n", spaces[0], "link", "add", "cable", "type", "veth", "peer", "name", "cable", "netns", spaces[1])
        for space, address in zip(spaces, (REFEREE, PLAYER), strict=True):
            _ip("-n", space, "addr", "add", f"{address}/24", "dev", "cable")
            _ip("-n", space, "link", "set", "lo", "up")
            _ip("-n", space, "link", "set", "cable", "up")
        yield cable
    finally:
        for space in spaces:
            _ip("netns", "del", space, check=False)
