"""What a driver tells those who run it: changes, lines, requests for a move, and engines that fail."""

from __future__ import annotations

import asyncio
import os
from functools import partial
from pathlib import Path

import pytest
from support.driving import Screen
from support.runs import engine

from ggtp.catalogue import Catalogue
from ggtp.driver.driver import Driver
from ggtp.driver.listeners import Listeners
from ggtp.referee.faults import Fault
from ggtp.referee.referee import Referee

pytestmark = pytest.mark.process


def test_listeners_hear_what_happens_to_an_engine(tmp_path: Path) -> None:
    changed: list[str] = []
    lines: list[tuple[int, bool, bytes]] = []
    asked: list[int] = []
    failing: list[tuple[int, int | None]] = []

    async def main() -> None:
        listeners = Listeners(
            changed=lambda: changed.append(driver.view.status(0.0).phase),
            wire=lambda link, to_engine, line, _at: lines.append((link, to_engine, line)),
            failing=lambda link: failing.append((link, driver.engine_process(link))),
            asked=asked.append,
        )
        referee = partial(Referee, version="ggtp test")
        screen = Screen()
        driver = Driver(referee, Catalogue.from_environment(os.environ), screen, listeners=listeners)
        try:
            async with asyncio.timeout(60):
                for line in ("set_rule TicTacToe", "set_engine Circle Random", "start", "play Cross A1"):
                    assert (await driver.command(line)).startswith("= ")
                await driver.settled()
                process = driver.engine_process(1)
                assert process is not None
                os.kill(process, 9)
                await screen.until("-> Fault")
                assert failing == [(1, process)]
        finally:
            await driver.close()

    asyncio.run(main())
    assert (changed[0], changed[-1]) == ("empty", "playing")
    assert asked == [1]
    assert lines[0] == (1, True, b"connect_engine")
    assert (1, True, b"made_move Cross A1") in lines
    assert any(link == 1 and not to_engine and line.startswith(b"select_move") for link, to_engine, line in lines)


def test_delays_of_our_own_are_not_charged() -> None:
    async def main() -> None:
        referee = partial(Referee, version="ggtp test")
        late = [0.0]
        listeners = Listeners(lateness=lambda: late[0])
        driver = Driver(referee, Catalogue.from_environment(os.environ), Screen(), listeners=listeners)
        try:
            async with asyncio.timeout(60):
                for line in ("set_rule TicTacToe", "set_engine Circle Random", "start"):
                    assert (await driver.command(line)).startswith("= ")
                late[0] = 1000.0
                await driver.command("play Cross A1")
                await driver.settled()
            assert driver.view.thought == {"Circle": 0.0}
        finally:
            await driver.close()

    asyncio.run(main())


def test_a_move_is_put_off_while_the_engine_waits_for_a_processor(tmp_path: Path) -> None:
    """It is asked how long the engine has waited when the move is late, until the rest of its time is over."""
    asked: list[int] = []

    def waited(link: int) -> float:
        asked.append(link)
        return 0.1 * min(len(asked), 4)

    async def main() -> Fault:
        listeners = Listeners(waited=waited)
        referee = partial(Referee, version="ggtp test")
        driver = Driver(referee, Catalogue.from_environment(os.environ), Screen(), listeners=listeners)
        try:
            async with asyncio.timeout(60):
                bad = engine(tmp_path, "hangs", "--fault", "hang")
                for line in ("set_rule TicTacToe", f"set_engine Circle {bad}", "start", "set_option time_margin 0"):
                    assert (await driver.command(line)).startswith("= ")
                await driver.command("set_option time_move 100")
                await driver.command("play Cross A1")
                await driver.settled()
                (fault,) = driver.referee.take_faults()
                return fault
        finally:
            await driver.close()

    fault = asyncio.run(main())
    assert set(asked) == {1}
    assert len(asked) >= 5  # the last time nothing has come to what was known
    assert fault.time is not None
    assert (fault.fault, fault.time.blame, fault.time.waited) == ("late", "late", 0.4)
    assert fault.time.elapsed >= 0.5
