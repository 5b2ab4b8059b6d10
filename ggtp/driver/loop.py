"""The event loop of everything that drives a referee."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def run_loop(main: Coroutine[Any, Any, T]) -> T:
    """Like `asyncio.run`, with a loop that stays awake for a moment while a play is lively."""
    with asyncio.Runner(loop_factory=new_loop) as runner:
        return runner.run(main)


def new_loop() -> asyncio.AbstractEventLoop:
    """Such a loop; the usual one where the system is another, or where only one process can run at a time."""
    if sys.platform != "linux" or len(os.sched_getaffinity(0)) < 2:
        return asyncio.new_event_loop()
    from ggtp.driver.wakeful import WakefulSelector

    return asyncio.SelectorEventLoop(WakefulSelector())
