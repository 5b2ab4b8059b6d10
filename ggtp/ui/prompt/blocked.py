"""The terminal while a rule computes: the loop does not run, so that nothing is drawn and no key is heard.

Messages are written past the prompt. In the mode in which the prompt reads keys, Ctrl-C is a key like others,
which nobody would read now; the terminal is asked to make a signal of it as long as the rule computes.
"""

from __future__ import annotations

import termios
from contextlib import suppress
from typing import Any

from prompt_toolkit import Application
from prompt_toolkit.input.vt100 import Vt100Input

from ggtp.protocol.text import one_line

LOCAL_MODES = 3
"""Where `termios` has the modes of which `ISIG` is one."""


class BlockedScreen:
    """Order of operations: `notice` when the loop is blocked, from another thread, and `resume` in the loop."""

    def __init__(self, app: Application[Any]) -> None:
        self._app = app
        self._prompting = False
        """Whether there was a prompt when the loop was blocked."""
        self._signals = False
        """Whether the terminal makes signals of keys because we have asked for it."""

    def notice(self, text: str) -> None:
        """Show a line below what is there."""
        output = self._app.output
        output.write_raw("\r\n")
        output.erase_down()
        output.write(f"-> {one_line(text)}")
        output.write_raw("\r\n")
        output.flush()
        self._prompting = self._app.is_running
        self._set_signals(True)

    def resume(self) -> None:
        """Leave the line where it is, and draw the prompt below it."""
        if self._signals:
            self._set_signals(False)
        if self._prompting and self._app.is_running:
            self._app.renderer.reset()
            self._app.invalidate()

    def _set_signals(self, on: bool) -> None:
        if not isinstance(self._app.input, Vt100Input):
            return  # no terminal, as in tests
        with suppress(termios.error, OSError, ValueError):
            terminal = self._app.input.fileno()
            modes = termios.tcgetattr(terminal)
            if on == bool(modes[LOCAL_MODES] & termios.ISIG):
                return
            modes[LOCAL_MODES] ^= termios.ISIG
            termios.tcsetattr(terminal, termios.TCSANOW, modes)
            self._signals = on
