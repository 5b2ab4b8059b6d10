"""Gomoku as a game of turns; more facts are in the tests of the rule."""

from __future__ import annotations

from ggtp.game.building.gomokugame import gomoku_of


def test_six_win_unless_exactly_five_are_asked_for() -> None:
    six = 0b111111
    assert gomoku_of(6, False).wins(six, 2)
    assert not gomoku_of(6, True).wins(six, 2)
    assert gomoku_of(6, True).wins(six >> 1, 2)
