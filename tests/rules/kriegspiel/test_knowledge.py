"""What the umpire of Kriegspiel says, and what a player knows."""

from __future__ import annotations

import random

import chess
import pytest
from ggtp.rules.kriegspiel.knowledge import (
    CHECKS,
    NO_TRIES,
    Knowledge,
    Words,
    checkers,
    checks_on,
    line_of,
    moved,
    pawn_tries,
    read_move,
    rights_after,
)

from ggtp.game.building.chessboard import NUMBERS, START, ChessBoard

WHITE_MEN = "RNBQKBNRPPPPPPPP" + 48 * "."
BLACK_MEN = 48 * "." + "pppppppprnbqkbnr"


@pytest.mark.parametrize(
    ("king", "origin", "line"),
    [
        ("e1", "e8", "file"),
        ("e1", "a1", "rank"),
        ("e1", "h4", "short diagonal"),
        ("e1", "a5", "long diagonal"),
        ("e8", "h5", "short diagonal"),
        ("e8", "a4", "long diagonal"),
        ("a1", "h8", "long diagonal"),
        ("d4", "e5", "long diagonal"),
        ("d4", "e3", "short diagonal"),
        ("e4", "f6", "knight"),
    ],
)
def test_lines(king: str, origin: str, line: str) -> None:
    assert line_of(NUMBERS[king], NUMBERS[origin]) == line


@pytest.mark.slow
def test_checkers_are_those_of_python_chess() -> None:
    rng, compared = random.Random(4), 0
    for _ in range(12):
        theirs = chess.Board()
        while not theirs.is_game_over() and theirs.fullmove_number < 80:
            theirs.push(rng.choice(list(theirs.legal_moves)))
            board = ChessBoard.read(theirs.fen())
            king = board.king(board.white)
            assert sorted(checkers(board.squares, king, not board.white)) == list(theirs.checkers())
            assert bool(checks_on(board.squares, king, not board.white)) == theirs.is_check()
            takes = {
                (move.from_square, move.to_square)
                for move in theirs.legal_moves
                if theirs.is_capture(move) and theirs.piece_type_at(move.from_square) == chess.PAWN
            }
            assert pawn_tries(board) == len(takes)
            compared += 1
    assert compared > 500


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (Words(True, tries=0), "?"),
        (Words(True), "?"),
        (Words(False, 36, "pawn", tries=0), "? takes pawn e5"),
        (Words(False, 36, tries=1), "? takes e5; 1 pawn try"),
        (Words(True, 36, "pawn", True, ("long diagonal", "knight"), 2),
         "? takes pawn e5 en passant; check on the long diagonal; check by a knight; 2 pawn tries"),
    ],
)  # fmt: skip
def test_words_are_said_and_read(words: Words, text: str) -> None:
    assert words.text("?") == text
    assert Words.read(words.white, text[2:], words.tries != NO_TRIES) == words


def test_every_check_can_be_read() -> None:
    words = Words(True, checks=CHECKS, tries=3)
    assert Words.read(True, words.text("e2e4").removeprefix("e2e4 "), True) == words


def test_tries_are_what_some_board_allows() -> None:
    known = Knowledge(True, WHITE_MEN, BLACK_MEN, "KQ", True)
    names = {known.name(move) for move in known.tries()}
    # No pawn can take on the first move, but for all that was said it may.
    assert {"e2e4", "e2d3", "g1f3"} <= names
    assert "e1g1" not in names
    heard = known.told(Words(True), read_move("e2e4")).told(Words(False, tries=0), None)
    assert "e4d5" not in {heard.name(move) for move in heard.tries()}


def test_what_was_refused_is_not_tried_again_this_turn() -> None:
    known = Knowledge(True, "....K..." + 40 * "." + "P......." + 8 * ".", BLACK_MEN, "", True).refused(
        read_move("a7a8q")
    )
    assert not [move for move in known.tries() if known.name(move).startswith("a7a8")]
    later = known.told(Words(True), read_move("e1e2")).told(Words(False), None)
    assert [move for move in later.tries() if known.name(move).startswith("a7a8")]


def test_a_player_sees_that_a_man_of_its_own_is_gone_and_with_it_a_right() -> None:
    known = Knowledge(True, WHITE_MEN, BLACK_MEN, "KQ", False).told(Words(False, NUMBERS["h1"], "piece"), None)
    assert known.own[NUMBERS["h1"]] == "."
    assert known.rights == "Q"


def test_castling_moves_the_rook_and_ends_the_rights() -> None:
    own = "R...K..R" + 56 * "."
    assert moved(own, read_move("e1g1"))[:8] == "R....RK."
    assert rights_after("KQ", read_move("e1g1")) == ""
    assert rights_after("KQ", read_move("a1b1")) == "K"


def test_spellings() -> None:
    known = Knowledge(True, WHITE_MEN, BLACK_MEN, "KQ", True)
    assert "Nf3" in set(known.spellings(read_move("g1f3")))
    assert "e4" in set(known.spellings(read_move("e2e4")))
    assert "ed3" in set(known.spellings(read_move("e2d3")))


def test_the_start_is_as_chess_has_it() -> None:
    assert ChessBoard.read(START).squares == WHITE_MEN[:16] + 32 * "." + BLACK_MEN[48:]
