"""Says what a command waits for, if it waits for long: the other end of a pipe, say."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from ggtp.ui.console.output import complain

SECONDS = 3.0
"""How long nothing is said."""


@contextmanager
def waiting(out: TextIO, what: str, seconds: float = SECONDS) -> Iterator[None]:
    """Say what is waited for if that takes longer than some seconds."""
    timer = threading.Timer(seconds, complain, (out, f"waiting for {what}"))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
