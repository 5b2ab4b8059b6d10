"""Bridge: one board of duplicate contract bridge, auction, play and score."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from ggtp.errors import MoveError
from ggtp.game import Observation, Player, Position, Rules, Seen, Traits, number
from ggtp.game.advice import HasHorizon, Imagines

from .contract import PLAYERS
from .position import BridgePosition


class Bridge(Rules, HasHorizon, Imagines):
    """Players `North`, `East`, `South` and `West`; moves are calls, `1NT`, `X`, `Pass`, and cards, `SA`."""

    name = "Bridge"
    title = "contract bridge: auction, play and score of one board"
    traits = Traits(min_players=4, max_players=4, chance=True, hidden=True)
    horizon = 0
    own_options = (number("board", 1, 1, 16, "which board: it says who deals and who is vulnerable"),)

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def begin(self, options: Mapping[str, str]) -> Position:
        return BridgePosition(int(options["board"]))

    def imagine(
        self, player: Player, values: Mapping[str, str], seen: Sequence[Observation], rng: random.Random
    ) -> Position | None:
        """Any deal that explains what the player has seen, each as likely as any other."""
        told = [(one.actor, one.text) for one in seen if isinstance(one, Seen)]
        first = BridgePosition(int(self.complete(values)["board"]))
        try:
            return first.follow(player, told).determinize(player, rng)
        except (MoveError, ValueError, LookupError):
            return None


RULES = Bridge()
