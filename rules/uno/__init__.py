"""Uno, with jumping in: who holds the very card that was just played may play it out of turn, and the first counts."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from ggtp.errors import MoveError
from ggtp.game import Observation, Player, Position, Rules, Seen, Traits, duration, number, switch
from ggtp.game.advice import Imagines
from ggtp.game.building.cards import PEOPLE

from .position import UnoPosition
from .round import House, Round, follow


class Uno(Rules, Imagines):
    """Two to ten players; moves are `red 5`, `blue skip`, `wild green`, `draw`, and out of turn the same card."""

    name = "Uno"
    title = "get rid of your cards, and jump in with the same card"
    traits = Traits(min_players=2, max_players=10, chance=True, hidden=True, race=True, zero_sum=False)
    own_options = (
        number("players", 4, 2, 10, "how many play"),
        switch("jump_in", True, "whether the card just played may be played out of turn"),
        duration("window", 3, 1, 60, "seconds for jumping in", "s"),
        switch("may_draw", False, "whether one may draw who could play"),
        number("shuffles", 2, 0, 3, "how often the discards become the pile before the round ends"),
    )

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PEOPLE[: int(options["players"])]

    def begin(self, options: Mapping[str, str]) -> Position:
        return UnoPosition(self._first(options))

    def _first(self, options: Mapping[str, str]) -> Round:
        house = House(
            self.players(options),
            options["jump_in"] == "on",
            int(options["window"]),
            options["may_draw"] == "on",
            int(options["shuffles"]),
        )
        return Round(house)

    def imagine(
        self, player: Player, values: Mapping[str, str], seen: Sequence[Observation], rng: random.Random
    ) -> Position | None:
        """Cards for the others that agree with what they have shown."""
        told = [(one.actor, one.text) for one in seen if isinstance(one, Seen)]
        try:
            return UnoPosition(follow(self._first(self.complete(values)), told)).determinize(player, rng)
        except (MoveError, LookupError, ValueError):
            return None


RULES = Uno()
