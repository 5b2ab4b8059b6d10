"""Marks: processes and files that an attack has left are found."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from ggtp.bench.attack.traces import VARIABLE, Traces, children, descriptors, entries, tree, until
from ggtp.processes.spawn import Apart, spawn

WAITS = "import sys; print(flush=True); sys.stdin.read()"


@pytest.mark.process
def test_processes_are_found_by_environment_and_by_command_line() -> None:
    traces, other = Traces(), Traces()
    command = [sys.executable, "-S", "-c", WAITS]
    by_variable = spawn(command, env={VARIABLE: traces.mark}, apart=Apart.SESSION)
    by_words = spawn([*command, traces.mark], env={}, apart=Apart.SESSION)
    for process in (by_variable, by_words):
        assert process.stdout is not None
        process.stdout.read(1)
    assert set(traces.processes()) == {by_variable.pid, by_words.pid}
    assert set(traces.engines()) == {by_words.pid}
    assert other.processes() == {}
    assert {by_variable.pid, by_words.pid} <= set(children(os.getpid()))
    assert descriptors(by_words.pid) >= 3
    assert set(traces.left(0.0)) == {by_variable.pid, by_words.pid}
    traces.kill()
    assert traces.left(10.0) == {}, "one that has ended and is not waited for is none"
    for process in (by_variable, by_words):
        assert process.wait() == -9
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            pipe.close()
    assert descriptors(by_words.pid) == 0


def test_files_are_found_by_name() -> None:
    traces = Traces()
    path = Path("/tmp") / f"left-{traces.mark}"
    path.touch()
    assert traces.files() == [path]
    path.unlink()
    assert traces.files() == []


def test_a_tree_tells_files_and_links(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b").write_text("12")
    (tmp_path / "link").symlink_to("/nowhere")
    assert tree(tmp_path) == {"a/b": 2, "link": len("/nowhere")}
    assert entries(tmp_path) == [tmp_path / "a", tmp_path / "link"]
    assert entries(tmp_path / "absent") == []


def test_until_gives_up() -> None:
    assert until(lambda: True, 0.0)
    assert not until(lambda: False, 0.0)
