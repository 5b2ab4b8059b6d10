"""`ggtp as-uci`: python-chess as the foreign tool plays whole games with it."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import chess
import chess.engine
import pytest

pytestmark = pytest.mark.process

ARGV = [sys.executable, "-m", "ggtp", "as-uci", "--engine"]
SECONDS = 60


def opened(*words: str) -> chess.engine.SimpleEngine:
    return chess.engine.SimpleEngine.popen_uci([*ARGV, *words], timeout=SECONDS)


def test_a_whole_game_between_two_of_them() -> None:
    board = chess.Board()
    with opened("Random", "--seed", "1") as white, opened("Minimax", "--option", "Depth=1") as black:
        assert white.id["name"].startswith("Random (ggtp ")
        black.configure({"Hash": 64, "Mobility": False})
        clocks = chess.engine.Limit(white_clock=60.0, black_clock=60.0, white_inc=0.1, black_inc=0.1)
        while not board.is_game_over(claim_draw=True):
            engine = white if board.turn else black
            played = engine.play(board, clocks, info=chess.engine.INFO_ALL)
            assert played.move in board.legal_moves
            board.push(played.move)
            if board.fullmove_number > 30:
                break
    assert board.fullmove_number > 1


def test_analysis_pondering_and_other_positions() -> None:
    with opened("Minimax", "--time", "200") as engine:
        mate = chess.Board("7k/8/5KQ1/8/8/8/8/8 w - - 0 1")
        assert engine.play(mate, chess.engine.Limit(depth=2)).move.uci() in ("g6g7", "g6e8")
        info = engine.analyse(mate, chess.engine.Limit(depth=2))
        assert info["score"].white().score() > 500
        with engine.analysis(chess.Board()) as analysis:
            analysis.stop()
            assert analysis.wait().move in chess.Board().legal_moves
        board = chess.Board()
        for _ in range(4):
            played = engine.play(board, chess.engine.Limit(time=0.1), ponder=True)
            board.push(played.move)
        over = chess.Board("7k/5KQ1/8/8/8/8/8/8 b - - 0 1")
        assert over.is_checkmate()


def test_it_ends_with_its_input_and_says_what_is_wrong(run: Any) -> None:
    done = subprocess.run(
        [*ARGV, "random"], input="uci\nquit\nuci\n", capture_output=True, text=True, timeout=SECONDS, check=True
    )
    assert done.stdout.count("uciok") == 1
    done = subprocess.run(
        [*ARGV, "random"],
        input="isready\n" + "x" * (17 << 20) + "\nisready",
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=True,
    )
    assert done.stdout == "readyok\nreadyok\n"
    assert done.stderr == ""
    assert run("as-uci", "--engine", "nobody").status == 1


def test_an_engine_that_can_not_play_chess_is_refused(run: Any) -> None:
    ran = run("as-uci", "--engine", "ASP")
    assert ran.status == 1
    assert "can't play Chess" in ran.err
