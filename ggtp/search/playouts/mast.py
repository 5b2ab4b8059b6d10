"""MAST: moves that were good in playouts are made more often in playouts, wherever they are possible.

Finnsson and Björnsson, *Simulation-based approach to general game playing*, 2008: the move-average sampling technique.
The best move on average is made, or any, with a fixed probability (Tak, Winands and Björnsson, *N-grams and the
last-good-reply policy applied in general game playing*, 2012), and not by the Gibbs distribution of the first paper:
its temperature would have to fit the scale of results, and games with secrets count points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from math import inf
from typing import ClassVar

from ggtp.game import Move, Option, Player, Position, Searcher, advice, number
from ggtp.search.playouts.policy import Context, Mover, PlayoutPolicy, Values

KEPT = 0.2
"""How much a playout counts in the next search: what was good before the last moves may not be good now. From Tak,
Winands and Björnsson, *Decaying simulation strategies*, 2014."""


class MastMover(Mover):
    """Makes the move that was best on average, for its player and over all playouts in which it was made."""

    learns: ClassVar[bool] = True
    picks: ClassVar[bool] = True

    def __init__(self, context: Context, epsilon: float) -> None:
        """Nothing is known yet.

        Args:
            context: who plays, and with which chance.
            epsilon: the probability of any move instead.
        """
        super().__init__(context)
        self._epsilon = epsilon
        self._seats = {player: seat for seat, player in enumerate(context.players)}
        self.means: list[dict[Move, float]] = [{} for _ in context.players]
        """By seat and move, what the player got on average."""
        self.weights: list[dict[Move, float]] = [{} for _ in context.players]
        """Of how many playouts that is the average."""

    def begin(self) -> None:
        """Let what is known count less."""
        self.weights = [{move: KEPT * weight for move, weight in known.items()} for known in self.weights]

    def choose(self, position: Position, player: Player) -> Move:
        """One player's move."""
        if self.context.rng.random() < self._epsilon:
            return super().choose(position, player)
        moves = advice.likely(position, player)
        return moves[self._best(self._seats[player], moves)]

    def pick(self, searcher: Searcher, seat: int, legal: Sequence[int]) -> int:
        """The move of a player in a searcher."""
        random = self.context.rng.random
        if random() < self._epsilon:
            return legal[int(random() * len(legal))]
        # A move's text may depend on the position, so that none can be kept.
        return legal[self._best(seat, [*map(searcher.text, legal)])]

    def _best(self, seat: int, moves: Sequence[Move]) -> int:
        """The place of the best move; any of equals. A move never made comes first: it may be better than all."""
        means = self.means[seat]
        values = [means.get(move, inf) for move in moves]
        most = max(values)
        places = [place for place, value in enumerate(values) if value == most]
        return places[0] if len(places) == 1 else self.context.rng.choice(places)

    def learn(self, made: Sequence[AbstractSet[Move]], values: Values) -> None:
        """Count the playout at all moves that were made in it."""
        for means, weights, moves, value in zip(self.means, self.weights, made, values, strict=True):
            for move in moves:
                weight = weights[move] = weights.get(move, 0.0) + 1
                mean = means.get(move, 0.0)
                means[move] = mean + (value - mean) / weight


@dataclass(frozen=True, slots=True)
class Mast(PlayoutPolicy):
    """The best moves on average, or any."""

    epsilon: float = 0.4
    """The probability of any move."""

    name: ClassVar[str] = "mast"
    options: ClassVar[tuple[Option, ...]] = (
        number("MastEpsilon", 40, 0, 100, "how many moves of playouts with mast are random, in percent"),
    )

    @classmethod
    def read(cls, values: Mapping[str, str]) -> Mast:
        """The policy by the values of all options."""
        return cls(int(values["MastEpsilon"]) / 100)

    def mover(self, context: Context) -> Mover:
        """What chooses the moves of a search."""
        return MastMover(context, self.epsilon)
