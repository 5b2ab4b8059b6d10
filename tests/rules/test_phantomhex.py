"""Facts about PhantomHex."""

from __future__ import annotations

import random

from support.oracles import actions, games, mover, moves, openspiel, play, report, start

from ggtp.game import OVER, Standing, advice
from ggtp.game.building.phantom import PhantomPosition


def test_tries_refusals_and_ends_are_those_of_openspiel() -> None:
    rng, compared = random.Random(5), 0
    for size in (3, 5):
        game = openspiel("dark_hex", board_size=size, num_rows=size, num_cols=size)
        for _ in games(12):
            position, state = start("phantomhex", size=str(size)), game.new_initial_state()
            while not state.is_terminal():
                player, theirs = mover(position), state.current_player()
                named = actions(state)
                assert set(named) == set(moves(position))
                move = rng.choice(sorted(named))
                state.apply_action(named[move])
                verdict = position.play({player: move})
                assert bool(verdict.refused) == (not state.is_terminal() and state.current_player() == theirs)
                position = verdict.position
                compared += 1
            result = position.result()
            assert result is not None
            assert (result.standings["Red"] is Standing.WIN) == (state.returns()[0] > 0)
    report("PhantomHex with OpenSpiel", compared)
    assert compared > 200


def test_where_most_guesses_would_be_over_one_is_found_that_is_not() -> None:
    """Blue has filled all but a winding way of Red: only boards that leave it open are possible."""
    position = start("phantomhex", size="6")
    rng = random.Random(1)
    while True:
        verdict = position.play({mover(position): rng.choice(moves(position))})
        if verdict.position.turn() is OVER:
            break
        position = verdict.position
    for player in ("Red", "Blue"):
        for _ in range(50):
            other = advice.determinize(position, player, rng)
            assert isinstance(other, PhantomPosition)
            assert other.turn() is not OVER
            assert not any(other.veil.game.connects(who, other.state.stones[who]) for who in (0, 1))  # type: ignore[attr-defined]


def test_the_picture_shows_ones_own_stones_and_those_that_were_found() -> None:
    position = play(start("phantomhex", size="2"), "a1", "a1", "b1")
    assert position.picture("Blue").plain(ascii_only=True)[:3] == ["  a b", "1 R @", "2  . ."]
    assert position.picture("Red").plain(ascii_only=True)[:3] == ["  a b", "1 @ .", "2  . ."]


def test_people_are_told_which_edges_are_theirs() -> None:
    position = start("phantomhex", size="3")
    assert "Red: top to bottom" in position.picture("Red").plain()
    assert "Blue: left to right" in position.picture("Blue").plain()
