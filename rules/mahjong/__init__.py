"""MahJong: Japanese Mah Jong for four, with claims and their priority."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from ggtp.game import Observation, Option, Player, Position, Rules, Seen, Traits, duration
from ggtp.game.advice import Imagines

from .follow import PLAYERS, Follower
from .position import MahJongPosition
from .table import DEAL, END, Own, Table, guess


class MahJong(Rules, Imagines):
    """Four players; a move is a tile to discard, `5m`, or `riichi 5m`, `kong 5m`, `tsumo`; claims are as `pong`."""

    name = "MahJong"
    title = "Japanese Mah Jong for four, with claims and priority"
    traits = Traits(min_players=4, max_players=4, chance=True, hidden=True, joint=True)
    own_options = (
        Option("hands", "1", "how many hands are played, the deal passing on after each", choices=("1", "4", "8")),
        Option("minimum", "1", "1: a hand needs a yaku to win; 0: any whole hand wins", choices=("1", "0")),
        duration(
            "claim_time", 0, 0, 60, "seconds after which who has not claimed a discard passes; 0 waits for all", "s"
        ),
    )

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def begin(self, options: Mapping[str, str]) -> Position:
        table = Table(int(options["hands"]), int(options["minimum"]))
        return MahJongPosition(table, [Own()] * 4, int(options["claim_time"]))

    def imagine(
        self, player: Player, values: Mapping[str, str], seen: Sequence[Observation], rng: random.Random
    ) -> Position | None:
        """The table as it was seen, with tiles for the others."""
        options = self.complete(values)
        follower = Follower(PLAYERS.index(player), Table(int(options["hands"]), int(options["minimum"])))
        for observation in seen:
            # A claim of the player's own that was refused changes nothing.
            if isinstance(observation, Seen):
                follower.hear(observation.actor, observation.text)
        table, me = follower.table, follower.me
        own = [Own()] * 4 if table.phase in (DEAL, END) else guess(table, me, follower.own, rng)
        return MahJongPosition(table, own, int(options["claim_time"]))


RULES = MahJong()
