"""Engines on other machines that lost their connection while they thought, and what their clocks say meanwhile."""

from __future__ import annotations

from dataclasses import dataclass

from ggtp.game import Player
from ggtp.game.record import Node
from ggtp.referee.desk import Desk
from ggtp.referee.engines import Link

LEAST_PATIENCE = 0.05
"""How many seconds an engine that was lost is waited for, though its time is over."""


@dataclass(frozen=True, slots=True)
class Away:
    """An engine that was thinking when its connection was lost."""

    node: Node
    """Where the play was."""
    asked_at: float
    lost_at: float
    limit: float | None
    """The time it had for the move."""

    def spent(self, now: float, *, held: bool) -> float:
        """How much of that is gone by now: the time it was away counts unless its clock is held."""
        return max(0.0, (self.lost_at if held else now) - self.asked_at)


class Absences:
    """Who is away, by player."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._away: dict[Player, Away] = {}

    def clear(self) -> None:
        """A new play: nobody is missed."""
        self._away.clear()

    def forget(self, player: Player) -> None:
        """The player has a new engine."""
        self._away.pop(player, None)

    def note(self, link: Link, node: Node) -> None:
        """An engine is lost at this place of the play: if it was thinking, what it has spent is remembered."""
        if link.asked_at is not None:
            limit = None if link.limit is None else link.limit + link.spent
            self._away[link.player] = Away(node, link.asked_at - link.spent, self._desk.now, limit)

    def spent(self, player: Player) -> float:
        """What a player's engine has spent already on the move that it is asked for now; it is no longer away."""
        away = self._away.pop(player, None)
        if away is None or away.node is not self._desk.play.need_record().cursor:
            return 0.0
        return away.spent(self._desk.now, held=self._clock_is_held())

    def patience(self, player: Player) -> float:
        """How long an engine that was lost is waited for: no longer than its clock runs."""
        settings = self._desk.settings
        patience = settings.seconds("reconnect_time")
        away = self._away.get(player)
        if away is None or away.limit is None or self._clock_is_held():
            return patience
        left = away.limit + settings.time_margin - away.spent(self._desk.now, held=False)
        return min(patience, max(LEAST_PATIENCE, left))

    def _clock_is_held(self) -> bool:
        return self._desk.settings.values["away_clock"] == "hold"
