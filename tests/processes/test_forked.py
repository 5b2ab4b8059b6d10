"""Copies of a process: what they have, what they do not, and that none comes back."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from support.paths import ROOT

from ggtp.processes import forked
from ggtp.processes.forked import FAILED, alone

PROGRAM = """
import os, sys, tempfile, threading
from ggtp.processes.forked import alone, fork

loaded = {"what": "is loaded"}

def work():
    held = sorted(int(name) for name in os.listdir("/proc/self/fd"))
    print(loaded["what"], sys.stdin.read(), held[:3], len(held), os.getsid(0) == os.getpid())
    return 7

def fail():
    raise KeyError("lost")

assert alone()
kept = open("/dev/null")
for job, own_group in ((work, True), (fail, False)):
    stdin, out = os.pipe()
    os.write(out, b"told"), os.close(out)
    answer, stdout = os.pipe()
    with tempfile.TemporaryFile() as errors:
        print("not flushed twice")
        pid = fork(job, stdin, stdout, errors.fileno(), own_group=own_group)
        os.close(stdout)
        print(os.read(answer, 1000))
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
        errors.seek(0)
        print(errors.read()[-15:])
"""


@pytest.mark.process
def test_a_copy_has_what_was_loaded_and_three_handles() -> None:
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, cwd=ROOT, timeout=60)
    assert ran.stderr == ""
    lines = ran.stdout.splitlines()
    # The fourth handle is that of the folder which it looks at.
    assert lines[:4] == ["not flushed twice", repr(b"is loaded told [0, 1, 2] 4 True\n"), "7", repr(b"")]
    assert lines[4:] == ["not flushed twice", repr(b""), str(FAILED), repr(b"KeyError: 'lost'\n"[-15:])]


def test_with_another_thread_nobody_is_alone() -> None:
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        assert not alone()
    finally:
        done.set()
        thread.join()


def test_where_nobody_can_tell_there_is_no_copy(monkeypatch: object, tmp_path: Path) -> None:
    monkeypatch.setattr(forked, "TASKS", str(tmp_path / "none"))  # type: ignore[attr-defined]
    assert not alone()
