"""What an engine did wrong at this table; what it may cost is in `ggtp.faults`."""

from __future__ import annotations

from dataclasses import dataclass

from ggtp.game import Player


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

    def sentence(self) -> str:
        """Who, what and why."""
        return f"Fault of {self.player} ({self.engine}), {self.fault}: {self.what}"
