"""Background tasks are kept until they are done."""

from __future__ import annotations

import asyncio
import gc
import threading

import pytest

from ggtp.driver import tasks
from ggtp.driver.tasks import in_thread, spawn


def test_a_task_survives_though_nobody_holds_it() -> None:
    done = []

    async def work(gate: asyncio.Future[None]) -> None:
        await gate
        done.append("work")

    async def main() -> None:
        gate: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        ended = asyncio.Event()
        spawn(work(gate)).add_done_callback(lambda task: ended.set())
        await asyncio.sleep(0)
        gc.collect()
        assert len(tasks._running) == 1
        gate.set_result(None)
        await ended.wait()
        assert not tasks._running

    asyncio.run(main())
    assert done == ["work"]


def test_a_task_that_fails_is_forgotten_too() -> None:
    async def work() -> None:
        raise ValueError("on purpose")

    async def main() -> BaseException | None:
        task = spawn(work())
        await asyncio.wait([task])
        await asyncio.sleep(0)
        assert not tasks._running
        return task.exception()

    assert isinstance(asyncio.run(main()), ValueError)


def test_a_stop_iteration_of_a_guest_is_raised_like_any_other_error() -> None:
    def work() -> None:
        next(iter(()))

    with pytest.raises(RuntimeError, match="StopIteration"):
        asyncio.run(asyncio.wait_for(in_thread(work), 30))


def test_where_no_thread_can_be_started_the_system_is_to_blame(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    with pytest.raises(OSError, match="No thread can be started"):
        asyncio.run(in_thread(len, "abc"))
