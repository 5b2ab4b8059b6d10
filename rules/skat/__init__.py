"""Skat, after the International Skat Order: bidding with all values, hand games, announcements, null, and scoring."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from ggtp.errors import MoveError
from ggtp.game import Observation, Option, Player, Position, Rules, Seen, Traits
from ggtp.game.advice import HasHorizon, Imagines

from .contract import PLAYERS
from .position import SkatPosition


class Skat(Rules, HasHorizon, Imagines):
    """Players `Forehand`, `Middlehand`, `Rearhand`; moves are bids, games such as `grand hand`, and cards: `CJ`."""

    name = "Skat"
    title = "the German game of tricks for three, with real bidding"
    traits = Traits(min_players=3, max_players=3, chance=True, hidden=True, zero_sum=False)
    horizon = 0
    own_options = (Option("scoring", "plain", "how a deal is scored", choices=("plain", "seeger")),)

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def begin(self, options: Mapping[str, str]) -> Position:
        return SkatPosition(options["scoring"])

    def imagine(
        self, player: Player, values: Mapping[str, str], seen: Sequence[Observation], rng: random.Random
    ) -> Position | None:
        """Any deal that explains what the player has seen, each as likely as any other."""
        told = [(one.actor, one.text) for one in seen if isinstance(one, Seen)]
        first = SkatPosition(self.complete(values)["scoring"])
        try:
            return first.follow(player, told).determinize(player, rng)
        except (MoveError, ValueError):
            return None


RULES = Skat()
