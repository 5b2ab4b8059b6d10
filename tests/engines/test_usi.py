"""USI with a real program: Fairy-Stockfish at Shogi."""

from __future__ import annotations

import pytest
from support.programs import match, need_program, script

pytestmark = pytest.mark.process

pytest.importorskip("pyspiel")


def test_shogi_against_an_engine_of_ours() -> None:
    need_program("fairy-stockfish")
    played = match("A=usi:fairy-stockfish:nodes=300", "Random", "--rule", "openspiel/shogi", "--games", "2")
    assert played == {"A": (2, 0, 0, 0), "Random": (0, 0, 2, 0)}


def test_time_for_a_move_and_a_bank() -> None:
    need_program("fairy-stockfish")
    lines = script(
        "set_rule openspiel/shogi",
        "set_option time_move 200",
        "set_option time_margin 20000",
        "set_engine Black usi:fairy-stockfish",
        "set_option wait on",
        "start",
        "list_faults",
        "get_engine_option Black last_search",
        "set_option time_move 0",
        "set_option time_bank 2000",
        "start",
        "list_faults",
    )
    assert sum(line.startswith("-> Black plays ") for line in lines) == 2
    assert any(line.startswith("= value=") and "line=" in line for line in lines)
    assert lines[-1] == "= 0"


def test_chess_is_not_spoken_of_in_it() -> None:
    need_program("fairy-stockfish")
    lines = script("set_rule Chess", "set_engine White usi:fairy-stockfish")
    assert lines[-1].startswith("? Engine usi:fairy-stockfish can't play Chess: try ")
