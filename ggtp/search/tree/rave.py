"""RAVE: moves that were made later in playouts count for the same moves here.

Gelly and Silver, *Combining online and offline knowledge in UCT*, 2007: all moves of a playout count as if each had
been its first, and the more a move has been tried here, the less that weighs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from math import sqrt
from typing import Any, ClassVar

from ggtp.game import Move, Option, number
from ggtp.search.tree.policy import Choice, Place, TreePolicy
from ggtp.search.tree.statistics import Edge, Node


def rave_weight(visits: int, equivalence: int) -> float:
    """How much the moves made later count, from 1 without visits towards 0; a half at `equivalence` visits."""
    return sqrt(equivalence / (3 * visits + equivalence)) if equivalence else 0.0


def learn_later(edges: Mapping[Any, Edge], made: AbstractSet[Move], value: float) -> None:
    """Count a playout at those of a node's moves that the player has made there or later."""
    for move in made:
        edge = edges.get(move)
        if edge is not None:
            edge.rave_visits += 1
            edge.rave_total += value


@dataclass(frozen=True, slots=True)
class Rave(TreePolicy):
    """UCB1, mixed with the same bound over the playouts in which a move was made later."""

    equivalence: int = 0
    """The visits of a move at which both count the same."""

    name: ClassVar[str] = "RAVE"
    options: ClassVar[tuple[Option, ...]] = (
        number("Rave", 0, 0, 1 << 20, "visits at which moves made later count half; 0 to count none of them"),
    )
    machine_code: ClassVar[bool] = True
    learns: ClassVar[bool] = True

    @classmethod
    def wanted(cls, values: Mapping[str, str]) -> Rave | None:
        """On where the equivalence is not 0."""
        equivalence = int(values["Rave"])
        return cls(equivalence) if equivalence else None

    def scores(self, choices: Sequence[Choice], first: float, bonus: float, place: Place) -> list[float]:
        """The scores of moves."""
        equivalence = self.equivalence
        scores = TreePolicy.scores(self, choices, first, bonus, place)
        for at, (_, edge) in enumerate(choices):
            count = edge.rave_visits
            if count:
                later = edge.rave_total / count + bonus / sqrt(count)
                weight = rave_weight(edge.visits, equivalence)
                scores[at] = weight * later + (1 - weight) * scores[at]
        return scores

    def learn(
        self,
        node: Node,
        edges: Mapping[int, Mapping[Any, Edge]],
        later: Sequence[AbstractSet[Move]],
        values: Sequence[float],
    ) -> int:
        """Count the playout at the moves that a player who chose here has made here or later."""
        for seat, own in edges.items():
            learn_later(own, later[seat], values[seat])
        return 0

    def promise(self, choice: Choice, place: Place) -> float:
        """The mean of the playouts in which it was made later."""
        _, edge = choice
        return edge.rave_total / edge.rave_visits if edge.rave_visits else 0.5
