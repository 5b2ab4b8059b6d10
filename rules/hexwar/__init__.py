"""HexWar: a small hex-and-counter wargame with simultaneous orders."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from ggtp.game import CHANCE, Move, Observation, Option, Player, Position, Rules, Seen, Traits, number
from ggtp.game.advice import Imagines

from .position import PLAYERS, Given, HexWarPosition, drawn
from .war import MAPS, begin


class HexWar(Rules, Imagines):
    """Players Red and Blue, who order each counter: `I1 C3` to march, `I1 attack C3`, `I1 hold`."""

    name = "HexWar"
    title = "a small wargame on hexes with simultaneous orders"
    traits = Traits(chance=True, hidden=True, joint=True)
    own_options = (
        Option("map", "valley", "where it is fought", choices=tuple(MAPS)),
        number("turns", 8, 1, 40, "how many turns are played"),
    )

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def begin(self, options: Mapping[str, str]) -> Position:
        return HexWarPosition(begin(options["map"], int(options["turns"])))

    def imagine(
        self, player: Player, values: Mapping[str, str], seen: Sequence[Observation], rng: random.Random
    ) -> Position | None:
        """The war as it was seen, with orders for the other where those are sealed."""
        position = self.start(values)
        assert isinstance(position, HexWarPosition)
        me = PLAYERS.index(player)
        own: list[Move] = []
        sealed = 0
        for item in seen:
            if not isinstance(item, Seen):
                continue
            if item.actor == CHANCE:
                if own or sealed:
                    orders = [tuple(part.split(": ", 1)[1].split(" / ")) for part in item.text.split("; ")]
                    position = HexWarPosition(position.war, (orders[0], orders[1]))
                    own, sealed = [], 0
                after = position.play({CHANCE: item.text}).position
                assert isinstance(after, HexWarPosition)
                position = after
            elif item.actor == player:
                own.append(item.text)
            else:
                sealed += 1
        if not own and not sealed:
            return position
        given: Given = (tuple(own), ()) if me == 0 else ((), tuple(own))
        return HexWarPosition(position.war, drawn(position.war, given, 1 - me, sealed, rng))


RULES = HexWar()
