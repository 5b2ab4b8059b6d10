"""Games at one table: a game always ends in a result."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest
from support.runs import plan_of, tictactoe
from support.tables import SEATS, game_plan, play

from ggtp.arena.table.table import GameTable
from ggtp.catalogue import Catalogue
from ggtp.tournament.results import GamePlan, Job

pytestmark = pytest.mark.process


def test_a_game_between_good_engines(tmp_path: Path) -> None:
    ((played, case),) = play(tictactoe(tmp_path))
    assert played.moves[:3] == ("Cross A1", "Circle B1", "Cross C1")
    assert (played.end, case, played.faults) == ("rules", "", ())
    assert played.scores == {"Cross": 1.0, "Circle": 0.0}
    assert played.standings == {"Cross": "win", "Circle": "loss"}
    assert set(played.thinking) == {"Cross", "Circle"}
    assert played.seconds > 0


def test_engines_stay_and_seeds_decide(tmp_path: Path) -> None:
    plan = plan_of(
        {"player": [{"engine": "Random"}, {"name": "B", "engine": "Random"}], "rule": [{"rule": "TicTacToe"}]}
    )
    seats = {"Cross": "Random", "Circle": "B"}
    first, second, again = play(plan, *(Job(game_plan(1, seed, seats)) for seed in (1, 2, 1)), seats=seats)
    assert first[0].moves == again[0].moves
    assert first[0].moves != second[0].moves


def test_what_moves_were_not_told_yet(tmp_path: Path) -> None:
    plan = tictactoe(tmp_path)

    async def script() -> None:
        table = GameTable(plan, 0, SEATS, Catalogue.from_environment(os.environ), None)
        assert table.fresh_moves() is None
        await table.play(Job(game_plan()))
        assert table.engines == 2
        await table.close()
        assert table.engines == 0

    asyncio.run(script())


def test_engines_have_other_seeds_in_another_seating() -> None:
    plan = plan_of(
        {"player": [{"engine": "Random"}, {"name": "B", "engine": "Random"}], "rule": [{"rule": "TicTacToe"}]}
    )
    found = set()
    for index, seats in enumerate(({"Cross": "Random", "Circle": "B"}, {"Cross": "B", "Circle": "Random"})):
        jobs = [Job(GamePlan(block, index, 1, 0, 0, 100 + block, seats)) for block in range(3)]
        found.add(tuple(played.moves for played, _ in play(plan, *jobs, seats=seats)))
    assert len(found) == 2
