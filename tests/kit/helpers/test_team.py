"""Teams: real processes, some of which are killed while they think."""

from __future__ import annotations

import os
import signal
import subprocess
import time

import pytest
from ggtp.engines.mcts import Mcts

from ggtp.catalogue import Catalogue
from ggtp.kit.helpers.helper import Helper, Request
from ggtp.kit.helpers.team import Processes, TeamError, dismiss, request_for
from ggtp.kit.session import Session
from ggtp.processes.spawn import ended
from ggtp.protocol.messages import Command

MODULE = Mcts.__module__
OPTIONS = {"rule": "ConnectFour", "player": "Yellow", "Time": "0"}
FIND = Catalogue.from_environment({}).find_rules


def request(seconds: float | None, playouts: int = 0) -> Request:
    return {"options": {**OPTIONS, "Playouts": str(playouts)}, "history": [], "seconds": seconds}


def test_what_can_only_be_read_is_not_told_to_helpers() -> None:
    session = Session(Mcts(), FIND, lambda _text: None)
    for name, value in {"rule": "Nim", "rule_options": "heaps=1 2 3", "Playouts": "30", "Time": "0"}.items():
        session.set_option(name, value)
    session.answer(Command("start", ()))
    game, _ = session.asked(Command("have_to_play", ()))
    asked = request_for(game, None, {"Processes": "1"})
    assert not {"last_search", "refusal", "start_clock", "seed"} & asked["options"].keys()
    found = Helper(Mcts(), FIND).think(asked)
    assert {choice["move"] for choice in found["choices"]} == set(game.moves())


@pytest.mark.process
def test_processes_answer_what_they_found() -> None:
    team = Processes(MODULE, 2)
    try:
        assert (team.trouble, team.lost, team.wait(0)) == ("", False, True)
        team.ask(request(None, 40))
        found = team.answers(time.monotonic() + 60)
        assert [told["playouts"] for told in found] == [40, 40]
        # Each has a seed of its own.
        assert found[0]["choices"] != found[1]["choices"]
    finally:
        team.close()
    assert team.alive == 0


@pytest.mark.process
def test_without_a_limit_of_time_playouts_are_the_limit() -> None:
    team = Processes(MODULE, 1)
    try:
        team.ask(request(None, 30))
        assert [told["playouts"] for told in team.answers(None)] == [30]
    finally:
        team.close()


@pytest.mark.process
def test_helpers_end_with_whoever_asks_them_in_the_middle_of_a_thought() -> None:
    team = Processes(MODULE, 1)
    try:
        team.ask(request(None, 20))
        assert team.answers(time.monotonic() + 60)
        team.ask(request(None))
        (member,) = team._members
        team._lines[0].put(None)
        assert member.end(60) == 0
    finally:
        team.close()


@pytest.mark.process
def test_who_is_asked_something_else_or_nothing_any_more_stops_thinking() -> None:
    team = Processes(MODULE, 1)
    try:
        team.ask(request(None))  # there is no end to that
        team.ask(request(None, 25))
        assert [told["playouts"] for told in team.answers(None)] == [25]
        team.ask(request(None))
        looks = iter(range(3))
        assert team.answers(None, lambda: next(looks, None) is None) == []
        team.withdraw()
        heard, told = team._heard.get(timeout=60)
        assert heard == 0
        assert told is not None
        assert told["round"] == 3
    finally:
        team.close()


@pytest.mark.process
@pytest.mark.parametrize("when", ["before", "after"])
def test_who_is_killed_is_done_without_at_once(when: str) -> None:
    """Whoever lives has answered, and nobody else is waited for, though nothing limits the time."""
    team = Processes(MODULE, 2)
    try:
        team.ask(request(None, 20))
        assert len(team.answers(time.monotonic() + 60)) == 2
        victim = team._members[0]
        os.kill(victim.pid, signal.SIGSTOP)  # it will not have answered
        team.ask(request(None, 20))
        if when == "after":
            assert len(team.answers(None, lambda: len(team._owing) == 1)) == 1
        victim.kill()
        os.waitid(os.P_PID, victim.pid, os.WEXITED | os.WNOWAIT)
        assert len(team.answers(None)) == (1 if when == "before" else 0)
        assert (team.alive, team.lost) == (1, True)
        assert team.trouble == "1 of 2 processes that help have ended."
        team.ask(request(None, 20))
        assert len(team.answers(None)) == 1
    finally:
        team.close()


@pytest.mark.process
def test_who_does_not_read_holds_nobody_up() -> None:
    team = Processes(MODULE, 1)
    try:
        os.kill(team._members[0].pid, signal.SIGSTOP)
        long: Request = {**request(None, 20), "remark": "x" * 1_000_000}  # type: ignore[typeddict-unknown-key]  # more than a pipe holds
        team.ask(long)
        assert team.answers(time.monotonic() + 0.05) == []
        team.ask(long)
        os.kill(team._members[0].pid, signal.SIGCONT)
        assert len(team.answers(None)) == 1
    finally:
        team.close()


@pytest.mark.process
def test_who_fails_says_why() -> None:
    team = Processes(MODULE, 1)
    try:
        team.ask({**request(None, 20), "options": {"rule": "NoSuchGame"}})
        ((told),) = team.answers(None)
        assert "NoSuchGame" in told["failed"]
    finally:
        team.close()


@pytest.mark.process
def test_nobody_waits_for_those_who_are_sent_home() -> None:
    team = Processes(MODULE, 1)
    dismiss(team)
    assert ended(team._members[0]._process, 60) not in (None, 0)


def test_where_no_process_can_be_started_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    with pytest.raises(TeamError, match="unavailable"):
        Processes(MODULE, 2)
