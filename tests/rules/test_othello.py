"""Facts about Othello."""

from __future__ import annotations

import random

import pytest
from support.oracles import actions, games, gdl, moves, openspiel, play, report, start

from ggtp.errors import MalformedMove
from ggtp.game import OVER, Standing
from ggtp.game.checks.contract import perft


def test_perft() -> None:
    """The counts that are published, as far as nobody passes."""
    assert [perft(start("othello"), depth) for depth in range(1, 7)] == [4, 12, 56, 244, 1396, 8200]


def test_moves_and_ends_are_those_of_openspiel() -> None:
    rng, compared, passes, game = random.Random(1), 0, 0, openspiel("othello")
    for _ in games(12):
        position, state = start("othello"), game.new_initial_state()
        while not state.is_terminal():
            named = {name.casefold(): action for name, action in actions(state).items()}
            assert set(named) == set(moves(position))
            move = rng.choice(sorted(named))
            passes += move == "pass"
            state.apply_action(named[move])
            position = play(position, move)
            compared += 1
        result = position.result()
        assert result is not None
        value = {Standing.WIN: 1.0, Standing.DRAW: 0.0, Standing.LOSS: -1.0}
        assert state.returns() == [value[result.standings["Black"]], value[result.standings["White"]]]
    report("Othello with OpenSpiel", compared)
    assert compared > 600
    assert passes > 0


def test_moves_are_those_of_the_rules_in_gdl() -> None:
    rng, twin = random.Random(2), gdl("othello")
    position = start("othello")
    for _ in range(20):
        named = {"".join(name.split()[1:]) if name != "pass" else name: name for name in moves(twin)}
        assert set(named) == set(moves(position))
        move = rng.choice(sorted(named))
        position, twin = play(position, move), play(twin, named[move])


def test_a_game_may_end_before_the_board_is_full() -> None:
    position = play(start("othello"), "e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5")
    assert position.turn() is OVER
    result = position.result()
    assert result is not None
    assert result.reason == "Black 13 discs, White 0"
    assert result.standings["Black"] is Standing.WIN


def test_where_moves_are_open_they_are_shown() -> None:
    lines = start("othello", size="4").picture(None).plain(ascii_only=True)
    assert lines == [
        "  a b c d",
        "1 . * . .",
        "2 * O X .",
        "3 . X O *",
        "4 . . * .",
        "Black 2 discs, White 2; Black to move, * is where",
    ]
    with pytest.raises(MalformedMove, match="possible are d3 c4 f5 e6"):
        start("othello").parse("Black", "a1")
