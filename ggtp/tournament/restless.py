"""Engines that use a processor while others are to move: that is taken from whoever thinks, and it is warned of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ggtp.tournament.results import Game

BURNING = 0.5
"""How much of a processor an idle engine may want. Less is what it takes to follow the play and to tidy up, on a busy
machine, where that has to wait, too; one that spins wants a whole one."""
WATCHED_SECONDS = 1.0
"""How long an engine must have been watched before anything is said of it."""


@dataclass(slots=True)
class Idleness:
    """What an engine did while others were to move, as far as it was watched."""

    watched: float = 0.0
    """Seconds."""
    used: float = 0.0
    """Seconds of processor time that it used in these, or wanted and had to wait for."""

    @property
    def share(self) -> float:
        """How much of a processor that was; an engine with many threads may use more than one."""
        return self.used / self.watched if self.watched else 0.0

    @property
    def burning(self) -> bool:
        """Whether that is worth a warning."""
        return self.watched >= WATCHED_SECONDS and self.share >= BURNING

    def add(self, watched: float, used: float) -> None:
        """It was watched a while longer."""
        self.watched += watched
        self.used += used

    def warning(self, name: str) -> str:
        """A sentence on the player of that name."""
        return (
            f"{name} wanted {100 * self.share:.0f} % of a processor while it was not its turn, over {self.watched:.1f} "
            "s: it ponders or waits busily, and takes that from whoever thinks."
        )


def idleness(games: Iterable[Game]) -> dict[str, Idleness]:
    """Player to what it did while others were to move, in these games."""
    found: dict[str, Idleness] = {}
    for game in games:
        for seat, (watched, used) in game.idle.items():
            found.setdefault(game.plan.seats[seat], Idleness()).add(watched, used)
    return found


def warnings(found: dict[str, Idleness]) -> list[str]:
    """A sentence for each player that should be warned of."""
    return [idle.warning(name) for name, idle in found.items() if idle.burning]
