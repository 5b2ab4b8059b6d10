"""What processes have used, alive, dead and gone."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from ggtp.arena.usage import Usage, usage_of, usage_of_all

pytestmark = pytest.mark.process

WORK = """
import sys, time
kept = bytearray(64 << 20)
while time.process_time() < 0.2:
    pass
print("done", flush=True)
sys.stdin.read()
"""


def test_of_one_that_runs_of_one_that_has_ended_and_of_none() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WORK], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        process.stdout.readline()
        alive = usage_of(process.pid)
        assert alive.cpu_ms >= 190  # the kernel counts in ticks
        assert alive.memory_mib >= 64
        process.stdin.close()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        ended = usage_of(process.pid)
        assert ended.cpu_ms >= alive.cpu_ms
        assert ended.memory_mib == 0
    assert usage_of(process.pid) == Usage()


def test_what_is_shorter_than_a_tick_counts_too() -> None:
    """The shell is done within a few milliseconds, and each of its two figures in ticks would be 0."""
    with subprocess.Popen(
        ["/bin/sh", "-c", "echo done; read line"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as sh:
        assert sh.stdout is not None
        sh.stdout.readline()
        assert usage_of(sh.pid).cpu_ms > 0


PARENT = f"""
import subprocess, sys
subprocess.run([sys.executable, "-c", {WORK!r}])
"""


def test_of_one_that_lets_another_work() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert usage_of(process.pid).memory_mib < 64
        found = usage_of_all(process.pid)
        assert found.cpu_ms >= 190
        assert found.memory_mib >= 64
