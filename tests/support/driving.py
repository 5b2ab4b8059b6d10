"""A driver with the real catalogue, and engines of the fakes beside the bundled ones."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
from support.network import keyring_of
from support.paths import FAKES

from ggtp.catalogue import Catalogue
from ggtp.driver.driver import Driver
from ggtp.driver.listeners import Listeners
from ggtp.game import Picture
from ggtp.referee.referee import Referee
from ggtp.ui.console.new_driver import OnDemand

SECONDS = 30.0


class Screen:
    """Remembers what is shown, and wakes whoever waits for it."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._changed = asyncio.Event()

    def respond(self, text: str) -> None:
        self._show(text)

    def inform(self, text: str) -> None:
        self._show(f"-> {text}")

    def draw(self, picture: Picture) -> None:
        for line in picture.plain():
            self._show(f"-> {line}")

    def _show(self, line: str) -> None:
        self.lines.append(line)
        self._changed.set()

    async def until(self, start: str) -> str:
        """The first line that starts like this, now or later."""
        try:
            async with asyncio.timeout(SECONDS):
                while not (found := [line for line in self.lines if line.startswith(start)]):
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            raise AssertionError(f"{start!r} never came, but {self.lines}") from None
        return found[0]


class Table:
    """A driver, its screen, and a folder for files and engines."""

    def __init__(self, folder: Path, defaults: dict[str, str]) -> None:
        self.folder = folder
        self.screen = Screen()
        variables = {**os.environ, "GGTP_ENGINES_PATH": str(folder)}
        catalogue = Catalogue.from_environment(variables)
        self.changed = asyncio.Event()
        """Set whenever something may have changed that a front end shows."""
        self.driver = Driver(
            partial(Referee, version="ggtp test", defaults=defaults),
            catalogue,
            self.screen,
            tournaments=lambda inform: OnDemand(catalogue, inform),
            listeners=Listeners(changed=self.changed.set),
            keyring=keyring_of(folder),
        )

    def engine(self, name: str, *arguments: str, transport: str = "tcp") -> None:
        """Describe an engine of the fakes, which misbehaves as the arguments say."""
        words = ["{python}", str(FAKES / "bad_engine.py"), "{endpoint}", *arguments]
        (self.folder / f"{name}.toml").write_text(
            f"name = {name!r}\nargv = {words!r}\ntransport = {transport!r}\n", encoding="utf-8"
        )

    async def say(self, *lines: str) -> str:
        """Say lines and wait for each answer; the last one."""
        answer = ""
        for line in lines:
            answer = await asyncio.wait_for(self.driver.command(line), SECONDS)
        return answer

    async def settled(self) -> None:
        await asyncio.wait_for(self.driver.settled(), SECONDS)


RunTable = Callable[..., list[str]]


@pytest.fixture
def play(tmp_path: Path) -> RunTable:
    """`play(script, **options)` runs `async def script(table)` and answers what was shown; nothing is left running."""

    @asynccontextmanager
    async def table(defaults: dict[str, str]) -> AsyncIterator[Table]:
        result = Table(tmp_path, defaults)
        try:
            yield result
        finally:
            await asyncio.wait_for(result.driver.close(), SECONDS)

    def run(script: Callable[[Table], Awaitable[None]], **defaults: str) -> list[str]:
        async def main() -> list[str]:
            async with table(defaults) as current:
                await script(current)
            left = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            assert not left, left
            return current.screen.lines

        return asyncio.run(main())

    assert sys.executable
    return run
