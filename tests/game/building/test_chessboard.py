"""Facts about chess boards: the published counts of moves, FEN, and the names of moves."""

from __future__ import annotations

import os
import random

import chess
import pytest
from support.oracles import games, report

from ggtp.game.building.chessboard import START, ChessBoard, normalise

DEEPER = int(os.environ.get("GGTP_PERFT", "0"))
"""How many levels deeper than usual the moves are counted; one more takes a minute."""

PERFT = {
    START: (20, 400, 8902, 197281, 4865609),
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": (48, 2039, 97862, 4085603),
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": (14, 191, 2812, 43238, 674624),
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": (6, 264, 9467, 422333),
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": (44, 1486, 62379, 2103487),
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": (46, 2079, 89890, 3894594),
}


def perft(board: ChessBoard, depth: int) -> int:
    moves = board.legal()
    return len(moves) if depth == 1 else sum(perft(board.after(move), depth - 1) for move in moves)


@pytest.mark.parametrize("fen", PERFT)
def test_perft(fen: str) -> None:
    counts = PERFT[fen][: len(PERFT[fen]) - 1 + DEEPER]
    assert tuple(perft(ChessBoard.read(fen), depth) for depth in range(1, len(counts) + 1)) == counts


@pytest.mark.slow
def test_moves_boards_and_names_are_those_of_another_library() -> None:
    """Every position of some games at random against python-chess: moves, FEN, check, SAN, and what is drawn."""
    rng, compared = random.Random(6), 0
    for _ in games(12):
        board, judge = ChessBoard.read(START), chess.Board()
        while board.legal() and not judge.is_insufficient_material() and judge.fullmove_number < 150:
            legal = {board.coordinates(move): move for move in board.legal()}
            assert set(legal) == {move.uci() for move in judge.legal_moves}
            assert board.fen() == judge.fen(en_passant="legal")
            assert board.in_check() == judge.is_check()
            name = rng.choice(list(legal))
            assert board.san(legal[name]) == judge.san(chess.Move.from_uci(name))
            judge.push_uci(name)
            board = board.after(legal[name])
            assert board.bare() == judge.is_insufficient_material()
            compared += 1
        assert bool(board.legal()) == any(judge.legal_moves)
    report("chess boards with python-chess", compared)
    assert compared > 1000


def test_a_pawn_is_taken_in_passing_only_if_the_king_stays_safe() -> None:
    pinned = ChessBoard.read("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1")
    assert "e5d6" not in [pinned.coordinates(move) for move in pinned.legal()]
    assert pinned.fen() == "8/8/8/K2pP2r/8/8/8/4k3 w - - 0 1"
    free = ChessBoard.read("8/8/8/K2pP3/8/8/8/4k3 w - d6 0 1")
    assert "e5d6" in [free.coordinates(move) for move in free.legal()]


@pytest.mark.parametrize(
    ("fen", "said"),
    [
        ("", "blanks between"),
        ("8/8/8/8/8/8/8 w - -", "eight rows"),
        ("9/8/8/8/8/8/8/8 w - -", "counts of empty"),
        ("7/8/8/8/8/8/8/8 w - -", "eight squares"),
        ("8/8/8/8/8/8/8/K7 w - -", "one king"),
        ("k6P/8/8/8/8/8/8/K7 w - -", "no pawn"),
        ("k7/8/8/8/8/8/8/K7 x - -", "w or b"),
        ("k7/8/8/8/8/8/8/K7 w KQ -", "castling rights needs"),
        ("k7/8/8/8/8/8/8/K7 w qk -", "castling rights are"),
        ("k7/8/8/8/8/8/8/K7 w - e9", "square of passing"),
        ("k7/8/8/8/8/8/8/K7 w - - x 1", "whole numbers"),
        ("k7/8/8/8/8/8/8/K6R b - - 0 1", None),
        ("k6R/8/8/8/8/8/8/K7 w - - 0 1", "is in check"),
    ],
)
def test_fen_that_is_none_says_why(fen: str, said: str | None) -> None:
    if said is None:
        assert ChessBoard.read(fen).fen() == fen
    else:
        with pytest.raises(ValueError, match=said):
            ChessBoard.read(fen)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Nf3+", "Nf3"),
        ("e7xd8=Q#", "e7d8Q"),
        ("0-0", "OO"),
        ("o-o-o", "OOO"),
        ("exd6 e.p.", "ed6"),
        ("e2-e4!?", "e2e4"),
    ],
)
def test_signs_that_add_nothing(text: str, plain: str) -> None:
    assert normalise(text) == plain
