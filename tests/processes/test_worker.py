"""Workers: in a thread and in a process they are asked, tell, stop and end alike; see the tests of `kit.watch`, too."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from support.programs import living

from ggtp.processes.worker import ProcessWorker, Said, ThreadWorker, Work, Worker

pytestmark = pytest.mark.process

SECONDS = 60.0
"""Only for a test that fails."""
KINDS = [ThreadWorker, ProcessWorker]
Make = Callable[[Callable[[], Work]], Worker]


def doubling() -> Work:
    """Tells the double of what it is asked; for 0, works until it is stopped; for -1, fails."""

    def work(request: Any, should_stop: Callable[[], bool], publish: Callable[[Any], None]) -> None:
        if request == -1:
            raise SystemExit(1) if os.getpid() != parent else ValueError("asked for")
        publish(2 * request)
        while request == 0 and not should_stop():
            pass

    return work


parent = os.getpid()


@pytest.mark.parametrize("kind", KINDS)
def test_requests_in_and_results_out(kind: Make) -> None:
    worker = kind(doubling)
    try:
        for ticket, request in ((1, 4), (2, 5), (300, 6)):
            worker.ask(ticket, None, request)
            assert worker.hear(SECONDS) == (Said.TOLD, ticket, 2 * request)
            assert worker.hear(SECONDS) == (Said.ENDED, ticket, None)
        assert worker.hear(0.0) is None
    finally:
        worker.end()


@pytest.mark.parametrize("kind", KINDS)
def test_work_that_asks_is_stopped(kind: Make) -> None:
    worker = kind(doubling)
    try:
        worker.ask(1, None, 0)
        assert worker.hear(SECONDS) == (Said.TOLD, 1, 0)
        worker.stop()
        assert worker.hear(SECONDS) == (Said.ENDED, 1, None)
    finally:
        worker.end()


@pytest.mark.parametrize("kind", KINDS)
def test_work_that_fails_is_gone(kind: Make, capfd: pytest.CaptureFixture[str]) -> None:
    worker = kind(doubling)
    worker.ask(1, None, -1)
    assert worker.hear(SECONDS) == (Said.GONE, 0, None)
    worker.end()
    assert "Traceback" in capfd.readouterr().err


def test_a_large_request_and_result_come_whole() -> None:
    worker = ProcessWorker(doubling)
    worker.ask(1, None, "x" * 1_000_000)
    found = None
    while found is None:
        found = worker.hear(SECONDS)
    assert found == (Said.TOLD, 1, "x" * 2_000_000)
    worker.end()


def test_a_process_is_gone_after_its_end() -> None:
    worker = ProcessWorker(doubling)
    worker.ask(1, None, 0)
    assert worker.hear(SECONDS) == (Said.TOLD, 1, 0)
    pid = worker.pid
    worker.end()
    worker.end()
    with suppress(ChildProcessError):  # it was reaped already
        os.waitpid(pid, 0)
    assert not living(pid)
