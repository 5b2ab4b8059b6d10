"""Go as a game of turns; more facts are in the tests of the rule."""

from __future__ import annotations

from fractions import Fraction

from ggtp.game.building.goboard import go_board
from ggtp.game.building.gogame import GoGame, GoState


def test_points_count_stones_territory_and_komi() -> None:
    game = GoGame(go_board(3), Fraction(1, 2), "simple", False, False, 100)
    middle = game.board.bits[4]
    assert game.points(GoState((middle, 0), 1, frozenset())) == (Fraction(9), Fraction(1, 2))


def test_two_passes_end_it() -> None:
    game = GoGame(go_board(2), Fraction(0), "simple", False, False, 100)
    state = GoState((0, 0), 0, frozenset())
    assert game.to_move(game.after(game.after(state, 4), 4)) == -1
