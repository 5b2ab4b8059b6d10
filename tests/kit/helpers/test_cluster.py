"""A real cluster, whose scheduler is stopped and killed, and whose workers die while they think."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Iterator

import pytest
from ggtp.engines.mcts import Mcts
from support.clusters import OwnCluster, own_cluster

from ggtp.kit.helpers.cluster import Cluster, local_cluster
from ggtp.kit.helpers.helper import Request
from ggtp.kit.helpers.team import TeamError

MODULE = Mcts.__module__
OPTIONS = {"rule": "ConnectFour", "player": "Yellow", "Time": "0"}


def request(seconds: float | None, playouts: int = 0, **options: str) -> Request:
    return {"options": {**OPTIONS, "Playouts": str(playouts), **options}, "history": [], "seconds": seconds}


def until(team: Cluster, condition: Callable[[], bool]) -> None:
    """Wait until something holds; the bound of the test ends it."""
    while not condition():
        team._thread.join(0.02)


@pytest.fixture(name="cluster")
def start_cluster() -> Iterator[OwnCluster]:
    with own_cluster(2) as cluster:
        yield cluster


@pytest.fixture(name="team")
def connect(cluster: OwnCluster) -> Iterator[Cluster]:
    team = Cluster(MODULE, cluster.address)
    try:
        assert team.wait(60)
        until(team, lambda: len(team.workers) == 2)
        yield team
    finally:
        team.close()


@pytest.mark.process
@pytest.mark.bound(240)
def test_workers_answer_keep_their_trees_and_are_done_without_when_they_die(cluster: OwnCluster, team: Cluster) -> None:
    assert (team.trouble, team.lost) == ("", False)
    team.ask(request(None, 40))
    found = team.answers(None)
    assert [told["playouts"] for told in found] == [40, 40]
    team.ask(request(None, 40))
    again = team.answers(None)
    assert min(told["nodes"] for told in again) > max(told["nodes"] for told in found), "trees are kept"

    team.ask(request(3.0))
    next(iter(cluster.workers.values())).kill()
    deadline = time.monotonic() + 60
    left = team.answers(deadline)
    assert [told["playouts"] > 0 for told in left] == [True]
    assert time.monotonic() < deadline


@pytest.mark.process
@pytest.mark.bound(240)
def test_who_is_asked_in_vain_stops_though_it_has_one_thread(team: Cluster) -> None:
    team.ask(request(None))  # there is no end to that
    assert team.answers(time.monotonic() + 0.05) == []
    team.ask(request(None, 20))
    assert [told["playouts"] for told in team.answers(None)] == [20, 20]
    team.ask(request(None))
    looks = iter(range(3))
    assert team.answers(None, lambda: next(looks, None) is None) == []
    team.withdraw()
    other = Cluster(MODULE, team._address)
    try:
        assert other.wait(60)
        other.ask(request(None, 20))
        assert len(other.answers(None)) == 2, "workers are free for others"
    finally:
        other.close()


@pytest.mark.process
@pytest.mark.bound(240)
def test_a_helper_that_fails_says_why(team: Cluster) -> None:
    team.ask(request(None, 20, rule="NoSuchGame"))
    found = team.answers(None)
    assert ["NoSuchGame" in told["failed"] for told in found] == [True, True]


@pytest.mark.process
@pytest.mark.bound(240)
def test_workers_come_and_go(cluster: OwnCluster, team: Cluster) -> None:
    third = cluster.add_worker()
    until(team, lambda: third in team.workers)
    for worker in cluster.workers.values():
        worker.kill()
    until(team, lambda: not team.workers)
    assert "has no workers" in team.trouble
    team.ask(request(None, 20))
    assert team.answers(None) == []
    assert not team.lost


@pytest.mark.process
@pytest.mark.bound(240)
def test_a_scheduler_that_is_stopped_holds_nobody_up(cluster: OwnCluster, team: Cluster) -> None:
    team.ask(request(None, 20))
    assert len(team.answers(None)) == 2
    cluster.scheduler.send_signal(signal.SIGSTOP)
    for _ in range(3):
        before = time.monotonic()
        team.ask(request(0.05))
        assert team.answers(before + 0.1) == []
        team.withdraw()
        assert time.monotonic() - before < 3  # a busy machine may wake us up late
    # Nothing limits the time, and still nobody waits for ever.
    team.ask(request(None, 20))
    assert team.answers(None) == []
    assert "does not answer" in team.trouble
    cluster.scheduler.send_signal(signal.SIGCONT)
    until(team, lambda: not team.trouble)
    team.ask(request(None, 20))
    assert len(team.answers(None)) == 2


@pytest.mark.process
@pytest.mark.bound(240)
def test_a_scheduler_that_dies_is_done_without(cluster: OwnCluster, team: Cluster) -> None:
    team.ask(request(None))
    cluster.scheduler.kill()
    found = team.answers(None)
    assert all("failed" in told for told in found)
    until(team, lambda: team.lost)
    assert "is gone" in team.trouble
    team.ask(request(None, 20))
    assert team.answers(None) == []


def test_where_nobody_answers_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ggtp.kit.helpers.cluster.CONNECT_SECONDS", 0.5)
    team = Cluster(MODULE, "tcp://127.0.0.1:9")
    assert "has not answered yet" in team.trouble
    team.ask(request(None, 20))
    assert team.answers(None) == [], "nobody waits for the connection"
    assert not team.wait(60)
    assert team.lost
    assert "No scheduler of a cluster answers at tcp://127.0.0.1:9" in team.trouble
    team.ask(request(None, 20))
    assert team.answers(None) == []
    team.close()


def test_it_can_be_given_up_while_it_connects() -> None:
    team = Cluster(MODULE, "tcp://127.0.0.1:9")
    before = time.monotonic()
    team.close()
    assert time.monotonic() - before < 9, "which takes ten seconds to fail"


def test_without_the_library_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(TeamError, match=r"ggtp\[cluster\]"):
        Cluster(MODULE, "tcp://127.0.0.1:9")
    with pytest.raises(TeamError, match=r"ggtp\[cluster\]"), local_cluster(1):
        pass
