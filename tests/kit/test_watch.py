"""Somebody watches the clock: answers come in time whatever the work does, with real processes and threads."""

import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from ggtp.kit.engine import Budget
from ggtp.kit.watch import Watched, polled

SOON, LATE = 1.5, 60.0
"""Seconds: what is given, and what would show that somebody waited for the work instead of the clock."""

BOTH = pytest.mark.parametrize("isolated", [True, False])


def echo():
    kept = []

    def work(request, should_stop, publish):
        kept.append(request)
        publish((request, len(kept), os.getpid(), threading.current_thread().name))

    return work


@pytest.mark.process
@BOTH
def test_what_is_kept_is_kept_from_request_to_request(isolated):
    watched = Watched(echo, isolated=isolated)
    assert watched.ask("one", Budget())[:2] == ("one", 1)
    assert watched.ask("two", Budget())[:2] == ("two", 2)
    assert watched.begun == 1
    watched.end()


@pytest.mark.process
@BOTH
def test_where_the_work_is_done(isolated):
    watched = Watched(echo, isolated=isolated)
    _, _, process, thread = watched.ask("", Budget())
    assert (process != os.getpid()) is isolated
    assert isolated or thread == "worker"
    watched.end()


def counting():
    def work(request, should_stop, publish):
        number = 0
        while not should_stop():
            number += 1
            if number % 1000 == 0:
                publish(number)

    return work


@pytest.mark.process
@BOTH
def test_the_last_result_counts_and_the_worker_stays(isolated):
    watched = Watched(counting, isolated=isolated)
    for _ in range(3):
        assert watched.ask("", Budget(SOON)) > 1
    assert watched.begun == 1
    watched.end()


@pytest.mark.process
@BOTH
def test_a_request_that_is_withdrawn(isolated):
    watched = Watched(counting, isolated=isolated)
    budget = Budget()
    threading.Timer(SOON, lambda: setattr(budget, "withdrawn", True)).start()
    assert watched.ask("", budget) > 1
    assert watched.ask("", Budget(SOON)) > 1
    assert watched.begun == 1
    watched.end()


def never_returns():
    def work(request, should_stop, publish):
        publish("best so far")
        while request:
            pass

    return work


def holds_the_lock():
    """A single call into C that does not come back in a lifetime, and lets no other thread run."""

    def work(request, should_stop, publish):
        publish("best so far")
        if request:
            re.match("(a*)*b", "a" * 60)

    return work


def asked_within(watched, request):
    began = time.monotonic()
    result = watched.ask(request, Budget(SOON))
    assert time.monotonic() - began < LATE
    return result


# Not in a thread: one that spins for ever would slow down every test after this one.
@pytest.mark.process
@pytest.mark.parametrize("make", [never_returns, holds_the_lock])
def test_a_call_that_never_returns_hinders_nobody(make):
    watched = Watched(make, isolated=True)
    for number in (1, 2):
        assert asked_within(watched, True) == "best so far"
        assert watched.begun == number, "who does not come back is given up"
    assert asked_within(watched, False) == "best so far"
    watched.end()


class Slow:
    """Work that does not look at the clock, until it is let go."""

    def __init__(self):
        self.let_go = threading.Event()

    def __call__(self):
        def work(request, should_stop, publish):
            publish(request)
            if request == "slow":
                self.let_go.wait()

        return work


@pytest.mark.slow
def test_a_thread_that_comes_back_late_goes_on_working() -> None:
    slow = Slow()
    watched = Watched(slow, isolated=False)
    assert watched.ask("slow", Budget(SOON)) == "slow"
    threading.Timer(0.05, slow.let_go.set).start()
    assert watched.ask("next", Budget(LATE)) == "next"
    assert watched.begun == 1
    watched.end()


@pytest.mark.slow
def test_a_thread_that_does_not_is_given_up() -> None:
    slow = Slow()
    watched = Watched(slow, isolated=False)
    assert watched.ask("slow", Budget(SOON)) == "slow"
    assert watched.ask("next", Budget(SOON)) == "next"
    assert watched.begun == 2
    slow.let_go.set()
    watched.end()


def failing():
    def work(request, should_stop, publish):
        publish("best so far")
        raise ValueError(request)

    return work


