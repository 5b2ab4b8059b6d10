"""GRAVE: moves that were made later in playouts count, by the statistics of a node that has seen enough of them.

Cazenave, *Generalized rapid action value estimation*, 2015. RAVE asks the node itself, which knows little while it has
few visits, just when that matters. Here the nearest ancestor with enough playouts is asked, so that nodes keep all
moves of playouts through them and not only those that can be made there.
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


def grave_weight(visits: int, later: int, bias: float) -> float:
    """How much the playouts in which a move was made later count: from 1 without visits towards 0, by the paper."""
    return later / (later + visits + bias * later * visits)


def reference(place: Place, ref: int) -> Node:
    """The node that is asked: the nearest with enough playouts, of those where moves were kept, or else the root."""
    node, _, path = place
    if node.visits >= ref and node.kept:
        return node
    for step in reversed(path):
        ancestor: Node = step[0]
        if ancestor.visits >= ref and ancestor.kept:
            return ancestor
    root: Node = path[0][0] if path else node
    return root


@dataclass(frozen=True, slots=True)
class Grave(TreePolicy):
    """UCB1, mixed with the same bound over the playouts through an ancestor in which a move was made later.

    Without exploration that is the paper's formula. Moves that are made together are chosen by UCB1 alone, unless each
    player chooses for itself.
    """

    ref: int = 0
    """The playouts from which on a node is asked."""
    bias: float = 1e-5
    """The greater, the sooner a move's own visits count more."""

    name: ClassVar[str] = "GRAVE"
    options: ClassVar[tuple[Option, ...]] = (
        number("Grave", 0, 0, 1 << 20, "playouts that a node needs to tell of moves made later; 0 to ask none"),
        number("GraveBias", 10, 0, 1_000_000, "how soon a move's own visits outweigh what nodes tell, in millionths"),
    )
    learns: ClassVar[bool] = True

    @classmethod
    def wanted(cls, values: Mapping[str, str]) -> Grave | None:
        """On where the playouts are not 0."""
        ref = int(values["Grave"])
        return cls(ref, int(values["GraveBias"]) / 1_000_000) if ref else None

    def scores(self, choices: Sequence[Choice], first: float, bonus: float, place: Place) -> list[float]:
        """The scores of moves."""
        scores = TreePolicy.scores(self, choices, first, bonus, place)
        seat, kept = place[1], reference(place, self.ref).kept
        if kept is not None and seat is not None:
            for at, (move, edge) in enumerate(choices):
                known = kept.get((seat, move))
                if known is not None:
                    count, total = known
                    weight = grave_weight(edge.visits, count, self.bias)
                    scores[at] = weight * (total / count + bonus / sqrt(count)) + (1 - weight) * scores[at]
        return scores

    def learn(
        self,
        node: Node,
        edges: Mapping[int, Mapping[Any, Edge]],
        later: Sequence[AbstractSet[Move]],
        values: Sequence[float],
    ) -> int:
        """Count the playout at all moves that anybody has made here or later."""
        kept = node.kept
        if kept is None:
            kept = node.kept = {}
        before = len(kept)
        for seat, made in enumerate(later):
            value = values[seat]
            for move in made:
                known = kept.get((seat, move))
                if known is None:
                    kept[seat, move] = [1, value]
                else:
                    known[0] += 1
                    known[1] += value
        return len(kept) - before

    def promise(self, choice: Choice, place: Place) -> float:
        """The mean of the playouts through the ancestor in which it was made later."""
        known = (reference(place, self.ref).kept or {}).get((place[1], choice[0]))
        return known[1] / known[0] if known is not None else 0.5
