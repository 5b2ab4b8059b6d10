"""The compiler as a process: progress, results, faults, limits."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
from io import BytesIO
from typing import Any

import pytest

from ggtp.gdl.ground import grounder
from ggtp.gdl.ground.child import main
from ggtp.gdl.ground.wire import decode_built
from ggtp.gdl.language.parse import parse
from ggtp.gdl.network.build import build

GAME = "(role r) (init (a)) (<= (legal r x) (true (a))) (<= (next (b)) (does r x)) (<= terminal (true (b))) (goal r 1)"
ENDLESS = "(role r) (init (f z)) (<= (legal r x) (role r)) (<= (next (f (s ?x))) (true (f ?x)))"


def run(**request: Any) -> tuple[int, list[dict[str, Any]], bytes]:
    """The child's exit status, the lines that it wrote, and the bytes after them."""
    done = subprocess.run(
        [sys.executable, "-m", "ggtp.gdl.ground.child"],
        input=json.dumps(request).encode(),
        capture_output=True,
        timeout=60,
        check=False,
    )
    lines = []
    rest = done.stdout
    while rest:
        line, _, rest = rest.partition(b"\n")
        lines.append(json.loads(line))
        if "done" in lines[-1]:
            break
    return done.returncode, lines, rest


@pytest.mark.process
def test_a_network() -> None:
    status, lines, data = run(text=GAME, cpu_seconds=30, megabytes=4000)
    assert status == 0
    assert [*lines[0], *lines[-2]] == ["rules", "grounded", "ground_s"]
    assert min(lines[-2]["ground_s"], lines[-1].pop("build_s"), lines[-1].pop("cpu_s")) > 0
    assert lines[-1] == {"done": "network", "bytes": len(data)}
    assert decode_built(data) == build(grounder.ground(parse(GAME)))


@pytest.mark.process
def test_time_is_limited() -> None:
    status, lines, _ = run(text=ENDLESS, cpu_seconds=2, max_rules=10**9)
    assert status in (-signal.SIGXCPU, -signal.SIGKILL)
    assert not any("done" in line for line in lines)


def answer(**request: Any) -> tuple[int, list[bytes]]:
    target = BytesIO()
    status = main(BytesIO(json.dumps(request).encode()), target)
    return status, target.getvalue().splitlines()


@pytest.fixture(autouse=True)
def _no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """This process keeps its limits."""
    monkeypatch.setattr("ggtp.gdl.ground.child.bound", lambda **limits: None)


@pytest.mark.parametrize("text", ["(role r", "(<= )", "(role r) (<= (next (a ?x)) (role r))"])
def test_rules_at_fault(text: str) -> None:
    status, [start, line] = answer(text=text)
    assert status == 1
    assert json.loads(start) == {"rules": 0}
    assert json.loads(line)["failed"] == "rules"


def test_too_many_rules_and_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grounder, "ASK_EVERY", 50)
    status, lines = answer(text=ENDLESS, max_rules=120)
    assert status == 1
    assert [json.loads(line) for line in lines[:3]] == [{"rules": 0}, {"rules": 50}, {"rules": 100}]
    assert json.loads(lines[-1])["failed"] == "stopped"


def test_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(*arguments: object, **options: object) -> None:
        raise MemoryError

    monkeypatch.setattr("ggtp.gdl.ground.child.ground", exhausted)
    status, [_, line] = answer(text=GAME)
    assert status == 1
    assert json.loads(line)["failed"] == "memory"


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds a process to its address space for certain")
def test_memory_that_was_taken_before_counts() -> None:
    status, lines, _ = run(text=GAME, megabytes=8)
    assert status == 1
    assert lines[-1]["failed"] == "memory"


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process that its parent is gone")
def test_it_does_not_outlive_who_started_it() -> None:
    source = f"""
import json, subprocess, sys, os, signal
child = subprocess.Popen([sys.executable, "-m", "ggtp.gdl.ground.child"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
child.stdin.write(json.dumps({{"text": {ENDLESS!r}, "max_rules": 10**9, "cpu_seconds": 60}}).encode())
child.stdin.close()
child.stdout.readline()
print(child.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, timeout=60, check=False)
    handle = _pidfd(int(done.stdout))
    if handle is not None:
        with selectors.DefaultSelector() as selector:
            selector.register(handle, selectors.EVENT_READ)
            assert selector.select(30), "it still runs"
        os.close(handle)


def _pidfd(pid: int) -> int | None:
    try:
        return os.pidfd_open(pid)
    except ProcessLookupError:
        return None
