"""Facts about Hex."""

from __future__ import annotations

import random

import pytest
from support.oracles import actions, games, gdl, moves, openspiel, play, report, start

from ggtp.game import OVER, Standing


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("size", [3, 5, 11])
def test_moves_and_ends_are_those_of_openspiel(size: int, swap: bool) -> None:
    """Swapping, too: OpenSpiel mirrors the stone as we do."""
    rng, compared, swaps, game = random.Random(size), 0, 0, openspiel("hex", board_size=size, swap=swap)
    for _ in games(30 if size < 11 else 4):
        position, state = start("hex", size=str(size), swap="on" if swap else "off"), game.new_initial_state()
        while not state.is_terminal():
            named = actions(state)
            assert set(named) == set(moves(position))
            move = "swap" if "swap" in named and rng.random() < 0.5 else rng.choice(sorted(named))
            swaps += move == "swap"
            state.apply_action(named[move])
            position = play(position, move)
            compared += 1
        result = position.result()
        assert result is not None
        assert state.returns()[0] == (1.0 if result.standings["Red"] is Standing.WIN else -1.0)
    report(f"Hex of size {size} with OpenSpiel", compared)
    assert (swaps > 0) == swap


def test_ends_are_those_of_the_rules_in_gdl() -> None:
    """There, row 1 is at the bottom and the slant is the same."""
    rng, twin, position = random.Random(5), gdl("hex_small"), start("hex", size="5", swap="off")
    while position.turn() is not OVER:
        named = {"".join(name.split()[1:]): name for name in moves(twin)}
        assert set(named) == set(moves(position))
        move = rng.choice(sorted(named))
        position, twin = play(position, move), play(twin, named[move])
    ours, theirs = position.result(), twin.result()
    assert ours is not None
    assert theirs is not None
    assert ours.standings["Red"] is theirs.standings["red"]


def test_a_chain_that_touches_only_at_the_long_diagonal_is_none() -> None:
    position = play(start("hex", size="2", swap="off"), "a1", "b1")
    assert position.turn() is not OVER
    assert play(position, "b2").turn() is not OVER
    assert play(position, "a2").turn() is OVER


def test_swapping() -> None:
    position = play(start("hex", size="3"), "c1", "swap-pieces")
    assert position.view(None) == ".../.../B.. Red a3"
    assert "swap" not in position.moves("Red")
    assert "swap" not in start("hex", size="3").moves("Red")
    assert "swap" not in play(start("hex", size="3"), "c1", "a1", "a2").moves("Blue")


def test_the_picture() -> None:
    assert play(start("hex", size="3"), "b2").picture(None).plain(ascii_only=True) == [
        "  a b c", "1 . . .", "2  . R .", "3   . . .", "Blue to move, left to right, or swap"
    ]  # fmt: skip
