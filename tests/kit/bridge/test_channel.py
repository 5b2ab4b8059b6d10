"""A foreign program as a channel of lines: what it says comes, and what it does wrong is bounded and said in words."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest
from support.programs import fake_program, living

from ggtp.errors import EngineError, EngineFailedToStart, EngineTerminated, EngineTimedOut
from ggtp.kit.bridge import channel
from ggtp.kit.bridge.channel import ForeignProgram

pytestmark = pytest.mark.process

SECONDS = 30.0
"""Only for a test that fails; one that passes never waits so long."""

ECHO = """
    import sys
    for line in sys.stdin:
        print("heard", line.strip(), flush=True)
        if line.strip() == "quit":
            break
"""


class Start(Protocol):
    """Starts a program with this code."""

    def __call__(self, code: str, *, line_bytes: int = channel.LINE_BYTES) -> ForeignProgram: ...


@pytest.fixture(name="start")
def make_start(tmp_path: Path) -> Iterator[Start]:
    started: list[ForeignProgram] = []

    def start(code: str, *, line_bytes: int = channel.LINE_BYTES) -> ForeignProgram:
        started.append(ForeignProgram([fake_program(tmp_path / "fake", code)], line_bytes=line_bytes))
        return started[-1]

    yield start
    for program in started:
        program.close(grace=0.0)
        assert not living(program.pid)


def test_lines_go_and_come(start: Start) -> None:
    program = start(ECHO)
    program.send("one", "two three")
    assert program.receive(SECONDS) == "heard one"
    assert program.receive(SECONDS) == "heard two three"
    assert program.receive(0.0) is None
    assert program.running


def test_expect_reads_on_until_the_line_that_is_wanted(start: Start) -> None:
    program = start("print('a\\nb\\nready now\\nc', flush=True); input()")
    heard: list[str] = []
    assert program.expect("ready", SECONDS, heard=heard.append) == "ready now"
    assert heard == ["a", "b"]
    assert program.expect(lambda line: line == "c", SECONDS) == "c"


def test_a_word_that_only_begins_so_is_not_the_one_that_is_wanted(start: Start) -> None:
    program = start("print('readyok\\nready', flush=True); input()")
    assert program.expect("ready", SECONDS) == "ready"


def test_nothing_is_waited_for_that_nobody_wants(start: Start) -> None:
    program = start("input()")
    assert program.expect("ready", SECONDS, given_up=lambda: True) == ""


def test_silence_is_a_sentence(start: Start) -> None:
    program = start("input()")
    with pytest.raises(EngineTimedOut, match=r"fake has not answered with uciok within 0\.05 s\."):
        program.expect("uciok", 0.05)


def test_a_program_that_ends_says_how_and_its_last_words(start: Start) -> None:
    program = start("import sys; print('hello', flush=True); sys.exit('no book, no game')")
    assert program.receive(SECONDS) == "hello"
    with pytest.raises(
        EngineTerminated, match=r"fake has ended with exit status 1\. Its last words: no book, no game"
    ) as error:
        program.expect("more", SECONDS)
    assert error.value.status == 1
    assert error.value.last_words == "no book, no game"


def test_a_program_that_is_killed_says_by_what(start: Start) -> None:
    program = start(ECHO)
    os.kill(program.pid, signal.SIGSEGV)
    with pytest.raises(EngineTerminated, match="was ended by SIGSEGV"):
        program.expect("more", SECONDS)
    with pytest.raises(EngineTerminated):
        program.send("are you there?")


def test_a_line_without_an_end_is_a_fault_and_takes_no_memory(start: Start) -> None:
    program = start("import sys\nwhile True: sys.stdout.write('x' * 65536)", line_bytes=100_000)
    with pytest.raises(EngineError, match="fake sent a line of more than 100000 bytes"):
        program.expect("bestmove", SECONDS)


def test_a_flood_of_lines_is_read_and_only_the_latest_are_kept(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel, "KEPT_LINES", 10)
    program = start("for number in range(100_000): print(number)\nprint('done', flush=True)\ninput()")
    deadline = time.monotonic() + SECONDS
    while (not program._lines or program._lines[-1] != "done") and time.monotonic() < deadline:
        program._reader.join(0.01)
    assert program.receive(0.0) == "99991"
    assert program.expect("done", SECONDS) == "done"


def test_long_lines_that_nobody_takes_are_forgotten_too(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel, "KEPT_BYTES", 2500)
    program = start("for number in range(9): print(f'{number}' * 1000)\nprint('done', flush=True)\ninput()")
    deadline = time.monotonic() + SECONDS
    while (not program._lines or program._lines[-1] != "done") and time.monotonic() < deadline:
        program._reader.join(0.01)
    assert program.receive(0.0) == "7" * 1000
    assert program.receive(0.0) == "8" * 1000
    program.forget()
    assert program.receive(0.0) is None
    assert program._waiting == 0


def test_a_flood_on_standard_error_blocks_nobody(start: Start) -> None:
    program = start("import sys\nsys.stderr.write('no\\n' * 1_000_000)\nprint('ready', flush=True)\ninput()")
    assert program.expect("ready", SECONDS) == "ready"
    assert len(program.last_words()) < 200


def test_a_program_that_does_not_read_is_a_fault(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel, "SEND_SECONDS", 0.1)
    program = start("import threading\nprint('ready', flush=True)\nthreading.Event().wait()")
    program.expect("ready", SECONDS)
    with pytest.raises(EngineTimedOut, match="fake does not read what it is told"):
        program.send("x" * 10_000_000)


def test_a_missing_program_is_a_sentence() -> None:
    with pytest.raises(EngineFailedToStart, match="No program named nosuchthing was found"):
        ForeignProgram(["nosuchthing"])


def test_words_that_no_terminal_should_see_are_left_out(start: Start) -> None:
    program = start(r"import sys; sys.stderr.write('\x1b[31mred\x07'); sys.exit(3)")
    with pytest.raises(EngineTerminated, match=r"Its last words: red$"):
        program.expect("more", SECONDS)


def test_a_program_that_is_told_to_quit_ends_by_itself(start: Start) -> None:
    program = start(ECHO)
    program.close("quit", grace=SECONDS)
    assert program._process.returncode == 0


def test_one_that_ignores_everything_is_killed_with_its_children(start: Start) -> None:
    program = start(
        f"""
        import signal, subprocess, threading
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        child = subprocess.Popen([{sys.executable!r}, "-c", "import threading; threading.Event().wait()"])
        print(child.pid, flush=True)
        threading.Event().wait()
        """
    )
    child = int(program.receive(SECONDS) or 0)
    assert living(child)
    program.close("quit", grace=0.0)
    assert not living(program.pid)
    deadline = time.monotonic() + SECONDS
    while living(child) and time.monotonic() < deadline:
        os.sched_yield()
    assert not living(child)
    program.close("quit")  # and again, which does nothing
