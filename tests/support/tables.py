"""Games at one table, without a tournament around it."""

from __future__ import annotations

import asyncio
import os

from ggtp.arena.lateness import punctual_loop
from ggtp.arena.table.table import GameTable
from ggtp.catalogue import Catalogue
from ggtp.tournament.plan.plan import Plan
from ggtp.tournament.results import Game, GamePlan, Job

SEATS = {"Cross": "Good", "Circle": "Bad"}


def play(plan: Plan, *jobs: Job, seats: dict[str, str] | None = None) -> list[tuple[Game, str]]:
    """Play jobs one after the other at one table."""

    async def script() -> list[tuple[Game, str]]:
        table = GameTable(plan, 0, seats or SEATS, Catalogue.from_environment(os.environ), punctual)
        try:
            played = [await table.play(job) for job in jobs or [Job(game_plan(seats=seats))]]
            return [(each.game, each.case) for each in played]
        finally:
            await table.close()

    loop, punctual = punctual_loop()
    try:
        return loop.run_until_complete(script())
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        asyncio.set_event_loop(None)
        loop.close()


def game_plan(block: int = 1, seed: int = 5, seats: dict[str, str] | None = None) -> GamePlan:
    return GamePlan(block, 0, 1, 0, 0, seed, seats or SEATS)
