"""Whether engines could know what chance would draw: by what they were told, or by trying small numbers.

An engine is told a seed. Once the dice could be computed from it: so what chance has drawn in a tournament's games is
drawn again from the seeds that engines were told, from the seeds of the games where these are small enough to be found,
and from small numbers, with the generator of today and that of before.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from math import log2

from ggtp.game.chance import Chance, derive
from ggtp.game.model import CHANCE, Move, Position
from ggtp.game.record import Node
from ggtp.tournament.plan.plan import Plan
from ggtp.tournament.results import Game
from ggtp.tournament.schedule.schedule import deal_seed, engine_seed

SMALL_BITS = 64
"""A key of no more bits is small: an engine, or somebody with many of them, finds it by trying."""
SMALL = 128
"""How many small numbers are tried here: enough to find a seed that somebody has forgotten to set."""
MOST_GAMES = 16
"""How many games of a rule are looked at: each costs a few hundred draws at most."""
ENOUGH_BITS = 40.0
"""How much chance must have drawn before it is no accident that a seed draws the same."""
SAMPLES = 32
"""How often a position is drawn from to see how much its draw tells."""

GENERATORS: dict[str, Callable[[int], random.Random]] = {
    "as dice are drawn": lambda key: Chance(derive(key, "chance")),
    "as dice were drawn once": random.Random,
}


class Predictions:
    """The seeds that have drawn, in every game of one rule that was looked at, what chance has drawn there."""

    def __init__(self) -> None:
        self.games = 0
        self._bits = 0.0
        self._left: set[tuple[str, str]] = set()
        """What still predicts all, and by which generator."""

    def look(self, plan: Plan, game: Game, nodes: Sequence[Node]) -> None:
        """Another game of the rule."""
        start = plan.rules[game.plan.rule].starts[game.plan.start]
        draws = list(_draws(nodes, len(start.moves)))
        if not draws or self.games >= MOST_GAMES or (self.games and not self._left):
            return
        keys = dict(_tried(plan, game))
        tried = self._left if self.games else {(what, how) for what in keys for how in GENERATORS}
        self._left = {
            (what, how) for what, how in tried if what in keys and _predicts(draws, GENERATORS[how](keys[what]))
        }
        self.games += 1
        self._bits += sum(_information(position) for position, _ in draws)

    def found(self) -> list[str]:
        """What predicts the dice, in words; nothing where that may be an accident."""
        if self._bits < ENOUGH_BITS:
            return []
        games = f"{self.games} game{'s' * (self.games != 1)}"
        return [f"chance in {games} is drawn from {what}, {how}" for what, how in sorted(self._left)]


def _tried(plan: Plan, game: Game) -> Iterator[tuple[str, int]]:
    for number in range(SMALL):
        yield f"the seed {number}", number
    for seat in game.plan.seats:
        yield f"the seed that the engine of {seat} is told", engine_seed(game.plan, seat)
    seed = deal_seed(plan, game.plan, game.attempt)
    if seed.bit_length() <= SMALL_BITS:
        yield f"the game's seed, which has at most {SMALL_BITS} bits and can be found by trying", seed


def _draws(nodes: Sequence[Node], given: int) -> Iterator[tuple[Position, Move]]:
    """Where chance has drawn, and what; the first moves are given by the start position."""
    for node in nodes:
        assert node.parent is not None
        for actor, move in node.made:
            if actor == CHANCE and given <= 0:
                yield node.parent.position, move
            given -= 1


def _predicts(draws: Sequence[tuple[Position, Move]], rng: random.Random) -> bool:
    return all(position.draw(rng) == move for position, move in draws)


def _information(position: Position) -> float:
    """How many bits a draw has, at least about: by how often two draws are the same."""
    rng = Chance(0)
    drawn = [position.draw(rng) for _ in range(SAMPLES)]
    same = sum(one == other for place, one in enumerate(drawn) for other in drawn[:place])
    return log2(SAMPLES * (SAMPLES - 1) / 2 / (same + 1))
