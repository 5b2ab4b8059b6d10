"""Bounds that a process sets for itself."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ggtp.processes.spawn import environment

pytestmark = pytest.mark.process

SECONDS = 100.0


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment(), timeout=SECONDS, check=False
    )


def test_memory_and_time_end() -> None:
    bound = "from ggtp.processes.bounds import bound\n"
    memory = run(f"{bound}bound(memory_bytes=1 << 28)\ntry: bytearray(1 << 29)\nexcept MemoryError: print('bounded')")
    assert memory.stdout == "bounded\n"
    assert run(f"{bound}bound(cpu_seconds=1)\nwhile True: pass").returncode in (-9, -24)


def test_a_bound_that_is_tighter_already_stays() -> None:
    code = """
import resource
from ggtp.processes.bounds import bound
bound(memory_bytes=1 << 30)
bound(memory_bytes=1 << 40, cpu_seconds=1000)
print([resource.getrlimit(what)[0] for what in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_CORE)])
"""
    assert run(code).stdout == f"[{1 << 30}, 1000, 0]\n"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process that its parent is gone")
def test_a_process_ends_with_its_parent() -> None:
    code = """
import os, signal, subprocess, sys
child = '''
from ggtp.processes.bounds import end_with_parent
import threading
end_with_parent()
print("tied", flush=True)
threading.Event().wait()
'''
process = subprocess.Popen([sys.executable, "-c", child], stdout=subprocess.PIPE)
print(process.stdout.readline(), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    # The pipe, which the child has as its standard error, is read until the child has ended.
    ran = run(code)
    assert "tied" in ran.stdout
    assert ran.returncode == -9


def test_who_has_no_parent_any_more_ends_at_once() -> None:
    assert run("from ggtp.processes.bounds import end_with_parent\nend_with_parent(parent=1 << 22)").returncode == 1


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can hide it")
def test_the_memory_of_a_process_can_be_hidden() -> None:
    ask = "import ctypes\nfrom ggtp.processes.bounds import hide_memory\n"
    assert run(f"{ask}hide_memory()\nprint(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))").stdout == "0\n"
