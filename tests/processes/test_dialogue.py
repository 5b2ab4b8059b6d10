"""Lines to a program and back, whatever it does."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ggtp.processes.dialogue import Dialogue, Silent

pytestmark = pytest.mark.process

SECONDS = 60.0
"""Only for a test that fails."""
ECHO = "import sys\nfor line in sys.stdin: print('heard', line.strip(), flush=True)"
Start = Callable[..., Dialogue]


@pytest.fixture(name="start")
def make_start() -> Iterator[Start]:
    begun: list[Dialogue] = []

    def start(code: str, **options: Any) -> Dialogue:
        begun.append(Dialogue([sys.executable, "-S", "-c", code], **options))
        return begun[-1]

    yield start
    for dialogue in begun:
        dialogue.end(0.0)
        assert not dialogue.alive


def test_lines_go_and_come(start: Start) -> None:
    echo = start(ECHO)
    echo.tell(b"one")
    echo.tell(b"two")
    assert [echo.hear(SECONDS), echo.hear()] == [b"heard one\n", b"heard two\n"]
    assert echo.alive
    assert os.path.exists(f"/proc/{echo.pid}")
    assert echo.end(SECONDS) == 0


def test_what_came_in_one_piece_is_lines_and_a_rest(start: Start) -> None:
    once = start("import os; os.write(1, b'one\\ntwo\\nthr')")
    assert [once.hear(), once.hear(), once.hear(), once.hear()] == [b"one\n", b"two\n", b"thr", b""]


def test_a_long_line_comes_whole_and_one_that_is_too_long_does_not(start: Start) -> None:
    code = "print('x' * 3_000_000, flush=True)"
    assert len(start(code).hear(SECONDS)) == 3_000_001
    with pytest.raises(Silent):
        start(code, most_bytes=1000).hear(SECONDS)


def test_silence_is_noticed(start: Start) -> None:
    quiet = start("input()")
    with pytest.raises(Silent):
        quiet.hear(0.0)
    with pytest.raises(Silent):
        quiet.hear(0.01)
    assert quiet.alive


def test_who_has_ended_is_not_told(start: Start) -> None:
    gone = start("raise SystemExit(3)")
    assert gone.hear() == b""
    assert gone.end(SECONDS) == 3
    with pytest.raises((OSError, ValueError)):
        gone.tell(b"one")


def test_one_that_does_not_read_is_ended_while_a_thread_tells_it_something(start: Start) -> None:
    deaf = start(
        "import select, sys, threading; select.select([sys.stdin], [], []); print('told', flush=True);"
        "threading.Event().wait()"
    )
    failed: list[Exception] = []

    def tell() -> None:
        try:
            deaf.tell(b"x" * 10_000_000)
        except (OSError, ValueError) as error:
            failed.append(error)

    telling = threading.Thread(target=tell)
    telling.start()
    assert deaf.hear() == b"told\n", "the pipe is full"
    assert deaf.end(0.01) == -9
    telling.join(SECONDS)
    assert len(failed) == 1


def test_one_is_ended_while_a_thread_listens_to_it(start: Start) -> None:
    quiet = start("import threading; threading.Event().wait()")
    heard: list[bytes] = []

    def hear() -> None:
        try:
            heard.append(quiet.hear())
        except (OSError, ValueError):  # it had been ended before the thread listened
            heard.append(b"")

    listening = threading.Thread(target=hear)
    listening.start()
    assert quiet.end(0.01) == -9
    listening.join(SECONDS)
    assert heard == [b""]
