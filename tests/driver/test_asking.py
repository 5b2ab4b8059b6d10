"""What a front end asks of the driver beside the commands: quiet questions, and interruptions."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest

from ggtp.catalogue import Catalogue
from ggtp.driver.driver import Driver
from ggtp.driver.requests import Errands
from ggtp.game import Picture
from ggtp.referee.effects import AnyWish
from ggtp.referee.referee import Referee


class Screen:
    def __init__(self) -> None:
        self.lines: list[str] = []

    def respond(self, text: str) -> None:
        self.lines.append(text)

    def inform(self, text: str) -> None:
        self.lines.append(text)

    def draw(self, picture: Picture) -> None:
        self.lines += picture.plain()


def run(work: Callable[[Driver, Screen], Awaitable[None]]) -> None:
    async def main() -> None:
        screen = Screen()
        referee = partial(Referee, version="test")
        driver = Driver(referee, Catalogue.from_environment({}), screen)
        try:
            async with asyncio.timeout(60):
                await work(driver, screen)
        finally:
            await driver.close()

    asyncio.run(main())


@pytest.mark.process
def test_a_quiet_question_shows_nothing() -> None:
    async def work(driver: Driver, screen: Screen) -> None:
        await driver.command("set_rule TicTacToe")
        await driver.command("set_engine Circle Minimax")
        shown = list(screen.lines)
        assert await driver.ask_engine("Circle", "list_option_choices", "Depth") == "0..64"
        assert await driver.ask_engine("Circle", "list_option_choices", "Nonsense") is None
        assert await driver.ask_engine("Cross", "list_options") is None
        assert screen.lines == shown
        assert await driver.command("list_engine_option_choices Circle Depth") == "= 0..64"

    run(work)


@pytest.mark.process
def test_an_engine_that_goes_away_answers_nothing() -> None:
    async def work(driver: Driver, screen: Screen) -> None:
        await driver.command("set_rule TicTacToe")
        await driver.command("set_engine Circle Random")
        question = asyncio.ensure_future(driver.ask_engine("Circle", "list_options"))
        await asyncio.sleep(0)
        await driver.command("set_engine Circle human")
        assert await question is None

    run(work)


def test_a_rule_that_never_loads_can_be_given_up(tmp_path: Path) -> None:
    stuck = tmp_path / "stuck.py"
    stuck.write_text(
        f"import pathlib, time\nwhile not pathlib.Path({str(tmp_path / 'go')!r}).exists():\n    time.sleep(0.01)\n"
    )

    async def work(driver: Driver, screen: Screen) -> None:
        driver.interrupt()  # nothing is going on: nothing happens
        command = asyncio.ensure_future(driver.command(f"set_rule {stuck}"))
        await asyncio.sleep(0)
        driver.interrupt()
        assert await command == "? Interrupted."
        assert await driver.command("get_rule") == "= none"
        (tmp_path / "go").touch()

    run(work)


@pytest.mark.process
def test_an_engine_that_is_being_started_can_be_given_up() -> None:
    async def work(driver: Driver, screen: Screen) -> None:
        await driver.command("set_rule TicTacToe")
        command = asyncio.ensure_future(driver.command("set_engine Circle Minimax"))
        while not driver._links:  # noqa: ASYNC110  # the driver does not say when it starts one
            await asyncio.sleep(0)
        driver.interrupt()
        assert await command == "? Interrupted."
        assert await driver.command("get_engine Circle") == "= human"
        assert not driver._links

    run(work)


def test_a_long_play_file_can_be_given_up_and_others_are_heard_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "long.ggtp"
    path.write_text("set_rule TicTacToe\nstart\n" + "play Cross B2\nundo\n" * 50_000)

    async def work(driver: Driver, screen: Screen) -> None:
        command = asyncio.ensure_future(driver.command(f"load_file {path}"))
        while "Pause" not in {type(wish).__name__ for wish in asked}:  # noqa: ASYNC110  # nobody says when it begins
            await asyncio.sleep(0)
        driver.interrupt()
        assert await command == "? Interrupted."
        assert await driver.command("get_rule") == "= none"

    asked: list[object] = []
    request = Errands.request

    def noting(errands: Errands, ticket: int, wish: AnyWish) -> None:
        asked.append(wish)
        request(errands, ticket, wish)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Errands, "request", noting)
        run(work)
    assert len(asked) < 1000, "far from its end"
