"""Tables of real engines, asked for by a supervisor: positions that explain what the engine's player has seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

COUNT = 6


@pytest.fixture(name="referee")
def make_referee(program: Callable[..., Any]) -> Any:
    return program()


@pytest.mark.parametrize("engine", ["ISMCTS", "Determinized"])
def test_a_supervisor_looks_at_every_table_and_sees_them_follow_the_play(referee: Any, engine: str) -> None:
    referee.do("set_option genmove off", "set_rule PhantomTicTacToe", f"set_engine Cross {engine}")
    referee.do(f"set_engine_option Cross Tables {COUNT}", "set_engine_option Cross Playouts 50", "start")
    referee.do("force_play Cross A1", "force_play Circle C3")
    tables = [referee.ask(f"get_table Cross {number}") for number in range(COUNT)]
    assert all("Cross 1 Circle 1 Cross to move" in table and table.startswith("X") for table in tables)
    assert len(set(tables)) > 1
    # What the referee knows, and what the player does, are two more tables.
    assert "O" in referee.ask("get_table").split()[0]
    assert "O" not in referee.ask("get_table Cross").split()[0]
    # A refused try is told to the engine, and every table has Circle's stone there from then on.
    referee.do("force_play Cross C3")
    assert referee.ask("list_played_moves") == "Cross A1, Circle C3"
    for number in range(COUNT):
        assert "C3" not in referee.ask(f"list_possible_moves Cross {number}")
        assert "Cross found C3" in referee.ask(f"get_table Cross {number}")
        assert referee.ask(f"get_result Cross {number}") == "none"
    assert referee.say(f"get_table Cross {COUNT}").answer == f"? No table {COUNT} for player Cross."


def test_tables_go_back_and_forth_with_the_play(referee: Any) -> None:
    referee.do("set_option genmove off", "set_rule LeducPoker", "set_engine Ann ISMCTS", "start")
    before = [referee.ask(f"get_table Ann {number}") for number in range(4)]
    referee.do("force_play Ann check", "force_play Bob bet")
    after = [referee.ask(f"get_table Ann {number}") for number in range(4)]
    assert all("bet" in table or table != old for table, old in zip(after, before, strict=True))
    referee.do("undo", "undo")
    assert [referee.ask(f"get_table Ann {number}") for number in range(4)] == before
