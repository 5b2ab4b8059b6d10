"""Facts about PhantomOthello."""

from __future__ import annotations

import random

from support.oracles import actions, games, mover, moves, openspiel, play, report, start

from ggtp.game import OVER, Standing, advice


def test_what_stands_is_what_openspiel_has() -> None:
    """The same discs can be put by both, whatever the players know of it, and the games end alike."""
    rng, compared, game = random.Random(8), 0, openspiel("othello")
    for _ in games(4):
        position, state = start("phantomothello"), game.new_initial_state()
        while not state.is_terminal():
            player = mover(position)
            named = {name.split()[0]: action for name, action in actions(state).items()}
            possible = {move for move in moves(position) if not position.play({player: move}).refused}
            assert possible == set(named)
            move = rng.choice(sorted(possible))
            state.apply_action(named[move])
            position = position.play({player: move}).position
            compared += 1
        result = position.result()
        assert result is not None
        returns = state.returns()[0]
        assert (result.standings["Black"] is Standing.WIN) == (returns > 0)
        assert (result.standings["Black"] is Standing.DRAW) == (returns == 0)
    report("PhantomOthello with OpenSpiel", compared)
    assert compared > 200


def test_both_are_told_what_is_turned() -> None:
    position = start("phantomothello")
    assert position.seen("Black", "d3", "White") == "? turns d4"
    assert position.seen("Black", "d3", "Black") == "d3 turns d4"
    after = play(position, "d3")
    assert "d4" not in after.moves("White")
    assert "d3" in after.moves("White")


def test_a_disc_that_turns_nothing_is_refused() -> None:
    verdict = start("phantomothello").play({"Black": "a1"})
    assert [refusal.reason for refusal in verdict.refused] == ["turns nothing"]
    assert "a1" not in verdict.position.moves("Black")


def test_who_has_to_pass_is_told_so() -> None:
    rng = random.Random(0)
    for _ in range(200):
        position = start("phantomothello", size="4")
        while position.turn() is not OVER:
            player = mover(position)
            if moves(position) == ["pass"]:
                guess = advice.determinize(position, player, rng)
                assert guess is not None
                assert list(guess.moves(player)) == ["pass"]
                assert f"{player} has to pass" in position.view(player)
                return
            position = position.play({player: rng.choice(moves(position))}).position
    raise AssertionError("nobody has ever had to pass")
