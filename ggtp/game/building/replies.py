"""Answers to typed texts that no legal move has for a name."""

from __future__ import annotations

from collections.abc import Sequence

from ggtp.errors import MalformedMove
from ggtp.game.model import Move, Player

LONGEST = 40
"""How many characters of a typed text an answer repeats."""


def shortened(text: str) -> str:
    """Return the text, cut if it is long."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def some_of(moves: Sequence[Move], most: int = 6) -> str:
    """Return the first moves as one text, which says if there are more."""
    return " / ".join(moves[:most]) + (" / and so on" if len(moves) > most else "")


def unknown_move(player: Player, text: str, moves: Sequence[Move], most: int = 6) -> MalformedMove:
    """Return the error for a text that means no move; it names some moves of the player."""
    return MalformedMove(f"No move named {shortened(text)} for player {player}: write one of {some_of(moves, most)}.")
