"""Skirmish: a real-time battle in discrete ticks, both players giving orders at once."""

from __future__ import annotations

from collections.abc import Mapping

from ggtp.game import Player, Position, Rules, Traits, duration, number

from .position import PLAYERS, SkirmishPosition
from .world import begin


class Skirmish(Rules):
    """Players Red and Blue, who order at every tick: `wait`, `train soldier`, `s2 attack`, `w1 gather`, `s2 north`."""

    name = "Skirmish"
    title = "gather, train and fight in ticks, both at once"
    traits = Traits(joint=True)
    own_options = (
        number("width", 9, 7, 26, "how many squares the board has across"),
        number("height", 7, 5, 26, "how many squares the board has up"),
        number("ticks", 120, 10, 1000, "after how many ticks the game is decided by what is left"),
        duration("tick_ms", 0, 0, 60000, "milliseconds after which a tick goes on without orders; 0 waits for both"),
    )

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def begin(self, options: Mapping[str, str]) -> Position:
        world = begin(int(options["width"]), int(options["height"]), int(options["ticks"]))
        return SkirmishPosition(world, int(options["tick_ms"]))


RULES = Skirmish()
