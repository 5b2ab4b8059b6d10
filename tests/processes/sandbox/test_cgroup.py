"""Control groups: where they can be made, what the kernel tells of them, and engines in them."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ggtp.processes import family
from ggtp.processes.engine import EngineProcess, Limits
from ggtp.processes.sandbox import box
from ggtp.processes.sandbox.cgroup import (
    KERNEL_BYTES,
    MANY_THREADS,
    MOUNTS,
    OWN_GROUP,
    Delegated,
    Folder,
    Group,
    ancestry,
    choose,
    counts,
    delegated,
)
from ggtp.processes.sandbox.layout import Referee
from ggtp.processes.sandbox.policy import Sandbox

SYSTEMD = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate"
HYBRID = """31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw"""
BOTH = frozenset({"memory", "pids"})

QUICK = Limits(grace_seconds=0.05, stop_seconds=0.1)
FORKS = """
import os, time
try:
    while os.fork():
        pass
    time.sleep(300)
except OSError:
    os._exit(3)
"""
GROWS = "x = bytearray(128 << 20)\nimport time\ntime.sleep(300)"
UP = "import time\nprint('up', flush=True)\ntime.sleep(300)"


def place() -> Delegated | None:
    """Where groups can be made in fact, though perhaps without any limit."""
    folders = ancestry(Path(OWN_GROUP).read_text(), Path(MOUNTS).read_text())
    if delegated() is not None or not folders or not os.access(folders[0], os.W_OK):
        return delegated()
    return Delegated(folders[0], frozenset())


def start(ear: Any, home: Path, program: str, limits: Limits = QUICK) -> EngineProcess:
    """Start a program in a sandbox of bubblewrap."""
    return EngineProcess.start(
        [sys.executable, "-S", "-c", program],
        env={"PATH": os.environ["PATH"]},
        limits=limits,
        on_exit=ear.on_exit,
        on_limit=ear.on_limit,
        confinement=box.Confinement(Sandbox(), Referee(str(home), str(home))),
    )


async def up(process: EngineProcess) -> None:
    async with asyncio.timeout(20):
        while "up" not in process.last_words():  # noqa: ASYNC110 (nobody tells us of it)
            await asyncio.sleep(0.005)


@pytest.mark.parametrize(
    ("own", "mounts", "folders"),
    [
        (
            "0::/a.slice/b.scope\n",
            SYSTEMD,
            ["/sys/fs/cgroup/a.slice/b.scope", "/sys/fs/cgroup/a.slice", "/sys/fs/cgroup"],
        ),
        ("0::/\n", SYSTEMD, ["/sys/fs/cgroup"]),
        ("9:name=systemd:/\n4:memory:/x\n0::/\n", HYBRID, ["/sys/fs/cgroup/unified"]),
        ("4:memory:/x\n", HYBRID, []),
        ("0::/../b\n", SYSTEMD, []),
        ("0::/a\n", "", []),
        ("0::/a/b\n", "1 2 0:3 /a /mnt/my\\040groups rw - cgroup2 none rw", ["/mnt/my groups/b", "/mnt/my groups"]),
        ("0::/ab\n", "1 2 0:3 /a /mnt rw - cgroup2 none rw", []),
        ("0::/a\n", "nonsense\n - cgroup2\n", []),
    ],
)
def test_our_group_and_those_above_are_found(own: str, mounts: str, folders: list[str]) -> None:
    assert ancestry(own, mounts) == folders


@pytest.mark.parametrize(
    ("folders", "found"),
    [
        ([], None),
        ([Folder("/a")], None),
        ([Folder("/a/b"), Folder("/a", BOTH, writable=True)], Delegated("/a", BOTH)),
        ([Folder("/a/b"), Folder("/a", BOTH)], None),
        ([Folder("/a/b"), Folder("/a", BOTH), Folder("/", BOTH, writable=True)], None),
        ([Folder("/a"), Folder("/", BOTH | {"cpu"}, writable=True)], Delegated("/", BOTH)),
        ([Folder("/a"), Folder("/", frozenset({"cpu"}), writable=True)], None),
        ([Folder("/a", limits={"memory.max": "1048576"}), Folder("/", BOTH, writable=True)], None),
        ([Folder("/a", limits={"cpu.max": "50000 100000"}), Folder("/", BOTH, writable=True)], None),
        (
            [Folder("/a", limits={"memory.max": "max", "io.max": ""}), Folder("/", BOTH, writable=True)],
            Delegated("/", BOTH),
        ),
        ([Folder("/", BOTH, writable=True, limits={"memory.max": "1048576"})], Delegated("/", BOTH)),
    ],
)
def test_groups_are_made_in_the_nearest_folder_if_no_limit_is_left_by_it(
    folders: list[Folder], found: Delegated | None
) -> None:
    assert choose(folders) == found


def test_what_the_kernel_limits_is_named() -> None:
    assert Delegated("/", BOTH).bounded == ("memory", "processes")
    assert Delegated("/", frozenset({"pids"})).bounded == ("processes",)


def test_events_are_numbers_by_name() -> None:
    assert counts("low 0\noom 2\noom_kill 1\nodd\nmax x\n") == {"low": 0, "oom": 2, "oom_kill": 1}


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({}, ""),
        ({"memory.events": "oom 0\noom_kill 3\n"}, ""),
        ({"memory.events": "oom 1\noom_kill 0\n"}, ""),
        ({"memory.events": "oom 1\noom_kill 1\n"}, "It uses 80 MiB of memory, but engine_memory allows only 64."),
        ({"pids.events": "max 1\n", "pids.peak": "7\n"}, ""),
        ({"pids.events": "max 1\n"}, ""),
        (
            {"pids.events": "max 1\n", "pids.peak": f"{MANY_THREADS + 3}\n"},
            f"It has {MANY_THREADS + 3} processes and threads, but engine_processes allows only 3.",
        ),
    ],
)
def test_only_limits_of_the_engine_are_its_fault(tmp_path: Path, files: dict[str, str], sentence: str) -> None:
    group = Group(str(tmp_path), 64 << 20, 3, (64 << 20) + KERNEL_BYTES, MANY_THREADS + 3)
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert group.passed() == sentence


def test_a_group_that_cannot_be_made_or_entered_is_no_error(tmp_path: Path) -> None:
    assert Group.make(Delegated(str(tmp_path / "missing"), BOTH)) is None
    assert Group.make(Delegated(str(tmp_path), BOTH), memory_bytes=1 << 20) is None, "no control group"
    assert not list(tmp_path.iterdir())
    group = Group.make(Delegated(str(tmp_path), frozenset()))
    assert group is not None
    assert not group.enter(os.getpid())
    group.kill()
    assert group.passed() == ""
    group.remove()
    assert not list(tmp_path.iterdir())


@pytest.mark.process
def test_an_engine_has_a_group_until_it_ends(tools: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = place()
    groups = there or Delegated(str(tmp_path / "missing"), BOTH)
    monkeypatch.setattr(box, "delegated", lambda: groups)

    async def play() -> None:
        process = start(tools.Ear(), tmp_path, UP, Limits(memory_bytes=1 << 30, processes=8, grace_seconds=0.05))
        try:
            await up(process)
            group = process._group
            assert (group is not None) is (there is not None)
            assert process.protection.bounded == (there.bounded if there else ())
            if group is not None:
                assert {process._box.first} < group.pids() <= family.find(process._token, (process.pid,))
        finally:
            await process.stop()
        assert group is None or not group.pids()
        assert group is None or Path(group.path).name not in os.listdir(groups.path)

    asyncio.run(play())


@pytest.mark.process
def test_an_engine_starts_although_it_cannot_enter_a_group(
    tools: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(box, "delegated", lambda: Delegated(str(tmp_path), frozenset()))

    async def play() -> None:
        process = start(tools.Ear(), tmp_path, UP)
        try:
            await up(process)
            assert process._group is None
        finally:
            await process.stop()

    asyncio.run(play())
    assert not list(tmp_path.iterdir())


@pytest.mark.process
def test_a_limit_that_the_kernel_keeps_is_told_instead_of_the_end(
    tools: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ggtp.processes.sandbox.cgroup.MANY_THREADS", 4)
    programs = {
        "memory": (GROWS, "It uses 80 MiB of memory, but engine_memory allows only 64."),
        "processes": (FORKS, "It has 9 processes and threads, but engine_processes allows only 3."),
    }
    limits = Limits(memory_bytes=64 << 20, processes=3, grace_seconds=0.05, stop_seconds=0.1, watch_seconds=60)

    async def play(program: str, sentence: str) -> None:
        ear = tools.Ear()
        process = start(ear, tmp_path, program, limits)
        try:
            await ear.until(lambda: ear.limits or ear.exits)
            assert (ear.limits, ear.exits) == ([sentence], [])
        finally:
            await process.stop()

    groups = delegated()
    for limit in groups.bounded if groups else ():  # elsewhere, limits are kept by looking: see test_promises.py
        asyncio.run(play(*programs[limit]))


@pytest.mark.process
def test_the_undertaker_kills_and_removes_groups(tmp_path: Path) -> None:
    there = place()
    groups = [
        group for group in (Group.make(Delegated(str(tmp_path), frozenset())), there and Group.make(there)) if group
    ]
    with subprocess.Popen([sys.executable, "-S", "-c", UP], stdout=subprocess.PIPE) as program:
        try:
            assert program.stdout is not None
            program.stdout.readline()
            entered = [group.enter(program.pid) for group in groups]
            assert entered == [False, *([True] if there else [])]
            told = "".join(f"[{group.path}\n" for group in groups)
            subprocess.run([sys.executable, "-I", "-S", family.__file__, "nobody."], input=told.encode(), check=True)
            assert not any(os.path.exists(group.path) for group in groups)
            assert there is None or program.wait(20) == -9
        finally:
            program.kill()
