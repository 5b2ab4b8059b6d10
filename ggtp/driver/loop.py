"""The event loop of everything that drives a referee."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Coroutine, Iterable
from typing import TypeVar

from ggtp.driver.rule_watch import RuleWatch

T = TypeVar("T")


def run_loop(main: Coroutine[None, None, T]) -> T:
    """Like `asyncio.run`, with a loop that stays awake for a moment while a play is lively."""
    runner = asyncio.Runner(loop_factory=new_loop)
    try:
        return runner.run(main)
    finally:
        try:
            runner.close()
        except RuntimeError as error:
            # A thread is started to wait for the loop's own threads; all else has been closed when that fails.
            if "start new thread" not in str(error):
                raise


def new_loop() -> asyncio.AbstractEventLoop:
    """Such a loop; the usual one where the system is another, or where only one process can run at a time."""
    if sys.platform != "linux" or len(os.sched_getaffinity(0)) < 2:
        return asyncio.new_event_loop()
    from ggtp.driver.wakeful import WakefulSelector

    return asyncio.SelectorEventLoop(WakefulSelector())


def cancel_at(
    signals: Iterable[signal.Signals] = (signal.SIGINT, signal.SIGTERM), watch: RuleWatch | None = None
) -> None:
    """Cancel this task at the first of these signals; others are ignored while it ends, which is bounded anyway.

    With a watch, they are heard while a rule computes as well.
    """
    task = asyncio.current_task()
    assert task is not None
    told = False

    def interrupt() -> None:
        nonlocal told
        if not told:
            told = True
            task.cancel()

    if watch is not None:
        watch.heed(dict.fromkeys(signals, interrupt))
        return
    for number in signals:
        asyncio.get_running_loop().add_signal_handler(number, interrupt)
