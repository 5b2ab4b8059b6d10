"""How an engine's processes are known."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from ggtp.transport import family

SLEEP = [sys.executable, "-S", "-c", "import time; print('up', flush=True); time.sleep(300)"]


@contextmanager
def sleeper(mark: str, **more: object) -> Iterator[int]:
    process = subprocess.Popen(SLEEP, env={"GGTP_ENGINE": mark}, stdout=subprocess.PIPE, **more)  # type: ignore[call-overload]
    try:
        process.stdout.readline()
        yield process.pid
    finally:
        process.kill()
        process.communicate()


def test_tokens() -> None:
    one, two = family.new_token(), family.new_token()
    assert one != two
    assert not one.startswith(two)
    assert one.split(".")[0] == two.split(".")[0]


def test_found_by_token() -> None:
    token = family.new_token()
    with sleeper(token) as plain, sleeper(f"another.1./{token}") as below, sleeper(f"{token}/lower.1.") as above:
        with sleeper(token + "5."), sleeper("another.1."):
            assert family.find(token + "5.") != set()
        assert family.find(token) == {plain, below, above}
        assert family.find("another.1.") == {below}
        assert family.find("nobody.1.") == set()


def test_found_by_session() -> None:
    with sleeper("no token", start_new_session=True) as pid:
        assert family.find("nobody.1.", (pid, 1 << 30)) == {pid}
        os.kill(pid, 9)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        assert family.find("nobody.1.", (pid, 1 << 30)) == set(), "the dead do not count"


def test_descendants_and_their_memory() -> None:
    with sleeper("no token") as pid:
        assert pid in family.descendants(os.getpid())
        assert family.descendants(pid) == {pid}
        assert family.memory_bytes({pid}, 1 << 40) > family.memory_bytes({pid}, 0) > 1 << 20
        assert family.threads_of_user(os.geteuid()) >= 2
    assert family.descendants(pid) == {pid}
    assert family.memory_bytes({pid}, 0) == 0
    family.kill({pid})
