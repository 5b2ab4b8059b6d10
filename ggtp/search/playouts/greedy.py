"""The greedy playout policy: of a few moves the one after which the rule's estimate is best."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from ggtp.game import Move, Player, Position, Turn, TurnKind, advice
from ggtp.search.playouts.policy import Context, Mover, PlayoutPolicy

TRIED = 3
"""How many moves are compared: more of them play better, and take time."""


class GreedyMover(Mover):
    """Compares a few moves where the rule estimates positions; else it plays at random."""

    on_searchers: ClassVar[bool] = False

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._estimates = False

    def start(self, position: Position) -> None:
        """See whether the rule estimates."""
        self._estimates = all(advice.estimate(position, player) is not None for player in self.context.players)

    def step(self, position: Position, turn: Turn) -> tuple[Mapping[Player, Move], Position]:
        """The move after which things look best to a player who moves alone."""
        if not self._estimates or turn.kind is not TurnKind.SINGLE:
            return super().step(position, turn)
        (player,) = turn.players
        seat = self.context.players.index(player)
        listed = advice.likely(position, player)
        few = self.context.rng.sample(listed, TRIED) if len(listed) > TRIED else listed
        found: tuple[Mapping[Player, Move], Position] | None = None
        best = 0.0
        for move in few:
            after = position.play({player: move}).position
            result = after.result()
            value = self.context.worth(result)[seat] if result is not None else advice.estimate(after, player) or 0.0
            if found is None or value > best:
                found, best = ({player: move}, after), value
        assert found is not None, "the player to move has a move"
        return found


@dataclass(frozen=True, slots=True)
class Greedy(PlayoutPolicy):
    """Greedy moves, where the rule estimates positions."""

    name: ClassVar[str] = "greedy"

    def mover(self, context: Context) -> Mover:
        """What chooses the moves of a search."""
        return GreedyMover(context)
