"""What is written down of a game."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.runs import tictactoe
from support.tables import game_plan, play

from ggtp.arena.table.account import Account
from ggtp.arena.table.moment import Moment
from ggtp.tournament.results import Job


def test_times_on_the_wire_never_run_backwards() -> None:
    """What came while we were busy is dated back, perhaps to before the request that it answers."""
    account = Account(None, None)  # nobody is asked
    moment = Moment(Job(game_plan()), began=100.0)
    for at, to_engine, line in (
        (99.9, True, b"start"),
        (100.5, True, b"have_to_play"),
        (100.2, False, b"select_move A1"),
    ):
        account.hear(moment, 1, to_engine, line, at)
    account.hear(moment, 1, True, b"made_move Cross A1", 100.75)
    assert [at for at, *_ in moment.wire] == [0.0, 0.5, 0.5, 0.75]


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