@pytest.mark.process
@BOTH
def test_work_that_fails_is_begun_anew(isolated, capfd):
    watched = Watched(failing, isolated=isolated)
    assert watched.ask("a fault of the rules", Budget()) == "best so far"
    assert watched.ask("another", Budget()) == "best so far"
    assert watched.begun == 2
    assert "ValueError: a fault of the rules" in capfd.readouterr().err
    watched.end()


def dying():
    def work(request, should_stop, publish):
        publish("best so far")
        os.kill(os.getpid(), 9)

    return work


@pytest.mark.process
def test_a_process_that_is_killed() -> None:
    watched = Watched(dying, isolated=True)
    for _ in range(2):
        assert watched.ask("", Budget()) == "best so far"
    assert watched.begun == 2


@pytest.mark.process
def test_nothing_stays_behind() -> None:
    watched = Watched(never_returns, isolated=True)
    assert asked_within(watched, True) == "best so far"
    pid = watched._worker.pid  # type: ignore[attr-defined]
    del watched
    # Whoever was killed is waited for when the next one begins.
    until = time.monotonic() + LATE
    while time.monotonic() < until and Path(f"/proc/{pid}").exists():
        another = Watched(echo, isolated=True)
        another.ask("", Budget())
        another.end()
    assert not Path(f"/proc/{pid}").exists()


class Jumping:
    """A clock that jumps ahead while nobody looks: the machine was busy with something else."""

    def __init__(self):
        self.ahead = 0.0

    def __call__(self):
        return time.monotonic() + self.ahead


def test_on_a_busy_machine_answers_are_earlier() -> None:
    """Who was woken late once does not count on being woken in time."""
    clock = Jumping()
    given = []

    def noting():
        def work(request, should_stop, publish):
            clock.ahead += request
            publish(request)

        return work

    watched = Watched(noting, isolated=False)
    for late in (0.0, 3.0, 0.0, 0.0):
        budget = Budget(2.0, clock)
        assert watched.ask(late, budget) == late
        given.append(round(budget.deadline - budget.started, 1))
    assert given[0] == given[1] == 2.0
    assert given[2] == given[3] == 0.8, "a share is left in any case"
    watched.end()


def holding(handles):
    def make():
        def work(request, should_stop, publish):
            publish([handle for handle in handles if _open(handle)])

        return work

    return make


def _open(handle):
    try:
        os.fstat(handle)
    except OSError:
        return False
    return True


@pytest.mark.process
def test_the_process_holds_nothing_open_of_its_parent() -> None:
    """Or the referee would not see that an engine has gone."""
    handles = os.pipe()
    watched = Watched(holding(handles), isolated=True)
    assert watched.ask("", Budget()) == []
    assert all(map(_open, handles))
    watched.end()
    for handle in handles:
        os.close(handle)


def test_what_cannot_ask_is_told() -> None:
    """Machine code is stopped from another thread, as often as it takes."""
    told = threading.Semaphore(0)
    with polled(lambda: True, told.release):
        assert told.acquire(timeout=LATE)
        assert told.acquire(timeout=LATE)
    quiet = []
    with polled(lambda: False, lambda: quiet.append(1)):
        pass
    assert quiet == []


LOADING = """
import importlib.abc, sys, threading
from ggtp.kit import Budget, Watched

class Slow(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "ctypes":
            begun.set()
            go_on.wait()

begun, go_on = threading.Event(), threading.Event()
assert "ctypes" not in sys.modules
sys.meta_path.insert(0, Slow())
threading.Thread(target=lambda: __import__("ctypes")).start()
begun.wait()
threading.Timer(0.2, go_on.set).start()
watched = Watched(lambda: lambda request, should_stop, publish: publish(request), isolated=True)
print(watched.ask("heard", Budget(30.0)))
watched.end()
"""


@pytest.mark.process
def test_a_worker_begins_while_another_thread_loads_what_it_needs() -> None:
    """As the compiler does when a game begins: what is half loaded at the fork is half loaded for ever."""
    done = subprocess.run([sys.executable, "-c", LOADING], capture_output=True, text=True, timeout=100, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("heard\n", "", 0)
