"""Boards that are guessed in Kriegspiel agree with all that the player knows."""

from __future__ import annotations

import importlib
import random

import chess
import pytest
from ggtp.rules.kriegspiel.guess import guess
from ggtp.rules.kriegspiel.knowledge import Knowledge, checks_on, pawn_tries
from support.hidden import walk

from ggtp.game import OVER

rules = importlib.import_module("ggtp.rules.kriegspiel").RULES


def faults(known: Knowledge, rng: random.Random) -> list[str]:
    """What of a guess does not agree; looked at with python-chess, not with the code that guesses."""
    board = guess(known, 100, rng)
    theirs, found = chess.Board(board.fen()), []
    own = known.own
    assert all(board.squares[at] == piece for at, piece in enumerate(own) if piece != ".")
    men = sum(piece != "." for piece in board.squares) - sum(piece != "." for piece in own)
    assert men == sum(piece != "." for piece in known.home) - len(known.taken)
    assert board.white == known.to_move
    if theirs.status() & ~chess.STATUS_TOO_MANY_CHECKERS & ~chess.STATUS_IMPOSSIBLE_CHECK:
        found.append(f"{theirs.status()!r}")
    if theirs.is_game_over():
        found.append("over")
    words = known.words
    if words is not None:
        if checks_on(board.squares, board.king(board.white), not board.white) != words.checks:
            found.append("checks")
        if words.tries >= 0 and pawn_tries(board) != words.tries:
            found.append("pawn tries")
        if words.taken >= 0 and words.white != known.white and not words.passing:
            piece = board.squares[words.taken]
            if piece == "." or piece.isupper() == known.white:
                found.append("nobody stands where something was taken")
    legal = {move & 4095 for move in board.legal()}
    if known.white == known.to_move and legal & set(known.tried):
        found.append("a try that was refused is legal")
    return found


@pytest.mark.slow
def test_guesses_agree_with_what_was_said_deep_into_the_game() -> None:
    """The search may give up on a board in a thousand or so; then at least the men are right."""
    rng, looked, wrong = random.Random(11), 0, []
    for _ in range(5):
        for position, _ in walk(rules, {}, rng):
            if position.turn() is OVER or rng.random() < 0.88:
                continue
            for known in position.known:  # type: ignore[attr-defined]
                looked += 1
                wrong += [(known, found)] if (found := faults(known, rng)) else []
    print(f"{looked} guesses, {len(wrong)} with faults")
    assert looked > 300
    assert len(wrong) <= looked // 50, wrong


def test_the_first_position_is_guessed_as_it_is() -> None:
    known = rules.start().known[0]
    assert guess(known, 100, random.Random(0)).squares == rules.start().board.squares
