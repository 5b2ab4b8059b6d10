"""The terminal while a rule computes, at a pseudo terminal; `tests/process/test_terminal.py` does it in a real one."""

from __future__ import annotations

import asyncio
import os
import pty
import termios
from collections.abc import Iterator

import pytest
from prompt_toolkit import PromptSession
from prompt_toolkit.input.vt100 import Vt100Input
from prompt_toolkit.output import DummyOutput

from ggtp.ui.prompt.blocked import BlockedScreen


class Recorder(DummyOutput):
    """Keeps what was written."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, data: str) -> None:
        self.text += data

    def write_raw(self, data: str) -> None:
        self.text += data


@pytest.fixture(name="terminal")
def make_terminal() -> Iterator[int]:
    ours, theirs = pty.openpty()
    yield theirs
    os.close(ours)
    os.close(theirs)


def signals(terminal: int) -> bool:
    """Whether Ctrl-C makes a signal."""
    return bool(termios.tcgetattr(terminal)[3] & termios.ISIG)


def test_keys_make_signals_while_the_loop_is_blocked(terminal: int) -> None:
    async def script() -> None:
        output = Recorder()
        with os.fdopen(os.dup(terminal)) as stream:
            session: PromptSession[str] = PromptSession(input=Vt100Input(stream), output=output)
            screen = BlockedScreen(session.app)
            with session.app.input.raw_mode():
                assert not signals(terminal)
                screen.notice("The rule computes.")
                assert "\r\n-> The rule computes.\r\n" in output.text
                assert signals(terminal)
                screen.resume()
                assert not signals(terminal)

    asyncio.run(script())


def test_a_terminal_that_makes_signals_anyway_goes_on_so(terminal: int) -> None:
    async def script() -> None:
        with os.fdopen(os.dup(terminal)) as stream:
            session: PromptSession[str] = PromptSession(input=Vt100Input(stream), output=Recorder())
            screen = BlockedScreen(session.app)
            assert signals(terminal)
            screen.notice("The rule computes.")
            screen.resume()
            assert signals(terminal)

    asyncio.run(script())
