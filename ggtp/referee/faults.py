"""What an engine did wrong at this table; what it may cost is in `ggtp.faults`."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ggtp.game import Player
from ggtp.game.clock import MoveTime

MASKED = {"illegal": "a move.", "protocol": "a line."}
"""What others may know of faults whose sentence quotes what the engine said."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that an engine did wrong."""

    player: Player
    engine: str
    fault: str
    """The name of its class, one of `ggtp.faults.AT_PROMPTS`."""
    what: str
    """One sentence."""
    last_words: str = ""
    """The tail of its stderr."""
    node: int = 0
    """Where in the play tree it happened."""
    time: MoveTime | None = None
    """The time of the move, where that was late."""

    def sentence(self) -> str:
        """Who, what and why."""
        return f"Fault of {self.player} ({self.engine}), {self.fault}: {self.what}"

    def masked(self) -> Fault:
        """The fault without what the engine said, which may tell a secret: for the other players of such a game."""
        return replace(self, what=MASKED.get(self.fault, self.what), last_words="")

    def seen_by(self, viewer: Player | None) -> Fault:
        """The fault as a player may know it; None sees all."""
        return self if viewer in (None, self.player) else self.masked()
