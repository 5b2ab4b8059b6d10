"""Playout policies: how the moves of a playout are chosen.

A policy is a module with a `PlayoutPolicy`, which holds what was set, and with a `Mover`, which it makes for a search
and which may learn from playouts; a row in `policies` offers it to every engine whose playouts go over positions.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from ggtp.game import Move, Option, Player, Position, Result, Searcher, Turn, advice

Values: TypeAlias = Sequence[float]
"""Each player's value, in seating order."""
Worth: TypeAlias = Callable[[Result], Values]
"""What a result is worth to each player."""


@dataclass(frozen=True, slots=True)
class Context:
    """The players of a search, and its chance."""

    players: Sequence[Player]
    rng: random.Random
    worth: Worth


class Mover:
    """Chooses the moves of playouts, any legal move with the same probability, or as the rules advise."""

    learns: ClassVar[bool] = False
    """Whether it wants to know which moves were made in a playout, and what came of it."""
    on_searchers: ClassVar[bool] = True
    """Whether it plays by a rule's searcher, where there is one."""
    picks: ClassVar[bool] = False
    """Whether it chooses among a searcher's moves itself, by `pick`; else any of them is made, which takes no call."""

    def __init__(self, context: Context) -> None:
        self.context = context

    def begin(self) -> None:
        """A search of another position begins."""

    def start(self, position: Position) -> None:
        """A playout starts here."""

    def step(self, position: Position, turn: Turn) -> tuple[Mapping[Player, Move], Position]:
        """Play one turn that is not one of chance: the moves, and the position after them."""
        rng = self.context.rng
        moves = {player: self.choose(position, player) for player in turn.movers(rng)}
        return moves, position.play(moves).position

    def choose(self, position: Position, player: Player) -> Move:
        """One player's move."""
        return advice.casual(position, player, self.context.rng)

    def pick(self, searcher: Searcher, seat: int, legal: Sequence[int]) -> int:
        """The move of a player in a searcher, of those that are legal."""
        raise NotImplementedError

    def learn(self, made: Sequence[AbstractSet[Move]], values: Values) -> None:
        """Learn from a playout; called only for those that learn.

        Args:
            made: the moves that each player made, those of the tree among them.
            values: what each player got.
        """


@dataclass(frozen=True, slots=True)
class PlayoutPolicy:
    """A policy as its options have it."""

    name: ClassVar[str] = "random"
    options: ClassVar[tuple[Option, ...]] = ()
    """What can be set, beside its name."""
    machine_code: ClassVar[bool] = False
    """Whether searches of compiled games follow it, too."""

    @classmethod
    def read(cls, values: Mapping[str, str]) -> PlayoutPolicy:
        """The policy by the values of all options."""
        return cls()

    def mover(self, context: Context) -> Mover:
        """What chooses the moves of a search."""
        return Mover(context)


@dataclass(frozen=True, slots=True)
class RandomPolicy(PlayoutPolicy):
    """Random moves."""

    machine_code: ClassVar[bool] = True


RANDOM = RandomPolicy()
