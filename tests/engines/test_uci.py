"""UCI with real programs: Stockfish, Fairy-Stockfish and GNU Chess at Chess, and Xiangqi."""

from __future__ import annotations

import pytest
from support.programs import match, need_program, script

pytestmark = pytest.mark.process

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"


@pytest.mark.parametrize("command", ["stockfish", "fairy-stockfish", "gnuchess --uci"])
def test_a_mate_in_one_is_found(command: str) -> None:
    need_program(command.split()[0])
    lines = script(
        "set_rule Chess",
        f"set_rule_option fen {MATE_IN_ONE}",
        f'set_engine White uci:"{command}"',
        "set_engine_option White depth 3",
        "set_option wait on",
        "start",
        "get_result",
        "get_engine_option White last_search",
        "list_faults",
    )
    assert "-> White plays a1a8" in lines
    assert "= White=win 100, Black=loss 0" in lines
    (report,) = [line for line in lines if line.startswith("= value=")]
    assert "line=a1a8" in report
    assert lines[-1] == "= 0"


def test_stockfish_takes_part_in_undo_options_and_a_second_game() -> None:
    need_program("stockfish")
    lines = script(
        "set_rule Chess",
        "set_engine Black uci:stockfish",
        "list_engine_options Black",
        "list_engine_option_choices Black Skill_Level",
        "set_engine_option Black Skill_Level 21",
        "set_engine_option Black Skill_Level 3",
        "set_engine_option Black Clear_Hash press",
        "set_engine_option Black nodes 200",
        "set_option wait on",
        "start",
        "play White e2e4",
        "undo",
        "undo",
        "redo",
        "redo",
        "play White a2a3",
        "list_played_moves",
        "start",
        "play White d2d4",
        "list_played_moves",
        "list_faults",
    )
    assert lines[-1] == "= 0"
    (options,) = [line for line in lines if "UCI_LimitStrength" in line]
    assert options.startswith("= Debug_Log_File, Hash, Clear_Hash, ")
    assert "= 0..20" in lines
    assert "? No value 21 for option Skill_Level of engine uci:stockfish." in lines
    assert sum(line.startswith("-> Black plays ") for line in lines) >= 3


def test_whole_games_against_an_engine_of_ours() -> None:
    need_program("stockfish")
    played = match("uci:stockfish:nodes=300", "Random", "--rule", "Chess", "--games", "2")
    assert played == {"uci:stockfish:nodes=300": (2, 0, 0, 0), "Random": (0, 0, 2, 0)}


def test_two_programs_with_clocks() -> None:
    need_program("stockfish")
    need_program("gnuchess")
    words = ["Fish=uci:stockfish:Skill_Level=20", "Gnu=uci:gnuchess --uci"]
    clocks = ["--bank", "400", "--increment", "10", "--margin", "20000"]
    played = match(*words, "--rule", "Chess", *clocks, "--games", "2", "--length", "20")
    assert [sum(row[:3]) for row in played.values()] == [2, 2]
    assert [row[3] for row in played.values()] == [0, 0]


@pytest.mark.parametrize("rule", ["openspiel/xiangqi", "openspiel/chess", "Breakthrough"])
def test_a_program_that_knows_variants(rule: str) -> None:
    need_program("fairy-stockfish")
    if rule.startswith("openspiel"):
        pytest.importorskip("pyspiel")
    played = match("A=uci:fairy-stockfish:nodes=300", "Random", "--rule", rule, "--games", "2")
    assert played == {"A": (2, 0, 0, 0), "Random": (0, 0, 2, 0)}


@pytest.mark.parametrize(
    ("rule", "engine", "sentence"),
    [
        ("openspiel/xiangqi", "uci:stockfish", "stockfish does not play xiangqi"),
        ("TicTacToe", "uci:stockfish", "Engine uci:stockfish can't play TicTacToe: try "),
        ("Breakthrough", "uci:stockfish", "stockfish does not play breakthrough"),
    ],
)
def test_what_it_does_not_speak_is_refused(rule: str, engine: str, sentence: str) -> None:
    need_program("stockfish")
    if rule.startswith("openspiel"):
        pytest.importorskip("pyspiel")
    players = {"openspiel/xiangqi": "Red", "TicTacToe": "Cross", "Breakthrough": "White"}
    lines = script(f"set_rule {rule}", f"set_engine {players[rule]} {engine}")
    assert sentence in lines[-1]


def test_a_program_of_another_kind_is_refused() -> None:
    need_program("true", "coreutils")
    lines = script("set_rule Chess", "set_engine White uci:true", "list_players")
    assert "? Engine uci:true did not start: it ended with exit status 1." in lines[-3]
    assert "true has ended with exit status 0." in lines[-3]
    assert lines[-1] == "= White=human, Black=human"
