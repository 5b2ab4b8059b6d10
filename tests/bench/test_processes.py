"""What is told of processes: of ourselves, and of some that are no more."""

from __future__ import annotations

import os
import subprocess
import sys

import psutil
import pytest

from ggtp.bench.processes import alive, born, cpu_seconds, descendants, ended, open_files, resident_kib
from ggtp.processes import family

NOBODY = 2**22 + 1
"""A number that no process has."""


def test_what_is_used() -> None:
    assert alive(os.getpid())
    assert not alive(NOBODY)
    assert os.getpid() in descendants(os.getppid())
    assert resident_kib(os.getpid()) > 1000
    assert resident_kib(NOBODY) == 0
    assert cpu_seconds({os.getpid(), NOBODY}) > 0


def test_files_are_counted() -> None:
    before = open_files(os.getpid())
    with open(os.devnull, "rb"):
        assert open_files(os.getpid()) == before + 1
    assert open_files(NOBODY) == 0


@pytest.mark.process
def test_who_has_ended_and_was_not_seen_to() -> None:
    with subprocess.Popen([sys.executable, "-S", "-c", ""]) as child:
        first = born(child.pid)
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert ended(child.pid)
        assert not alive(child.pid)
    assert first > 0
    assert not ended(child.pid)
    assert (born(NOBODY), ended(os.getpid())) == (0, False)


@pytest.mark.process
def test_the_watchdog_of_our_engines_is_not_counted() -> None:
    command = [sys.executable, "-I", "-S", family.__file__, "token of nobody"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as watchdog:
        assert born(watchdog.pid) > 0
        while not psutil.Process(watchdog.pid).cmdline():
            pass  # a program that has just begun has none for a moment
        assert not alive(watchdog.pid)
