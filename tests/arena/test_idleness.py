"""What engines use while they have nothing to do is measured, now and then and within limits."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.runs import engine, plan_of
from support.tables import game_plan, play

from ggtp.arena.idleness import EVERY_SECONDS, Taken, Watch, taken_by
from ggtp.tournament.results import Job
from ggtp.tournament.standings.restless import Idleness

ONE, TWO = 1, 2


class World:
    """A clock and processes that do what a test says."""

    def __init__(self) -> None:
        self.now = 100.0
        self.pids: dict[int, int | None] = {ONE: 11, TWO: 22}
        self.used = {11: 0.0, 22: 0.0}
        self.waited: dict[str, int] = {}
        self.looks = 0
        self.watch = Watch(self.pids.get, lambda: self.now, self._look)

    def _look(self, pid: int) -> Taken:
        self.looks += 1
        return Taken(self.used[pid], dict(self.waited))

    def pass_by(self, seconds: float, **used: float) -> None:
        self.now += seconds
        for name, more in used.items():
            self.used[{"one": 11, "two": 22}[name]] += more


def test_who_waits_is_watched_until_it_is_asked() -> None:
    world = World()
    world.watch.asked(ONE, [TWO])
    world.pass_by(1.0, one=1.0, two=0.75)
    world.watch.asked(TWO, [ONE])
    world.pass_by(2.0, two=2.0, one=0.0)
    world.watch.asked(ONE, [TWO])
    assert world.watch.take() == {TWO: (1.0, 0.75, 0.0), ONE: (2.0, 0.0, 0.0)}
    assert world.watch.take() == {}


def test_the_thread_that_waited_longest_for_a_processor_counts() -> None:
    world = World()
    world.waited = {"7": 10**9, "8": 5 * 10**9}
    world.watch.asked(ONE, [TWO])
    world.pass_by(1.0, two=0.125)
    world.waited = {"7": 10**9 + 5 * 10**8, "8": 5 * 10**9 + 25 * 10**7, "9": 10**8}
    world.watch.asked(TWO, [])
    assert world.watch.take() == {TWO: (1.0, 0.125, 0.5)}


def test_nobody_waits_longer_than_it_is_watched() -> None:
    world = World()
    world.watch.asked(ONE, [TWO])
    world.pass_by(1.0)
    world.waited = {"7": 2 * 10**9}
    world.watch.asked(TWO, [])
    assert world.watch.take() == {TWO: (1.0, 0.0, 1.0)}


def test_between_games_everybody_is_watched() -> None:
    world = World()
    world.watch.rest([ONE, TWO])
    world.pass_by(4.0, one=4.0)
    world.watch.wake()
    assert world.watch.take() == {ONE: (4.0, 4.0, 0.0), TWO: (4.0, 0.0, 0.0)}


def test_short_turns_cost_few_looks_and_count_for_nothing() -> None:
    world = World()
    for _ in range(1000):
        world.watch.asked(ONE, [TWO])
        world.pass_by(0.001, two=0.001)
        world.watch.asked(TWO, [ONE])
        world.pass_by(0.001)
    assert world.looks <= 2 * (1 + 2.0 / EVERY_SECONDS)
    assert world.watch.take() == {}


@pytest.mark.parametrize("pid", [None, 33])
def test_another_process_is_not_compared_with_the_first(pid: int | None) -> None:
    world = World()
    world.watch.asked(ONE, [TWO])
    world.pids[TWO] = pid
    world.used[33] = 50.0
    world.pass_by(1.0)
    world.watch.asked(TWO, [ONE])
    assert TWO not in world.watch.take()


def test_one_that_has_ended_tells_nothing() -> None:
    world = World()
    world.used[22] = 5.0
    world.watch.asked(ONE, [TWO])
    world.pass_by(1.0, two=-5.0)
    world.watch.asked(TWO, [ONE])
    world.watch.forget()
    world.watch.wake()
    assert world.watch.take() == {}


@pytest.mark.process
def test_children_are_counted() -> None:
    burn = "import time\nwhile time.process_time() < 0.2: pass\nprint(flush=True)\ninput()"
    argv = ["sh", "-c", '"$1" -S -c "$2"; exit 0', "sh", sys.executable, burn]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as shell:
        assert shell.stdout is not None
        shell.stdout.readline()
        assert taken_by(shell.pid).used >= 0.15
        shell.communicate("\n")


@pytest.mark.process
def test_an_engine_that_spins_is_found(tmp_path: Path) -> None:
    players = [
        {"name": "Good", "engine": engine(tmp_path, "slow", "--fault", "late", "--delay-ms", "300")},
        {"name": "Bad", "engine": engine(tmp_path, "spins", "--spins")},
    ]
    plan = plan_of({"player": players, "rule": [{"rule": "TicTacToe"}], "adjudicate": {"length": 4}})
    ((first, _),) = play(plan, Job(game_plan()))
    assert first.faults == ()
    bad, good = Idleness(*first.idle["Circle"]), Idleness(*first.idle.get("Cross", (0.0, 0.0, 0.0)))
    assert bad.watched >= 0.3  # while Cross thought
    assert bad.share >= 0.5  # however busy the machine is
    assert good.share < bad.share
