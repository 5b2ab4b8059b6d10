"""Threads that the program does not wait for when it ends.

A rule is imported in a thread. One that never comes back from its import must not keep the
program from leaving, and Python waits for the threads of an ordinary executor.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class DaemonExecutor(ThreadPoolExecutor):
    """Runs each piece of work in a thread of its own, which dies with the program."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Begin the work now."""
        future: Future[T] = Future()

        def work() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                result = fn(*args, **kwargs)
            except BaseException as error:  # noqa: BLE001  # whatever it is, it belongs to who waits for the work
                future.set_exception(error)
            else:
                future.set_result(result)

        threading.Thread(target=work, daemon=True, name="work").start()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Nothing is waited for."""
        super().shutdown(wait=False, cancel_futures=cancel_futures)

    def map(self, *args: Any, **kwargs: Any) -> Any:
        """Not offered: only `submit` is used by an event loop."""
        raise NotImplementedError
