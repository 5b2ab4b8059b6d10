"""Play files as they are written: what is read back is the same game."""

from __future__ import annotations

from support.tournaments import find_rules

from ggtp.play.replay import begun, make_all, replay
from ggtp.play.writing import HEADER, game_lines, saved_lines


def test_options_come_first_and_keep_plays_last() -> None:
    assert saved_lines(["set_rule Nim", "start"], {"keep_plays": "off", "seed": "4"}) == (
        HEADER,
        "set_option seed 4",
        "set_rule Nim",
        "start",
        "set_option keep_plays off",
    )


def test_a_game_of_moves_is_read_back() -> None:
    options, moves = {"starting_player": "Circle"}, ["Circle B2", "Cross A1"]
    play = begun(find_rules("TicTacToe"), "TicTacToe", options)
    make_all(play, moves)
    lines = game_lines("TicTacToe", options, moves)
    assert lines == play.lines
    assert replay("\n".join(lines), find_rules).play.moves == moves
