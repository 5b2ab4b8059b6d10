"""Teams: real processes, and a real cluster of which a worker is killed while it thinks."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest
from ggtp.engines.mcts import Mcts

from ggtp.kit.team import Cluster, Processes, TeamError, local_cluster

MODULE = Mcts.__module__
OPTIONS = {"rule": "ConnectFour", "player": "Yellow", "Time": "0"}


def request(seconds: float, playouts: int = 0) -> dict[str, Any]:
    return {"options": {**OPTIONS, "Playouts": str(playouts)}, "history": [], "seconds": seconds}


def test_processes_answer_what_they_found() -> None:
    team = Processes(MODULE, 2)
    try:
        team.ask(request(60.0, 40))
        found = team.answers(time.monotonic() + 60)
        assert [told["playouts"] for told in found] == [40, 40]
        # Each has a seed of its own.
        assert found[0]["choices"] != found[1]["choices"]
    finally:
        team.close()
    assert team.alive == 0


def test_helpers_end_with_whoever_asks_them_in_the_middle_of_a_thought() -> None:
    team = Processes(MODULE, 1)
    try:
        team.ask(request(60.0, 20))
        assert team.answers(time.monotonic() + 60)
        team.ask(request(3600.0))
        (member,) = team._members
        assert member.stdin is not None
        member.stdin.close()
        assert member.wait(60) == 0
    finally:
        team.close()


def test_who_is_killed_is_done_without() -> None:
    team = Processes(MODULE, 2)
    try:
        team.ask(request(60.0, 20))
        assert len(team.answers(time.monotonic() + 60)) == 2
        team.ask(request(60.0))  # nobody would answer within a minute
        team._members[0].kill()
        team._members[0].wait()
        before = time.monotonic()
        assert team.answers(before + 0.1) == []
        # A new question counts more than the one before; the one who lives is still there.
        assert team.alive == 1
    finally:
        team.close()


@pytest.fixture(name="address", scope="module")
def start_cluster() -> Iterator[str]:
    with local_cluster(2) as address:
        yield address


@pytest.mark.bound(240)
def test_a_cluster_answers_and_a_worker_that_dies_in_the_middle_holds_nobody_up(address: str) -> None:
    team = Cluster(MODULE, address)
    try:
        team.ask(request(60.0, 40))
        found = team.answers(time.monotonic() + 60)
        assert [told["playouts"] for told in found] == [40, 40]
        # Trees are kept between questions.
        team.ask(request(60.0, 40))
        again = team.answers(time.monotonic() + 60)
        assert min(told["nodes"] for told in again) > max(told["nodes"] for told in found)

        pids = team._client.run(os.getpid)
        victim = next(iter(pids))
        team.ask(request(3.0))
        os.kill(pids[victim], signal.SIGKILL)
        deadline = time.monotonic() + 60
        left = team.answers(deadline)
        assert len(left) == 1
        assert left[0]["playouts"] > 0
        assert time.monotonic() < deadline
    finally:
        team.close()


def test_where_nobody_answers_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ggtp.kit.team.CONNECT_SECONDS", 0.5)
    with pytest.raises(TeamError, match=r"tcp://127\.0\.0\.1:9"):
        Cluster(MODULE, "tcp://127.0.0.1:9")


def test_without_the_library_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(TeamError, match=r"ggtp\[cluster\]"):
        Cluster(MODULE, "tcp://127.0.0.1:9")
