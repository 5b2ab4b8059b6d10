"""How an engine's processes are known."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ggtp.processes import family

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


@pytest.mark.process
def test_found_by_token() -> None:
    token = family.new_token()
    with sleeper(token) as plain, sleeper(f"another.1./{token}") as below, sleeper(f"{token}/lower.1.") as above:
        with sleeper(token + "5."), sleeper("another.1."):
            assert family.find(token + "5.") != set()
        assert family.find(token) == {plain, below, above}
        assert family.find("another.1.") == {below}
        assert family.find("nobody.1.") == set()


@pytest.mark.process
def test_found_by_session() -> None:
    with sleeper("no token", start_new_session=True) as pid:
        assert family.find("nobody.1.", (pid, 1 << 30)) == {pid}
        os.kill(pid, 9)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        assert family.find("nobody.1.", (pid, 1 << 30)) == set(), "the dead do not count"


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="processes are marked on Linux only")
def test_found_by_mark() -> None:
    with sleeper("no token", start_new_session=True) as one, sleeper("no token") as two:
        marks = [family.mark(one), family.mark(two)]
        assert marks[0] != marks[1]
        assert family.NO_MARK not in marks
        assert family.find("nobody.1.", (), marks[:1]) == {one}
        assert family.find("nobody.1.", (), marks) == {one, two}
        assert family.find("nobody.1.", (), ()) == set()
        again = family.mark(one)
        assert family.NO_MARK < again < marks[0], "an engine that is a referee can mark its own, but only below"
        os.kill(one, 9)
        os.waitid(os.P_PID, one, os.WEXITED | os.WNOWAIT)
        assert family.find("nobody.1.", (), (again,)) == set(), "the dead do not count"
    assert family.mark(one) == family.NO_MARK


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="processes are marked on Linux only")
def test_a_limit_that_means_something_is_left_alone() -> None:
    with sleeper("no token") as pid:
        resource.prlimit(pid, resource.RLIMIT_RTTIME, (200_000, 200_000))
        assert family.mark(pid) == family.NO_MARK
        assert resource.prlimit(pid, resource.RLIMIT_RTTIME) == (200_000, 200_000)


@pytest.mark.process
def test_descendants_and_their_memory() -> None:
    with sleeper("no token") as pid:
        assert pid in family.descendants(os.getpid())
        assert family.descendants(pid) == {pid}
        assert family.memory_bytes({pid}, 1 << 40) > family.memory_bytes({pid}, 0) > 1 << 20
        assert family.threads_of_user(os.geteuid()) >= 2
    assert family.descendants(pid) == {pid}
    assert family.memory_bytes({pid}, 0) == 0
    family.kill({pid})


@pytest.mark.process
def test_folders_of_a_killed_referee_are_removed(tmp_path: Path) -> None:
    left, kept = tmp_path / "left", tmp_path / "kept"
    for folder in (left, kept):
        folder.mkdir()
        (folder / "engine").touch()
    text = (
        "import os, signal\n"
        "from ggtp.processes import family\n"
        f"family.folder_begins({str(left)!r})\n"
        f"family.folder_begins({str(kept)!r})\n"
        f"family.folder_ends({str(kept)!r})\n"
        "family.folder_begins('relative')\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    assert subprocess.run([sys.executable, "-c", text], check=False).returncode == -signal.SIGKILL
    deadline = time.monotonic() + 60
    while left.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not left.exists()
    assert (kept / "engine").exists()


@pytest.mark.process
def test_a_process_that_hid_from_the_referee_is_ended_when_the_referee_is() -> None:
    text = (
        "import os, signal, subprocess, sys\n"
        "from ggtp.processes import family\n"
        "family.new_token()\n"
        f"stray = subprocess.Popen({SLEEP!r}, env={{}}, stdout=subprocess.PIPE, start_new_session=True)\n"
        "stray.stdout.readline()\n"
        "mark = family.mark(stray.pid)\n"
        "family.session_begins(stray.pid, mark)\n"
        "family.session_ends(stray.pid, mark)\n"
        "print(stray.pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    told = subprocess.run([sys.executable, "-c", text], check=False, stdout=subprocess.PIPE)
    pid = int(told.stdout)
    deadline = time.monotonic() + 60
    while family._is_alive(str(pid)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not family._is_alive(str(pid))


def test_a_folder_of_any_depth_is_removed_and_no_link_followed(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/file").write_text("x")
    folder = tmp_path / "engine"
    (folder / "closed/inner").mkdir(parents=True)
    (folder / "link").symlink_to(tmp_path / "mine")
    (folder / "closed").chmod(0)
    handle = os.open(folder, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("deep", dir_fd=handle)
        inner = os.open("deep", os.O_RDONLY, dir_fd=handle)
        os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=handle))
        os.close(handle)
        handle = inner
    os.close(handle)
    family.remove_folder(str(folder))
    family.remove_folder(str(tmp_path / "nowhere"))
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
    assert (tmp_path / "mine/file").exists()
