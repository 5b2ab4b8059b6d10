"""What a driver has where its front end has no tournaments."""

from __future__ import annotations

import asyncio

import pytest

from ggtp.driver.screen import NoTournaments
from ggtp.errors import CommandError


def test_without_tournaments_their_commands_are_refused() -> None:
    async def main() -> None:
        with pytest.raises(CommandError, match=r"^start_tournament is not available here\.$"):
            await NoTournaments().manage("start_tournament", "x.toml")
        await NoTournaments().close()

    asyncio.run(main())
