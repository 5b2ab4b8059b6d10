"""A referee, a catalogue and a driver put together."""

from __future__ import annotations

import asyncio
import io

import pytest

from ggtp import __version__
from ggtp.errors import OptionError
from ggtp.ui.console.environment import Environment
from ggtp.ui.console.new_driver import new_driver
from ggtp.ui.console.plain import PlainScreen


def transcript(*lines: str, seed: int | None = None, defaults: dict[str, str] | None = None) -> list[str]:
    out = io.StringIO()

    async def main() -> None:
        driver = new_driver(Environment(stdout=out), PlainScreen(out, ascii_only=False), seed=seed, defaults=defaults)
        for line in lines:
            await asyncio.wait_for(driver.command(line), 20.0)
        await driver.close()

    asyncio.run(main())
    return out.getvalue().splitlines()


def test_the_version_is_the_program_s() -> None:
    assert transcript("get_version") == [f"= ggtp {__version__}"]


def test_a_seed_is_an_option_and_decides_the_draws() -> None:
    play = ("set_rule CantStop", "start", "start", "start", "get_option seed")
    assert transcript(*play, seed=5) == transcript(*play, seed=5)
    assert transcript("get_option seed", seed=5) == ["= 5"]
    assert len({tuple(transcript(*play, seed=seed)[:-1]) for seed in range(4)}) > 1


def test_without_a_seed_one_is_chosen_and_told() -> None:
    seeds = {transcript("get_option seed")[0] for _ in range(3)}
    assert len(seeds) == 3
    (told,) = transcript("get_option seed")
    play = ("set_rule CantStop", "start", "get_option seed")
    first = transcript(*play)
    assert transcript(*play, seed=int(first[-1].removeprefix("= "))) == first
    assert told.removeprefix("= ").isdigit()


def test_a_front_end_has_defaults_of_its_own() -> None:
    assert transcript("get_option wait", defaults={"wait": "on"}) == ["= on"]
    with pytest.raises(OptionError):
        transcript(defaults={"wait": "perhaps"})
