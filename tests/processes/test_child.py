"""Children: what they say is heard, and none lives longer than it may."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from ggtp.processes import child
from ggtp.processes.child import Child, End, Ended, Talk, _reaped, run_child
from ggtp.processes.spawn import environment

SOURCES = {
    "echo": """
        import json, sys
        request = json.load(sys.stdin)
        print(json.dumps({"got": len(request["text"])}), flush=True)
        sys.stdout.write(json.dumps({"done": 1, "bytes": 5}) + "\\nab\\ncd")
    """,
    "silent": "import time\ntime.sleep(60)",
    "short": """print('{"bytes": 9}\\nabc', end="")""",
    "long": """print('{"bytes": 2}\\nabc', end="")""",
    "nonsense": "print('hello')",
    "list": "print('[1]')",
    "endless": "import sys\nwhile True: sys.stdout.write('x' * 100000)",
    "broken": "import sys\nsys.exit('the last words')",
    "parent": """
        import os, subprocess, sys, time
        other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        print('{"pid": %d}' % other.pid, flush=True)
        time.sleep(60)
    """,
    "hungry": "a = bytearray(60 << 20)",
    "loaded": """
        import json, sys
        print(json.dumps({"site": "site" in sys.modules}), flush=True)
        import clingo, llvmlite, numpy, ggtp.gdl
        print(json.dumps({"numpy": numpy.__file__, "ggtp": ggtp.gdl.__file__}), flush=True)
    """,
    "repeating": """
        import json, sys
        for line in sys.stdin:
            print(json.dumps({"got": len(json.loads(line)["text"])}), flush=True)
            if len(line) < 20:
                break
    """,
    "deaf": """
        import os, sys
        os.close(0)
        print('{"deaf": true}', flush=True)
        sys.stderr.write("bye")
    """,
}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs a child that has one of the sources above."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    def start(name: str, *, seconds: float = 30, **more: Any) -> tuple[Ended, list[Mapping[str, Any]]]:
        (tmp_path / f"child_{name}.py").write_text(dedent(SOURCES[name]))
        lines: list[Mapping[str, Any]] = []
        ended = run_child(f"child_{name}", {"text": "ä" * 200_000}, seconds=seconds, on_line=lines.append, **more)
        return ended, lines

    return start


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.process
def test_lines_and_bytes(run: Any) -> None:
    ended, lines = run("echo")
    assert (ended.end, ended.status, ended.data) == (End.BY_ITSELF, 0, b"ab\ncd")
    assert lines == [{"got": 200_000}, {"done": 1, "bytes": 5}]


@pytest.mark.process
def test_a_bare_child_finds_what_we_find_without_what_a_site_adds(run: Any) -> None:
    import numpy

    import ggtp.gdl

    for bare in (False, True):
        ended, lines = run("loaded", bare=bare)
        assert (ended.end, ended.status, ended.last_words) == (End.BY_ITSELF, 0, "")
        assert lines == [{"site": not bare}, {"numpy": numpy.__file__, "ggtp": ggtp.gdl.__file__}]


@pytest.mark.process
def test_time_holds(run: Any) -> None:
    began = time.monotonic()
    ended, lines = run("silent", seconds=0.3)
    assert time.monotonic() - began < 5
    assert (ended.end, ended.data, lines) == (End.LATE, None, [])
    assert ended.status == -9


@pytest.mark.process
def test_it_can_be_stopped(run: Any) -> None:
    assert run("silent", should_stop=lambda: True)[0].end is End.STOPPED


@pytest.mark.process
@pytest.mark.parametrize("own_group", [True, False])
def test_an_error_of_ours_leaves_no_child(run: Any, own_group: bool) -> None:
    def fail() -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run("silent", should_stop=fail, own_group=own_group)


@pytest.mark.process
def test_what_is_cut_off(run: Any) -> None:
    ended, _ = run("short")
    assert (ended.end, ended.data) == (End.BY_ITSELF, None)


@pytest.mark.process
@pytest.mark.parametrize("name", ["long", "nonsense", "list", "endless"])
def test_what_is_not_agreed(run: Any, name: str) -> None:
    ended, _ = run(name)
    assert (ended.end, ended.data) == (End.GARBLED, None)


@pytest.mark.process
def test_last_words(run: Any) -> None:
    ended, _ = run("broken")
    assert (ended.end, ended.status, ended.last_words) == (End.BY_ITSELF, 1, "the last words")


@pytest.mark.process
def test_a_family_ends_as_a_whole(run: Any) -> None:
    ended, lines = run("parent", seconds=1.5)
    assert ended.end is End.LATE
    until = time.monotonic() + 5
    while alive(lines[0]["pid"]) and time.monotonic() < until:
        os.sched_yield()
    assert not alive(lines[0]["pid"])


@pytest.mark.process
def test_memory_is_measured(run: Any) -> None:
    assert run("hungry")[0].memory_mib > 60


@pytest.mark.process
def test_the_folder_we_are_in_is_not_searched(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "json.py").write_text("raise SystemExit('not this one')")
    monkeypatch.chdir(tmp_path / "work")
    assert run("echo")[0].status == 0


def test_the_house_is_found() -> None:
    first = environment()["PYTHONPATH"].split(os.pathsep)[0]
    assert (Path(first) / "ggtp" / "gdl").is_dir()


@pytest.fixture
def talking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Starts a child that can be told things."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    def start(name: str, talk: Talk) -> Child:
        (tmp_path / f"child_{name}.py").write_text(dedent(SOURCES[name]))
        talk.tell({"text": "x" * 300_000})
        return Child(f"child_{name}", talk)

    return start


@pytest.mark.process
def test_a_child_is_told_more_while_it_works(talking: Any) -> None:
    talk = Talk()
    lines: list[Any] = []

    def heard(line: Any) -> None:
        lines.append(line["got"])
        if len(lines) < 3:
            # Much more than a pipe holds, and nobody waits.
            talk.tell({"text": "y" * 200_000 if len(lines) == 1 else "z"})

    ended = talking("repeating", talk).listen(seconds=60, on_line=heard)
    assert (ended.end, ended.status, lines) == (End.BY_ITSELF, 0, [300_000, 200_000, 1])
    talk.tell({"text": "nobody listens"})


@pytest.mark.process
def test_a_child_that_does_not_listen_is_heard_all_the_same(talking: Any) -> None:
    lines: list[Any] = []
    ended = talking("deaf", Talk()).listen(seconds=60, on_line=lines.append)
    assert (ended.end, ended.status, ended.last_words, lines) == (End.BY_ITSELF, 0, "bye", [{"deaf": True}])


@pytest.mark.process
def test_what_is_stopped_ends_at_once(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "_let_end", None)
    assert run("silent", should_stop=lambda: True)[0].end is End.STOPPED


@pytest.mark.process
def test_a_process_that_does_not_go_is_not_waited_for() -> None:
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        assert _reaped(process.pid, 0) is None
    finally:
        process.kill()
        (waiting,) = [thread for thread in threading.enumerate() if thread.name == "waiting for a child"]
        waiting.join(60)
    assert process.stdin is not None
    process.stdin.close()
    with pytest.raises(ChildProcessError):
        os.waitpid(process.pid, 0)
    process.returncode = 0  # nobody else has to look for it
