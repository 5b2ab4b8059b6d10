"""What an engine can do wrong, and what it may cost: a fault is data, its price is policy."""

from __future__ import annotations

from dataclasses import dataclass

from ggtp.game import Player

CLASSES: dict[str, str] = {
    "exit": "ends when it should not",
    "lost": "loses its connection, on another machine",
    "silence": "does not answer, or does not read",
    "protocol": "says what the protocol does not allow",
    "flood": "sends a line that is too long",
    "limit": "uses too much memory or too many processes",
    "illegal": "selects an illegal move",
    "late": "moves too late",
}
"""The classes of faults, and how a sentence about them goes on."""

LIVING = frozenset({"illegal", "late"})
"""Faults after which the engine can still be talked to."""

ASK, RESTART, RANDOM, FORFEIT = POLICIES = ("ask", "restart", "random", "forfeit")
"""What may follow: hold the play for the supervisor; restart the engine and replay the play into
it; play a random legal move for it; end the play as its loss."""


DEFAULT_POLICIES: dict[str, str] = {"lost": RESTART}
"""What follows unless the supervisor says otherwise, where it is not to ask."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that an engine did wrong."""

    player: Player
    engine: str
    fault: str
    """One of `CLASSES`."""
    what: str
    """One sentence."""
    last_words: str = ""
    """The tail of its stderr."""
    node: int = 0
    """Where in the play tree it happened."""

    def sentence(self) -> str:
        """Who, what and why."""
        return f"Fault of {self.player} ({self.engine}), {self.fault}: {self.what}"
