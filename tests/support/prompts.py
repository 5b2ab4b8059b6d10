"""A prompt whose keyboard is a pipe and whose screen is a list."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.input.base import PipeInput
from prompt_toolkit.output import DummyOutput

from ggtp.driver.tasks import spawn
from ggtp.game import Picture
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.prompt.prompt import Prompt

DEADLINE = 30.0


class Screen:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.pictures: list[list[str]] = []

    def respond(self, text: str) -> None:
        self.lines.append(text)

    def inform(self, text: str) -> None:
        self.lines.append(f"-> {text}")

    def draw(self, picture: Picture) -> None:
        self.pictures.append(picture.plain())

    def note(self, text: str) -> None:
        self.lines.append(f"# {text}")


async def until(condition: Callable[[], object], what: str = "") -> None:
    """Let the loop run until the condition holds."""
    try:
        async with asyncio.timeout(DEADLINE):
            while not condition():  # noqa: ASYNC110  # whatever is waited for, nobody says when it is there
                await asyncio.sleep(0.005)
    except TimeoutError:
        pytest.fail(f"it did not come to pass: {what}")


class Seat:
    """A person at a prompt."""

    def __init__(self, prompt: Prompt, screen: Screen, keyboard: PipeInput) -> None:
        self.prompt = prompt
        self.screen = screen
        self._keyboard = keyboard
        self._heard = 0
        self.ended: ExitStatus | None = None

    @property
    def line(self) -> str:
        """What is on the line now."""
        return self.prompt._session.default_buffer.text

    @property
    def menu(self) -> list[str]:
        """What the menu of suggestions offers."""
        state = self.prompt._session.default_buffer.complete_state
        return [completion.display_text for completion in state.completions] if state else []

    def keys(self, text: str) -> None:
        self._keyboard.send_text(text)

    async def hear(self, text: str) -> None:
        """Wait for a line that contains the text, behind those heard before."""
        lines = self.screen.lines
        await until(lambda: any(text in line for line in lines[self._heard :]), f"{text} in {lines}")
        self._heard += 1 + next(index for index, line in enumerate(lines[self._heard :]) if text in line)

    async def say(self, line: str, answer: str = "= Done") -> None:
        """Type a line and wait for the answer."""
        self.keys(f"{line}\r")
        await self.hear(answer)

    async def over(self) -> ExitStatus:
        await until(lambda: self.ended is not None, "the end")
        assert self.ended is not None
        return self.ended


@asynccontextmanager
async def seat(folder: Path, load: str = "") -> AsyncIterator[Seat]:
    """Somebody at a prompt; it is left at the end, if it was not before."""
    env = Environment(variables={**os.environ, "XDG_STATE_HOME": str(folder), "HOME": str(folder)})
    screen = Screen()
    with create_pipe_input() as keyboard, create_app_session(input=keyboard, output=DummyOutput()):
        prompt = Prompt(env, screen, seed=1)
        person = Seat(prompt, screen, keyboard)

        async def run() -> None:
            person.ended = await prompt.run(load)

        task = spawn(run())
        await until(lambda: prompt._session.app.is_running or task.done(), "a prompt")
        try:
            yield person
        finally:
            if not task.done():
                prompt._end(ExitStatus.DONE)
            async with asyncio.timeout(DEADLINE):
                await task
