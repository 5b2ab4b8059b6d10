"""Games begin where the plan says, or where they were interrupted."""

from __future__ import annotations

from pathlib import Path

from support.runs import tictactoe
from support.tables import game_plan, play

from ggtp.driver.game_moment import Job


def test_a_game_goes_on_from_its_moves(tmp_path: Path) -> None:
    ((played, _),) = play(tictactoe(tmp_path), Job(game_plan(), 1, ("Cross C3", "Circle B2")))
    assert played.moves[:4] == ("Cross C3", "Circle B2", "Cross A1", "Circle B1")


def test_a_game_goes_on_with_what_was_left_in_the_banks(tmp_path: Path) -> None:
    plan = tictactoe(tmp_path, "--fault", "hang", time={"bank": 600_000, "margin": 0})
    banks = {"Cross": 500.0, "Circle": 0.001}
    ((played, _),) = play(plan, Job(game_plan(), 1, ("Cross C3",), banks))  # it would take ten minutes otherwise
    assert [(fault.seat, fault.fault) for fault in played.faults][:1] in ([("Circle", "late")], [("Circle", "machine")])


def test_start_positions_are_played_first(tmp_path: Path) -> None:
    rule = {"rule": "TicTacToe", "start": [{"moves": ["Cross B2", "circle c3"]}]}
    ((played, _),) = play(tictactoe(tmp_path, rule=[rule]))
    assert played.moves[:3] == ("Cross B2", "Circle C3", "Cross A1")
