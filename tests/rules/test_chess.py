"""Facts about Chess."""

from __future__ import annotations

import random

import chess
import pytest
from support.oracles import actions, games, gdl, mover, moves, openspiel, play, report, start

from ggtp.errors import AmbiguousMove, MalformedMove, OptionError
from ggtp.game import OVER, Standing


def ending(*played: str, **options: str) -> tuple[Standing, str]:
    position = play(start("chess", **options), *played)
    result = position.result()
    assert position.turn() is OVER
    assert result is not None
    return result.standings["White"], result.reason


def test_moves_and_ends_are_those_of_another_library() -> None:
    """Games at random against python-chess, draws by count included, to the very end."""
    rng, compared, reasons = random.Random(7), 0, set()
    for _ in games(6):
        position, judge = start("chess"), chess.Board()
        while position.turn() is not OVER:
            assert set(moves(position)) == {move.uci() for move in judge.legal_moves}
            assert not judge.is_repetition(3)
            assert not judge.is_fifty_moves()
            assert not judge.is_game_over()
            move = rng.choice(moves(position))
            judge.push_uci(move)
            position = play(position, move)
            compared += 1
        result = position.result()
        assert result is not None
        reasons.add(result.reason)
        assert judge.is_game_over() or judge.is_repetition(3) or judge.is_fifty_moves()
        if judge.is_checkmate():
            assert result.standings["White" if judge.turn else "Black"] is Standing.LOSS
        else:
            assert result.standings["White"] is Standing.DRAW
    report("chess with python-chess", compared)
    assert compared > 1000
    assert len(reasons) > 1


@pytest.mark.slow
def test_moves_and_ends_are_those_of_openspiel() -> None:
    """OpenSpiel names moves in SAN, which we read; it draws on the third repetition and after 50 moves, as we do."""
    rng, compared, game = random.Random(8), 0, openspiel("chess")
    for _ in games(3):
        position, state = start("chess"), game.new_initial_state()
        while not state.is_terminal():
            named = actions(state)
            read = {position.parse(mover(position), name): action for name, action in named.items()}
            assert len(read) == len(named)
            assert set(read) == set(moves(position))
            move = rng.choice(moves(position))
            state.apply_action(read[move])
            position = play(position, move)
            compared += 1
        result = position.result()
        assert result is not None
        # Player 0 of OpenSpiel is Black.
        value = {Standing.WIN: 1.0, Standing.DRAW: 0.0, Standing.LOSS: -1.0}
        assert state.returns() == [value[result.standings["Black"]], value[result.standings["White"]]]
    report("chess with OpenSpiel", compared)
    assert compared > 500


def test_moves_are_those_of_the_rules_in_gdl() -> None:
    rng, twin, position, kinds = random.Random(3), gdl("chess"), start("chess"), {"knight": "n"}
    for _ in range(12):
        named = {}
        for name in moves(twin):
            _, x, y, u, v, *kind = name.split()
            named[f"{x}{y}{u}{v}" + "".join(kinds.get(word, word[0]) for word in kind)] = name
        assert set(named) == set(moves(position))
        move = rng.choice(sorted(named))
        position, twin = play(position, move), play(twin, named[move])


def test_mate() -> None:
    assert ending("f3", "e5", "g4", "Qh4#") == (Standing.LOSS, "checkmate")


def test_stalemate() -> None:
    assert ending("Qb6", fen="k7/8/2K5/8/8/8/1Q6/8 w - - 0 1") == (Standing.DRAW, "stalemate")


def test_bare_kings_draw() -> None:
    assert ending("Kxa2", fen="k7/8/8/8/8/8/r7/K7 w - - 0 1")[1] == "nobody has enough pieces left to mate"


def test_repetition_draws_at_the_third_or_the_fifth_time() -> None:
    dance = ("Nf3", "Nf6", "Ng1", "Ng8")
    assert ending(*dance * 2)[1] == "the position is there for the third time"
    assert play(start("chess", repetitions="5"), *dance * 3).turn() is not OVER
    assert ending(*dance * 4, repetitions="5")[1] == "the position is there for the fifth time"


def test_moves_without_progress_draw() -> None:
    rook = "k7/8/8/8/8/8/8/K6R w - - 99 80"
    assert ending("Rh2", fen=rook)[1] == "50 moves without a capture or a pawn's move"
    assert play(start("chess", fen=rook, quiet_moves="75"), "Rh2").turn() is not OVER


def test_mate_on_the_last_of_the_quiet_moves_is_mate() -> None:
    assert ending("Rh8", fen="k7/8/1K6/8/8/8/8/7R w - - 99 80") == (Standing.WIN, "checkmate")


@pytest.mark.parametrize("text", ["e2e4", "E2E4", "e4", "e2-e4", "Pe2e4", "e2 e4", "e4!"])
def test_ways_to_write_a_pawns_move(text: str) -> None:
    assert start("chess").parse("White", text) == "e2e4"


@pytest.mark.parametrize(("text", "move"), [("Nf3", "g1f3"), ("nf3", "g1f3"), ("Ng1-f3", "g1f3"), ("Nh3", "g1h3")])
def test_ways_to_write_a_knights_move(text: str, move: str) -> None:
    assert start("chess").parse("White", text) == move


def test_castling_and_promotion() -> None:
    position = start("chess", fen="r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1")
    assert [position.parse("White", text) for text in ("O-O", "0-0-0", "o-o")] == ["e1g1", "e1c1", "e1g1"]
    assert [position.parse("White", text) for text in ("b8=Q", "b8N", "bxa8=R+", "b7b8q")] == [
        "b7b8q", "b7b8n", "b7a8r", "b7b8q"
    ]  # fmt: skip
    with pytest.raises(AmbiguousMove, match="b7b8q or b7b8r"):
        position.parse("White", "b7b8")


def test_a_bishop_is_no_pawn() -> None:
    position = start("chess", fen="4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1")
    assert position.parse("White", "bxc3") == "b2c3"
    assert position.parse("White", "Bxc3") == "d2c3"


def test_two_knights_must_be_told_apart() -> None:
    position = start("chess", fen="4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1")
    with pytest.raises(AmbiguousMove, match="b1d2 or f1d2"):
        position.parse("White", "Nd2")
    assert position.parse("White", "Nbd2") == "b1d2"


def test_what_is_no_move_is_told_how_to_write_one() -> None:
    with pytest.raises(MalformedMove, match="written as"):
        start("chess").parse("White", "castle")


def test_a_position_that_is_none_is_refused() -> None:
    with pytest.raises(OptionError, match="one king"):
        start("chess", fen="8/8/8/8/8/8/8/8 w - - 0 1")


def test_the_view_is_fen_and_the_picture_is_a_board() -> None:
    position = play(start("chess"), "e4")
    assert position.view(None) == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    assert position.picture(None).plain()[1] == "8 ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜"
    assert position.picture(None).plain(ascii_only=True)[4:] == [
        "5 . . . . . . . .", "4 . . . . P . . .", "3 . . . . . . . .", "2 P P P P . P P P", "1 R N B Q K B N R",
        "move 1: Black to move",
    ]  # fmt: skip
