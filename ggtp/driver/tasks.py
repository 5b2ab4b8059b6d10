"""Tasks that are not forgotten: asyncio itself keeps only weak references to them."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine

_running: set[asyncio.Task[None]] = set()


def spawn(work: Coroutine[None, None, None]) -> asyncio.Task[None]:
    """Let it run in the background until it is done."""
    task = asyncio.get_running_loop().create_task(work)
    _running.add(task)
    task.add_done_callback(_running.discard)
    return task
