"""The child: what it answers, what happens when it ends or hangs, and that it is started again."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from ggtp.errors import CommandError
from ggtp.game.guard import RuleInterrupted
from ggtp.openspiel import link as link_module
from ggtp.openspiel.link import Link

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install ggtp[openspiel]")

START = {"want": "state", "game": "tic_tac_toe", "parameters": {}, "history": []}


@pytest.fixture
def link() -> Iterator[Link]:
    link = Link()
    yield link
    link.close()


@pytest.mark.process
def test_an_answer(link: Link) -> None:
    about = link.ask(START)
    assert about["kind"] == "single"
    assert len(about["moves"]["0"]) == 9


@pytest.mark.process
def test_an_action_that_is_not_listed_is_never_passed_on(link: Link) -> None:
    """In chess this one would end the process."""
    for game, action in (("chess", 2168), ("tic_tac_toe", -5), ("hearts", 10**6), ("xiangqi", 10**9)):
        link.ask({"want": "state", "game": game, "parameters": {}, "history": []})
        child = link.pid()
        with pytest.raises(CommandError, match="no such action"):
            link.ask({"want": "state", "game": game, "parameters": {}, "history": [action]})
        assert link.pid() == child
    with pytest.raises(CommandError, match="no such actions"):
        link.ask({"want": "state", "game": "matrix_rps", "parameters": {}, "history": [[0, 7]]})


@pytest.mark.process
def test_every_game_has_a_child_of_its_own(link: Link) -> None:
    link.ask(START)
    child = link.pid()
    link.ask(START)
    assert link.pid() == child
    link.ask({**START, "game": "nim"})
    assert link.pid() != child


@pytest.mark.process
def test_what_the_library_refuses_is_told(link: Link) -> None:
    with pytest.raises(CommandError, match="OpenSpiel does not play no_such_game"):
        link.ask({**START, "game": "no_such_game"})
    assert link.ask(START)["kind"] == "single"


@pytest.mark.process
def test_a_child_that_was_killed_is_replaced(link: Link) -> None:
    link.ask(START)
    child = link.pid()
    assert child is not None
    os.kill(child, signal.SIGKILL)
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    assert link.ask(START)["kind"] == "single"
    assert link.pid() != child


@pytest.mark.process
def test_a_child_that_crashes_over_a_question_is_an_error_of_that_question(
    link: Link, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "crashing.py").write_text("import os, sys\nsys.stdin.readline()\nos.kill(os.getpid(), 11)\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    crashing = Link("crashing")
    for _ in range(2):
        with pytest.raises(CommandError, match=r"process has ended over tic_tac_toe \(SIGSEGV\)"):
            crashing.ask(START)
    crashing.close()


@pytest.mark.process
def test_a_child_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "hanging.py").write_text("import signal\nsignal.pause()\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    hanging = Link("hanging", patience=0.1)
    with pytest.raises(CommandError, match=r"has not answered about tic_tac_toe in 0\.1 s"):
        hanging.ask(START)
    assert hanging.pid() is None


def test_without_the_library_there_is_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_module, "LIBRARY", "no_such_library")
    with pytest.raises(CommandError, match=r"pip install 'ggtp\[openspiel\]'"):
        Link().ask(START)


@pytest.mark.process
def test_a_question_that_was_given_up_is_not_answered_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A referee gives up what computes for long, by a signal; the next question has its own answer."""
    lines = "for line in sys.stdin:\n    go.exists() or time.sleep(1000)\n    print(line, end='', flush=True)\n"
    go = tmp_path / "go"
    (tmp_path / "slow.py").write_text(f"import pathlib, sys, time\ngo = pathlib.Path({str(go)!r})\n{lines}")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    def give_up(_number: int, _frame: object) -> None:
        raise RuleInterrupted("moves was interrupted")

    slow = Link("slow")
    before = signal.signal(signal.SIGUSR1, give_up)
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGUSR1)).start()
    try:
        with pytest.raises(RuleInterrupted):
            slow.ask({**START, "number": 1})
        go.touch()
        assert slow.ask({**START, "number": 2})["number"] == 2
    finally:
        signal.signal(signal.SIGUSR1, before)
        slow.close()
