"""Threads that want a processor soon."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from ggtp.kit.front.processors import Waits, halves, stay_on, want_soon

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets threads ask for it")


def in_a_thread(work: Callable[[], None]) -> None:
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def test_waits_are_those_of_the_thread() -> None:
    waits = Waits()
    before = waits.seconds()
    counted = int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9
    assert before <= counted <= waits.seconds()
    assert counted > 0.0


def test_halves_have_nothing_in_common_and_are_all() -> None:
    ours, others = halves()
    assert ours
    assert not ours & others
    assert ours | others == os.sched_getaffinity(0)


def test_a_thread_stays_and_others_are_free() -> None:
    every = os.sched_getaffinity(0)
    where: list[set[int]] = []

    def stay(processors: frozenset[int]) -> None:
        stay_on(processors)
        where.append(os.sched_getaffinity(0))

    half = halves()[0]
    for wanted in (half, frozenset[int](), frozenset({10**6})):
        in_a_thread(partial(stay, wanted))
    assert where == [set(half), every, every]  # nothing wanted, and what there is not, changes nothing
    assert os.sched_getaffinity(0) == every


def test_who_wants_it_soon_goes_before_others_where_that_is_allowed() -> None:
    policies = []

    def go_first() -> None:
        with suppress(PermissionError):
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
        policies.append(os.sched_getscheduler(0))

    def want() -> None:
        want_soon()
        policies.append(os.sched_getscheduler(0) & ~os.SCHED_RESET_ON_FORK)
        in_a_thread(lambda: policies.append(os.sched_getscheduler(0)))

    in_a_thread(go_first)
    in_a_thread(want)
    assert policies == [policies[0], policies[0], os.SCHED_OTHER]  # what such a thread starts does not
    assert os.sched_getscheduler(0) == os.SCHED_OTHER
