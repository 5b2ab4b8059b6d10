"""Work in a thread of its own that nobody waits for when time is over."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

LOOK = 0.02
"""Seconds between two looks at whether somebody wants it to stop."""


def wait_for(event: threading.Event, seconds: float | None, should_stop: Callable[[], bool] = lambda: False) -> bool:
    """Wait for something until so many seconds are over, or somebody says stop; whether it has happened.

    Args:
        event: what to wait for.
        seconds: how long at most; None for as long as it takes.
        should_stop: is asked now and then.
    """
    end = None if seconds is None else time.monotonic() + seconds
    while True:
        left = LOOK if end is None else min(LOOK, end - time.monotonic())
        if event.wait(max(0.0, left)) or left <= 0 or should_stop():
            return event.is_set()


class Watch:
    """Runs one piece of work at a time. Work must see by itself that time is over, sooner or later."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._failed: BaseException | None = None

    def over(self, deadline: float | None) -> bool:
        """Wait for the work before, until a moment on the clock `time.monotonic`; whether it is over."""
        return self._wait(deadline, lambda: False)

    def run(self, work: Callable[[], None], deadline: float | None, should_stop: Callable[[], bool]) -> bool:
        """Begin work, and wait until it is over, the deadline, or it is told to stop; whether it is over.

        Raises:
            BaseException: what the work has raised.
        """

        def watched() -> None:
            try:
                work()
            except BaseException as error:  # noqa: BLE001  told to whoever waits
                self._failed = error

        self._failed = None
        self._thread = threading.Thread(target=watched, name="search", daemon=True)
        self._thread.start()
        over = self._wait(deadline, should_stop)
        if self._failed is not None:
            raise self._failed
        return over

    def _wait(self, deadline: float | None, should_stop: Callable[[], bool]) -> bool:
        thread = self._thread
        while thread is not None and thread.is_alive():
            left = LOOK if deadline is None else min(LOOK, deadline - time.monotonic())
            if left <= 0:
                return False
            thread.join(left)
            if thread.is_alive() and should_stop() and deadline is None:
                thread.join(LOOK)
                return not thread.is_alive()
        return True
