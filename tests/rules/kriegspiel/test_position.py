"""Facts about Kriegspiel."""

from __future__ import annotations

import importlib
import random

import chess
import pytest
from support.hidden import assert_sampled
from support.oracles import games, mover, moves, play, report, start

from ggtp.errors import AmbiguousMove, MalformedMove, OptionError
from ggtp.game import OVER, Position, Standing, advice


def krieg(fen: str = "", **options: str) -> Position:
    return start("kriegspiel", **({"fen": fen} if fen else {}), **options)


@pytest.mark.slow
def test_what_is_refused_said_and_how_it_ends_is_as_in_python_chess() -> None:
    rng, compared, refused = random.Random(9), 0, 0
    for _ in games(6):
        position, board = krieg(), chess.Board()
        while position.turn() is not OVER:
            player = mover(position)
            # Whatever is legal may be tried, unless it was refused.
            assert {move.uci() for move in board.legal_moves} <= set(moves(position))
            move = rng.choice(moves(position))
            verdict = position.play({player: move})
            legal = chess.Move.from_uci(move) in board.legal_moves
            assert bool(verdict.refused) != legal
            refused += not legal
            if legal:
                told = position.seen(player, move, player)
                passing = board.is_en_passant(chess.Move.from_uci(move))
                assert (" takes " in told) == board.is_capture(chess.Move.from_uci(move))
                assert ("en passant" in told) == passing
                board.push_uci(move)
                assert ("check" in told) == board.is_check()
                assert told.count("check ") <= len(board.checkers())
                compared += 1
            position = verdict.position
        result = position.result()
        assert result is not None
        if board.is_checkmate():
            assert result.reason == "checkmate"
            assert result.standings["Black" if board.turn else "White"] is Standing.WIN
        elif board.is_stalemate():
            assert result.reason == "stalemate"
        else:
            assert result.standings["White"] is Standing.DRAW
            assert (
                board.is_insufficient_material()
                or board.can_claim_fifty_moves()
                or board.is_repetition(3)
                or board.fullmove_number > 200
            )
    report(f"Kriegspiel with python-chess, {refused} tries refused", compared)
    assert compared > 500
    assert refused > 200


@pytest.mark.slow
def test_what_is_sampled_looks_as_what_is() -> None:
    rules, rng = importlib.import_module("ggtp.rules.kriegspiel").RULES, random.Random(12)
    assert assert_sampled(rules, {}, rng, share=0.06) > 40
    assert assert_sampled(rules, {"pawn_tries": "off", "kinds": "off", "max_moves": "60"}, rng, share=0.1) > 20


def test_checkmate_is_announced_and_the_board_is_opened() -> None:
    position = play(krieg(), "f3", "e5", "g4")
    verdict = position.play({"Black": "d8h4"})
    assert position.seen("Black", "d8h4", "White") == "? check on the short diagonal"
    assert verdict.announcements[-1].text.startswith("checkmate; the board was rnb1kbnr/")
    result = verdict.position.result()
    assert result is not None
    assert result.standings["Black"] is Standing.WIN
    assert verdict.position.view("White") == verdict.position.view("Black")


def test_a_capture_en_passant_is_one() -> None:
    position = krieg("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1")
    assert position.seen("White", "e2e4", "Black") == "? 1 pawn try"
    position = play(position, "e4")
    assert "d4e3" in moves(position)
    assert position.seen("Black", "d4e3", "White") == "? takes pawn e4 en passant"
    assert position.spoken("Black", "d4e3", "White") == "?", "the umpire says the rest to people"
    assert position.spoken("Black", "d4e3", "Black") == "d4e3"
    verdict = position.play({"Black": "d4e3"})
    assert verdict.announcements[0].text == "Black has taken a pawn on e4 en passant"
    assert verdict.position.view("White").startswith(
        "......../......../......../......../......../......../......../....K..."
    )


def test_a_double_check_is_announced_twice() -> None:
    position = krieg("4k3/8/8/8/4N3/8/8/4R1K1 w - - 0 1")
    assert position.seen("White", "e4f6", "Black") == "? check on the file; check by a knight"


def test_fifty_moves_are_those_of_each_side() -> None:
    position = krieg("4k3/8/8/8/8/8/8/R3K3 w - - 98 60", repetitions="5")
    position = play(position, "Ra2")
    assert position.turn() is not OVER
    assert play(position, "Kd8").turn() is OVER


def test_a_refused_try_is_told_to_its_player_only() -> None:
    position = krieg("4k3/8/8/8/4r3/8/4B3/4K3 w - - 0 1")
    verdict = position.play({"White": "e2d3"})
    assert [(refusal.player, refusal.reason) for refusal in verdict.refused] == [("White", "not legal")]
    assert verdict.announcements == ()
    assert verdict.position.view("Black") == position.view("Black")
    assert "refused: e2d3" in verdict.position.view("White")
    assert "e2d3" not in verdict.position.moves("White")


def test_options_silence_the_umpire() -> None:
    loud, quiet = (
        krieg("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"),
        krieg("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", pawn_tries="off", kinds="off"),
    )
    assert loud.seen("White", "e4d5", "Black") == "? takes pawn d5"
    assert quiet.seen("White", "e4d5", "Black") == "? takes d5"
    assert loud.seen("White", "e1e2", "White") == "e1e2 1 pawn try"
    assert quiet.seen("White", "e1e2", "White") == "e1e2"


def test_moves_may_be_typed_as_people_write_them() -> None:
    position = krieg()
    assert position.parse("White", "Nf3") == "g1f3"
    assert position.parse("White", "e4") == "e2e4"
    assert position.parse("White", "exd3") == "e2d3"
    assert position.parse("White", "E2E4") == "e2e4"
    castle = krieg("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    assert castle.parse("White", "O-O") == "e1g1"
    assert castle.parse("White", "0-0-0") == "e1c1"
    with pytest.raises(AmbiguousMove):
        krieg("4k3/8/8/8/8/8/4K3/R6R w - - 0 1").parse("White", "Rd1")
    with pytest.raises(MalformedMove):
        position.parse("White", "Qh9")


def test_a_wrong_position_is_refused_in_words() -> None:
    with pytest.raises(OptionError, match="one king"):
        krieg("8/8/8/8/8/8/8/8 w - - 0 1")


def test_the_picture_has_ones_own_men_only() -> None:
    lines = krieg().picture("White").plain(ascii_only=True)
    assert lines[1] == "8 . . . . . . . ."
    assert lines[8] == "1 R N B Q K B N R"
    assert lines[-1] == "move 1: White to move; the other has 16 men"


def test_who_has_more_men_is_estimated_to_stand_better() -> None:
    even = start("kriegspiel")
    assert advice.estimate(even, "White") == advice.estimate(even, "Black") == 50
    ahead = start("kriegspiel", fen="4k3/8/8/8/8/8/8/Q3K3 w - - 0 1")
    assert advice.estimate(ahead, "White") > 70
    assert advice.estimate(ahead, "White") + advice.estimate(ahead, "Black") == 100
