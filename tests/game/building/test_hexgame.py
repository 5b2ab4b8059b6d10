"""Hex as a game of turns; more facts are in the tests of the rule."""

from __future__ import annotations

from ggtp.game.building.hexgame import HexState, hex_of


def test_each_player_connects_its_own_edges() -> None:
    game = hex_of(2)
    column, row = game.bits[0] | game.bits[2], game.bits[0] | game.bits[1]
    assert game.connects(0, column)
    assert not game.connects(1, column)
    assert game.connects(1, row)


def test_a_swap_mirrors_the_first_stone() -> None:
    game = hex_of(3)
    state = game.after(game.after(HexState((0, 0), 0, True), 1), 9)
    assert state.stones == (0, game.bits[3])
