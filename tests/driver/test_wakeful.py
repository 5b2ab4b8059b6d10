"""A selector that is like any other, and awake for a moment where that has paid."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from selectors import EVENT_READ, EVENT_WRITE, BaseSelector, EpollSelector

import pytest

if sys.platform != "linux":
    pytest.skip("epoll is Linux's", allow_module_level=True)

from ggtp.driver.wakeful import BUSY_SECONDS, LIVELY_SECONDS, LIVELY_WAITS, LOOK_SECONDS, MOST_WAITS, WakefulSelector

READY = b"!"


class Bench:
    """A selector that waits for one pipe, on a clock that only moves when it is pushed."""

    def __init__(self) -> None:
        self.now = 100.0
        self.looks = 0
        self.pause = LOOK_SECONDS / 10
        """How long others have the processor between two looks."""
        self.arrives_after: int | None = None
        """After how many looks something arrives."""
        self.selector = WakefulSelector(lambda: self.now, self._give_way)
        self.inlet, self._outlet = os.pipe()
        self.selector.register(self.inlet, EVENT_READ)

    def close(self) -> None:
        self.selector.close()
        os.close(self.inlet)
        os.close(self._outlet)

    def _give_way(self) -> None:
        self.looks += 1
        self.now += self.pause
        if self.looks == self.arrives_after:
            self.arrive()

    def arrive(self) -> None:
        os.write(self._outlet, READY)

    def wait(self, *, ready: bool, timeout: float = 0.001) -> int:
        """Wait once, for what is there already or for nothing; how often was looked meanwhile."""
        self.looks = 0
        if ready:
            self.arrive()
        found = self.selector.select(timeout)
        assert [(key.fd, events) for key, events in found] == ([(self.inlet, EVENT_READ)] if ready else [])
        if ready:
            assert os.read(self.inlet, 16) == READY
        return self.looks

    def liven_up(self, waits: int = LIVELY_WAITS) -> None:
        for _ in range(waits):
            assert self.wait(ready=True) == 0


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.close()


def test_nobody_looks_before_a_play_is_lively(bench: Bench) -> None:
    bench.liven_up(LIVELY_WAITS - 1)
    assert bench.wait(ready=False) == 0


def test_what_arrives_while_it_looks_is_found_without_sleeping(bench: Bench) -> None:
    bench.liven_up()
    for looks in (1, 5, 9):
        bench.looks, bench.arrives_after = 0, looks
        [(key, events)] = bench.selector.select(None)  # it would sleep for ever
        assert (key.fd, events, bench.looks) == (bench.inlet, EVENT_READ, looks)
        os.read(bench.inlet, 16)


def test_looking_has_an_end(bench: Bench) -> None:
    bench.liven_up()
    began = bench.now
    assert bench.wait(ready=False) == pytest.approx(10, abs=1)
    assert bench.now - began == pytest.approx(LOOK_SECONDS, rel=0.2)


def test_nobody_looks_for_longer_than_the_timeout(bench: Bench) -> None:
    bench.liven_up()
    assert bench.wait(ready=False, timeout=LOOK_SECONDS / 5) == pytest.approx(2, abs=1)


def test_after_looking_in_vain_more_is_needed_each_time_but_not_for_ever(bench: Bench) -> None:
    needed = LIVELY_WAITS
    while needed < 2 * MOST_WAITS:
        bench.liven_up(min(needed, MOST_WAITS))
        assert bench.wait(ready=False) > 0
        assert bench.wait(ready=False) == 0
        needed *= 2


def test_whatever_is_found_by_looking_makes_it_a_little_livelier_again(bench: Bench) -> None:
    bench.liven_up()
    assert bench.wait(ready=False) > 0
    bench.liven_up(2 * LIVELY_WAITS)
    for _ in range(LIVELY_WAITS):
        bench.wait(ready=True)  # found at the first look
    assert bench.wait(ready=False) > 0
    bench.liven_up(2 * LIVELY_WAITS)
    assert bench.wait(ready=False) > 0


def test_where_others_need_the_processor_looking_stops_soon_for_long(bench: Bench) -> None:
    needed = LIVELY_WAITS
    while needed < 64 * MOST_WAITS:
        bench.pause = LOOK_SECONDS / 10
        bench.liven_up(min(needed, MOST_WAITS))
        bench.pause = 2 * BUSY_SECONDS
        assert bench.wait(ready=False) == 1
        assert bench.wait(ready=False) == 0
        needed *= 8


def test_what_arrives_while_others_have_the_processor_is_found(bench: Bench) -> None:
    bench.liven_up()
    bench.pause, bench.looks, bench.arrives_after = 2 * BUSY_SECONDS, 0, 1
    [(key, _)] = bench.selector.select(None)
    assert (key.fd, bench.looks) == (bench.inlet, 1)
    os.read(bench.inlet, 16)
    assert bench.wait(ready=False) == 0


def test_answers_that_take_a_while_are_not_looked_for(bench: Bench) -> None:
    ticks = iter(range(1000))
    bench.selector._clock = lambda: next(ticks) * 2 * LIVELY_SECONDS
    for _ in range(10 * LIVELY_WAITS):
        assert bench.wait(ready=True) == 0
    assert bench.wait(ready=False) == 0


def test_timers_do_not_make_it_lively(bench: Bench) -> None:
    for _ in range(2 * LIVELY_WAITS):
        assert bench.wait(ready=False, timeout=0.0001) == 0


def test_a_glance_is_no_wait(bench: Bench) -> None:
    bench.liven_up()
    assert bench.selector.select(0) == []
    assert bench.selector.select(-1) == []
    assert bench.looks == 0


@pytest.mark.parametrize("events", [EVENT_READ, EVENT_WRITE, EVENT_READ | EVENT_WRITE])
def test_it_sees_what_every_selector_sees(events: int) -> None:
    selectors: list[BaseSelector] = [WakefulSelector(), EpollSelector()]
    ours, theirs = socket.socketpair()
    seen: list[list[list[tuple[object, int, object]]]] = [[], []]

    def look() -> None:
        for number, selector in enumerate(selectors):
            seen[number].append([(key.fileobj, event, key.data) for key, event in selector.select(0)])

    with ours, theirs:
        for selector in selectors:
            selector.register(ours, events, "first")
        look()
        theirs.send(READY)
        look()
        for selector in selectors:
            selector.modify(ours, EVENT_READ, "second")
        look()
        theirs.close()
        look()
        for selector in selectors:
            assert selector.unregister(ours).fileobj is ours
            assert dict(selector.get_map() or {}) == {}
        look()
    assert seen[0] == seen[1]
    for selector in selectors:
        selector.close()


def test_its_descriptors_are_given_back() -> None:
    before = os.listdir("/proc/self/fd")
    for _ in range(3):
        WakefulSelector().close()
    assert os.listdir("/proc/self/fd") == before
