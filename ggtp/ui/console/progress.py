"""What a long job is doing now: one line that is written over at a terminal, a line now and then in a log."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TextIO

from ggtp.protocol.text import one_line
from ggtp.ui.console.output import say

AT_TERMINAL = 0.05
"""Seconds between two changes of the line: more often can't be read."""
IN_LOG = 5.0
"""Seconds between two lines in a log, and before the first: short jobs leave none."""
WIDTH = 78
"""What fits on a line of any terminal; a longer one would not be written over."""


class Progress:
    """Order of operations: `say` as often as wanted, then `clear`."""

    def __init__(self, out: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._out = out
        self._clock = clock
        self._terminal = out.isatty()
        self._due = clock() + (0 if self._terminal else IN_LOG)

    def say(self, text: str) -> None:
        """Show the text, unless something was shown a moment ago."""
        now = self._clock()
        if now < self._due:
            return
        if self._terminal:
            self._due = now + AT_TERMINAL
            self._out.write(f"\r{one_line(text)[:WIDTH]:<{WIDTH}}")
            self._out.flush()
        else:
            self._due = now + IN_LOG
            say(self._out, text)

    def tell(self, text: str) -> None:
        """Leave a line there that is not written over."""
        self.clear()
        say(self._out, text)

    def clear(self) -> None:
        """Take the line away."""
        if self._terminal:
            self._out.write(f"\r{'':<{WIDTH}}\r")
            self._out.flush()
