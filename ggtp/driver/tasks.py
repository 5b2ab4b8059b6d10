"""Work on the side: tasks that are not forgotten, and threads that nobody has to wait for."""

from __future__ import annotations

import asyncio
import errno
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_running: set[asyncio.Task[None]] = set()


def spawn(work: Coroutine[None, None, None]) -> asyncio.Task[None]:
    """Let it run in the background until it is done; asyncio itself keeps only weak references to tasks."""
    task = asyncio.get_running_loop().create_task(work)
    _running.add(task)
    task.add_done_callback(_running.discard)
    return task


async def in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do something slow in a thread of its own.

    Unlike asyncio's own pool, whose threads the program waits for when it ends, it dies with
    the program: loading a rule that never ends must not keep anybody from leaving.

    Raises:
        OSError: the system starts no more threads; besides whatever the work raises.
    """
    loop = asyncio.get_running_loop()
    outcome: asyncio.Future[T] = loop.create_future()

    def deliver(value: T | None, error: BaseException | None) -> None:
        if outcome.done():
            return
        if error is not None:
            outcome.set_exception(error)
        else:
            outcome.set_result(value)  # type: ignore[arg-type]  # without an error there is a value

    def run() -> None:
        value: T | None = None
        error: BaseException | None = None
        try:
            value = work(*args, **kwargs)
        except BaseException as raised:  # noqa: BLE001 - it is raised where the work is waited for
            error = raised
            if isinstance(raised, StopIteration):  # which no future takes
                error = RuntimeError(f"StopIteration: {raised}")
                error.__cause__ = raised
        with suppress(RuntimeError):  # the loop may be closed by now
            loop.call_soon_threadsafe(deliver, value, error)

    thread = threading.Thread(target=run, daemon=True, name=f"work: {getattr(work, '__name__', 'something')}")
    try:
        thread.start()
    except RuntimeError:
        raise OSError(errno.EAGAIN, "No thread can be started: there is no memory, or too many processes") from None
    return await outcome
