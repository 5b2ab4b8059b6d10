"""Othello as a game of turns; more facts are in the tests of the rule."""

from __future__ import annotations

from ggtp.game.building.boards import bits
from ggtp.game.building.othellogame import othello_of


def test_the_first_moves_turn_one_disc_each() -> None:
    game = othello_of(8)
    black, white, _ = game.start()
    squares = list(bits(game.open_squares(black, white)))
    assert [game.board.names[square] for square in squares] == ["d3", "c4", "f5", "e6"]
    assert all(game.turned(black, white, 1 << square).bit_count() == 1 for square in squares)


def test_a_step_does_not_run_around_the_board() -> None:
    game = othello_of(4)
    assert all(way(1 << 3) != 1 << 4 for way in game.ways)
