"""Percentiles are what they say, and a limit is called unsound when it is; how late this machine is, is not tested."""

from __future__ import annotations

import random

import pytest

from ggtp.arena.calibration import FEWEST, WAIT_SECONDS, jitter_of, measure_jitter


def test_percentiles() -> None:
    lateness = [number / 1000 for number in range(1, 101)]
    random.Random(1).shuffle(lateness)
    jitter = jitter_of(lateness)
    assert (jitter.waits, jitter.p50_ms, jitter.p90_ms, jitter.p99_ms, jitter.worst_ms) == (100, 50, 90, 99, 100)
    assert jitter.smallest_clock_ms == 990
    assert jitter_of([0.002]).p50_ms == jitter_of([0.002]).worst_ms == 2.0
    assert jitter_of([-0.1]).smallest_clock_ms == 1  # a clock that goes back is not early


@pytest.mark.parametrize(("limit", "warned"), [(0, False), (1, True), (19, True), (20, False), (1000, False)])
def test_a_limit_that_is_not_sound(limit: int, warned: bool) -> None:
    warning = jitter_of([0.002] * 10).warning(limit)
    assert bool(warning) is warned
    if warned:
        assert f"{limit} ms is not sound" in warning
        assert "the smallest sound limit is 20 ms" in warning


def test_lateness_is_what_is_beyond_the_wait() -> None:
    now = 0.0

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds + 0.004

    jitter = measure_jitter(seconds=0.0, clock=lambda: now, sleep=sleep)
    assert jitter.waits == FEWEST
    assert jitter.p50_ms == jitter.worst_ms == pytest.approx(4.0)
    longer = measure_jitter(seconds=100 * (WAIT_SECONDS + 0.004), clock=lambda: now, sleep=sleep)
    assert 100 <= longer.waits <= 101


def test_this_machine() -> None:
    jitter = measure_jitter(0.05)
    assert jitter.waits >= FEWEST
    assert 0 <= jitter.p50_ms <= jitter.p90_ms <= jitter.p99_ms <= jitter.worst_ms
    assert f"the smallest sound limit is {jitter.smallest_clock_ms} ms" in jitter.words()
