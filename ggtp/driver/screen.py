"""What a driver and its front ends have to know of each other."""

from __future__ import annotations

from typing import Protocol

from ggtp.errors import CommandError
from ggtp.game import Picture


class Screen(Protocol):
    """Where a front end shows what the referee says."""

    def respond(self, text: str) -> None:
        """A closing line: `= ...` or `? ...`."""

    def inform(self, text: str) -> None:
        """The text of a `->` line."""

    def draw(self, picture: Picture) -> None:
        """A picture of the table."""


class Tournaments(Protocol):
    """Tournaments that a supervisor runs beside the table."""

    async def manage(self, command: str, words: str) -> list[str]:
        """Do what a command asks; lines to show, the last of which is the answer.

        Raises:
            GgtpError, OSError: it can't be done; nothing has changed.
        """

    def interrupt(self) -> None:
        """Give up what a command waits for; a tournament that runs goes on."""

    async def close(self) -> None:
        """Stop the tournament that runs, if any."""


class NoTournaments:
    """For drivers whose referee has no supervisor who would want one."""

    async def manage(self, command: str, words: str) -> list[str]:
        """Refuse.

        Raises:
            CommandError: always.
        """
        raise CommandError(f"{command} is not available here.")

    def interrupt(self) -> None:
        """There is nothing to wait for."""

    async def close(self) -> None:
        """Nothing runs."""
