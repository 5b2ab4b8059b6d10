"""The good engine's view of TicTacToe."""

from __future__ import annotations

from ggtp.bench.attack.zoo.tictactoe import Game


def played(*moves: str) -> Game:
    game = Game()
    for move in moves:
        assert game.answer(f"made_move {move}") == "acknowledge"
    return game


def test_it_plays_the_first_free_square() -> None:
    game = played("Cross A1", "Circle B1")
    assert game.answer("have_to_play 1000") == "select_move C1"
    assert game.taken() == ["A1", "B1"]
    assert game.answer("get_table 0") == "reply .../.../XO."


def test_it_knows_the_end() -> None:
    game = played("Cross A1", "Circle B1", "Cross A2", "Circle B2", "Cross A3")
    assert game.answer("get_result 0") == "reply Cross=win 100, Circle=loss 0"
    assert game.answer("have_to_play") == "select_move none"
    assert game.answer("undone_move") == "acknowledge"
    assert game.answer("get_result 0") == "reply none"
    assert game.answer("redone_move") == "acknowledge"
    assert game.winner() == "Cross"
    assert game.answer("start") == "acknowledge"
    assert len(game.free()) == 9


def test_it_has_options() -> None:
    game = Game()
    assert game.answer("list_options") == "reply Depth, Style, rule, player"
    assert game.answer("set_option Depth 5") == "acknowledge"
    assert game.answer("get_option Depth") == "reply 5"
    assert game.answer("list_option_choices Style") == "reply calm, wild"
    assert game.answer("set_option Depth") == "invalid_option_value"
    assert game.answer("get_option Nothing") == "invalid_option_name"
    assert game.answer("get_result 7") == "invalid_table_number"
