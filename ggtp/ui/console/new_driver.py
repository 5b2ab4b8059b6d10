"""Puts a referee, a catalogue and a driver together for a front end."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from ggtp import __version__
from ggtp.catalogue import Catalogue
from ggtp.catalogue.compile.compiler import Compiler
from ggtp.driver.driver import Driver
from ggtp.driver.listeners import Listeners
from ggtp.driver.screen import Screen
from ggtp.referee.referee import Referee
from ggtp.ui.console.arguments import chosen_key
from ggtp.ui.console.environment import Environment

if TYPE_CHECKING:
    from ggtp.arena.beside_prompt import Steward
    from ggtp.driver.remote.admission import Keyring


def new_driver(
    env: Environment,
    screen: Screen,
    *,
    seed: int | None = None,
    defaults: dict[str, str] | None = None,
    catalogue: Catalogue | None = None,
    listeners: Listeners = Listeners(),  # noqa: B008 - it never changes
    keyring: Keyring | None = None,
) -> Driver:
    """A referee at an empty table. Without a seed, a random key is chosen; option `seed` tells which."""
    options = {"seed": str(chosen_key(seed)), **(defaults or {})}
    found = catalogue or Catalogue.from_environment(env.variables)
    return Driver(
        partial(Referee, version=f"ggtp {__version__}", defaults=options),
        found,
        screen,
        compiler=Compiler.from_environment(env.variables),
        tournaments=partial(OnDemand, found),
        listeners=listeners,
        keyring=keyring,
    )


class OnDemand:
    """Tournaments beside the table. What runs them takes a while to import, and most supervisors never have one."""

    def __init__(self, catalogue: Catalogue, inform: Callable[[str], None]) -> None:
        self._catalogue = catalogue
        self._inform = inform
        self._steward: Steward | None = None

    async def manage(self, command: str, words: str) -> list[str]:
        """Do what a command asks; see `ggtp.driver.screen.Tournaments`."""
        if self._steward is None:
            from ggtp.arena.beside_prompt import Steward

            self._steward = Steward(self._catalogue, self._inform)
        return await self._steward.manage(command, words)

    def interrupt(self) -> None:
        """Give up what a command waits for."""
        if self._steward is not None:
            self._steward.interrupt()

    async def close(self) -> None:
        """Stop the tournament that runs, if any."""
        if self._steward is not None:
            await self._steward.close()
