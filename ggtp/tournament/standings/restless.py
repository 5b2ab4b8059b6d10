"""Engines that use a processor while others are to move: that is taken from whoever thinks, and it is warned of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ggtp.tournament.results import Game

BURNING = 0.25
"""How much of a processor an idle engine may use. Less is what it takes to follow the play and to tidy up; one that
spins uses a whole one, as far as it is given one."""
WATCHED_SECONDS = 1.0
"""How long an engine must have been watched before anything is said of it."""
FREE_SECONDS = 0.25
"""For how much of that it must not have waited for a processor: what is left on a machine that is far too busy tells
nothing."""


@dataclass(slots=True)
class Idleness:
    """What an engine did while others were to move, as far as it was watched."""

    watched: float = 0.0
    """Seconds."""
    used: float = 0.0
    """Seconds of processor time that it used in these."""
    waited: float = 0.0
    """Seconds of these in which it wanted a processor and had none: that thread of it which waited longest."""

    @property
    def share(self) -> float:
        """How much of a processor it used while nobody kept it from that, so that a busy machine makes no difference.

        Who sleeps and is woken for a moment uses little, however long it waits for it; who spins uses all that it is
        given. An engine with many threads may use more than one processor.
        """
        free = max(self.watched - self.waited, self.watched / 1000)
        return self.used / free if free else 0.0

    @property
    def burning(self) -> bool:
        """Whether that is worth a warning."""
        enough = self.watched >= WATCHED_SECONDS and self.watched - self.waited >= FREE_SECONDS
        return enough and self.share >= BURNING

    def add(self, watched: float, used: float, waited: float = 0.0) -> None:
        """It was watched a while longer."""
        self.watched += watched
        self.used += used
        self.waited += waited

    def warning(self, name: str) -> str:
        """A sentence on the player of that name."""
        return (
            f"{name} used {100 * self.share:.0f} % of a processor while it was not its turn, over {self.watched:.1f} "
            "s: it ponders or waits busily, and takes that from whoever thinks."
        )


def idleness(games: Iterable[Game]) -> dict[str, Idleness]:
    """Player to what it did while others were to move, in these games."""
    found: dict[str, Idleness] = {}
    for game in games:
        for seat, idle in game.idle.items():
            found.setdefault(game.plan.seats[seat], Idleness()).add(*idle)
    return found


def warnings(found: dict[str, Idleness]) -> list[str]:
    """A sentence for each player that should be warned of."""
    return [idle.warning(name) for name, idle in found.items() if idle.burning]
