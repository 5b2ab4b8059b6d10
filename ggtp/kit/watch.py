"""Somebody who works, and somebody who watches the clock: an answer is there in time, whatever the work does.

The work is done in a process of its own, made from this one by `fork`, so that nothing that it
runs into can keep the watcher from answering: not a call that never returns, not one that holds
the interpreter's lock. Work that lets go of that lock and always returns can be done in a thread,
which is also what is done where the system has no `fork`.

A worker keeps what it likes between requests. One that does not come back is given up, and the
next request begins with a new one.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ggtp.kit.engine import Budget
from ggtp.processes.worker import ProcessWorker, Said, ThreadWorker, Work, Worker

GRACE = 0.004
"""Seconds that a worker has, once its time is over, to say that it has ended."""
LOOKS = 0.02
"""Seconds between two looks at whether the answer is still wanted."""
LAGS = 2
LAG_SHARE = 0.6
"""How many times the lateness that was seen is kept back, and at most what share of the time."""
FIRST_LAG = 0.008
"""The lateness in seconds that is expected before any was seen."""
LAG_FADES = 0.95
"""What is left of it after another answer that was in time."""
LAST_WORDS = 8
"""How many results are listened to after that."""
PATIENCE = 0.25
"""The share of a request's time that a worker has which is still busy with the request before."""
WAITS = 5.0
"""Seconds that it has where a request has all the time in the world."""

POLLS = 0.002
"""Seconds between two questions whether to stop."""


class Watched:
    """Work with a watcher. One request at a time; `ask` may be called in any thread, but not in two at once."""

    def __init__(self, make: Callable[[], Work], *, isolated: bool) -> None:
        """A worker who begins when there is something to do.

        Args:
            make: makes the work; called in the process or thread where it is done, again whenever there is a new one.
            isolated: whether to take a process, where the system can.
        """
        self._make = make
        self._isolated = isolated and sys.platform == "linux"
        self._worker: Worker | None = None
        self._ticket = 0
        self._busy = False
        """Whether the worker has not ended what it was last asked."""
        self.begun = 0
        """How many workers there were."""
        self._lag = FIRST_LAG
        """By how many seconds answers were late lately, since the machine was busy with something else."""

    def begin(self) -> None:
        """Have a worker ready."""
        if self._worker is None:
            self._worker = ProcessWorker(self._make) if self._isolated else ThreadWorker(self._make)
            self._busy = False
            self.begun += 1

    def ask(self, request: Any, budget: Budget, told: Callable[[Any], None] | None = None) -> Any | None:
        """The last result that was told before the work ended or its time was over; None where there was none.

        `told` is called with each of them as it comes.

        Whatever the work does, this returns within a few milliseconds of the budget's deadline; earlier on a machine
        that was seen to be so busy that those who sleep are woken late.
        """
        remaining = budget.remaining()
        if remaining is not None and not budget.request:
            # Once for the way to us, and once for the way back.
            budget.limit(remaining - min(LAGS * self._lag, LAG_SHARE * remaining))
        self._settle(budget)
        self.begin()
        worker = self._worker
        assert worker is not None
        self._ticket += 1
        worker.ask(self._ticket, budget.deadline, request)
        self._busy = True
        result = self._listen(worker, budget, told)
        if self._busy:
            worker.stop()
        if budget.deadline is not None:
            self._lag = max(LAG_FADES * self._lag, budget.late())
        return result

    def end(self) -> None:
        """Have no worker any more."""
        if self._worker is not None:
            self._worker.end()
            self._worker = None

    def _listen(self, worker: Worker, budget: Budget, told: Callable[[Any], None] | None) -> Any | None:
        result = None
        late = 0
        while late < LAST_WORDS and not budget.withdrawn:
            remaining = budget.remaining()
            late += remaining == 0
            wait = LOOKS if remaining is None else min(LOOKS, remaining + GRACE)
            heard = worker.hear(wait)
            if heard is None:
                if remaining == 0:
                    return result
                continue
            kind, ticket, what = heard
            if kind == Said.GONE:
                self.end()
                self._busy = False
                return result
            if ticket != self._ticket:
                continue
            if kind == Said.ENDED:
                self._busy = False
                return result
            result = what
            if told is not None:
                told(what)
        return result

    def _settle(self, budget: Budget) -> None:
        """See that nobody is busy with an old request; who can't let go of it is given up."""
        worker = self._worker
        if worker is None or not self._busy:
            return
        remaining = budget.remaining()
        until = time.monotonic() + (WAITS if remaining is None else PATIENCE * remaining)
        while True:
            left = until - time.monotonic()
            heard = worker.hear(max(0.0, min(LOOKS, left)))
            if heard is not None and heard[0] == Said.ENDED and heard[1] == self._ticket:
                self._busy = False
                return
            if (heard is not None and heard[0] == Said.GONE) or left <= 0 or budget.withdrawn:
                self.end()
                return


@contextmanager
def polled(should_stop: Callable[[], bool], stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` when `should_stop` says so, from another thread: for work in machine code, which can't ask itself.

    It is called again and again until the work is done, since the work may just be beginning something.
    """
    done = threading.Event()

    def poll() -> None:
        while not done.wait(POLLS):
            if should_stop():
                stop()

    poller = threading.Thread(target=poll, name="poller", daemon=True)
    poller.start()
    try:
        yield
    finally:
        done.set()
        poller.join()
