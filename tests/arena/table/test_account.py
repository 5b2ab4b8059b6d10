"""What is written down of a game."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.runs import tictactoe
from support.tables import game_plan, play

from ggtp.tournament.results import Job


@pytest.mark.process
def test_mirrored_games_have_the_same_pattern(tmp_path: Path) -> None:
    jobs = [
        Job(game_plan(), 1, (f"Cross {first}", f"Circle {second}")) for first, second in (("A1", "C3"), ("C1", "A3"))
    ]
    plan = tictactoe(tmp_path, adjudicate={"length": 2})
    (one, _), (other, _) = play(plan, *jobs)
    assert one.moves != other.moves
    assert one.pattern == other.pattern != ""
    ((third, _),) = play(plan, Job(game_plan(), 1, ("Cross B1", "Circle C3")))
    assert third.pattern != one.pattern
