"""Tree policies: how a search chooses moves on the way down, and what it learns from each playout for that.

`TreePolicy` itself is UCB1 (Kocsis and Szepesvári, *Bandit based Monte-Carlo planning*, 2006). An enhancement is a
module with a subclass and a row in `policies`: its options, when it is wanted, how it scores moves, and what it keeps.
Policies are values, without state: what they learn is kept in nodes and edges.

There are four forms of UCB1 in the project, and tests hold them together. This one serves all trees of objects. The
machine code of `mcts.compiled.descend` has its own, since it shares its tree among threads and counts playouts that
have begun. `features.uct` grows thousands of trees side by side, and scores the moves of all of them in one array.
`vgdl.player.trees` is machine code, too, and below this package: its values have no bounds, and are scaled first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from math import sqrt
from typing import Any, ClassVar, TypeAlias

from ggtp.game import Move, Option
from ggtp.search.tree.statistics import Edge, Node

Choice: TypeAlias = tuple[Any, Any]
"""A move, or moves made together, and its edge, of whatever class the tree has."""


Place: TypeAlias = tuple[Node, int | None, Sequence[tuple[Any, ...]]]
"""Where a move is to be chosen: the node, the player who chooses there (None where several choose together), and the
steps on the way from the root, each of which begins with its node."""


def most_urgent(scores: Sequence[float]) -> int:
    """The place of the highest score; the first of equals."""
    return scores.index(max(scores))


@dataclass(frozen=True, slots=True)
class TreePolicy:
    """UCB1, which goes by nothing but the playouts in which a move was made at the node."""

    name: ClassVar[str] = "UCB1"
    options: ClassVar[tuple[Option, ...]] = ()
    """What can be set."""
    machine_code: ClassVar[bool] = False
    """Whether searches of compiled games follow it, too."""
    learns: ClassVar[bool] = False
    """Whether it wants to know which moves were made later in a playout."""

    @classmethod
    def wanted(cls, values: Mapping[str, str]) -> TreePolicy | None:
        """The policy as its options have it; None where they leave it off."""
        return None

    def scores(self, choices: Sequence[Choice], first: float, bonus: float, place: Place) -> list[float]:
        """The scores of moves: the highest is the most urgent.

        Args:
            choices: the moves.
            first: the value of a move that was never made.
            bonus: the weight of exploration, times the root of the logarithm of the node's visits: a score has this
                much more, divided by the root of the move's visits.
            place: where the moves are made.
        """
        untried = first + bonus
        scores = []
        for _, edge in choices:
            visits = edge.visits
            scores.append(edge.total / visits + bonus / sqrt(visits) if visits else untried)
        return scores

    def learn(
        self,
        node: Node,
        edges: Mapping[int, Mapping[Any, Edge]],
        later: Sequence[AbstractSet[Move]],
        values: Sequence[float],
    ) -> int:
        """Learn from a playout through a node; called once for each node where somebody chose, if the policy learns.

        Args:
            node: the node.
            edges: the moves of each player who chose there for itself, by seat; none where several chose together.
            later: the moves that each player made there or later.
            values: the result for each player.

        Returns:
            How many entries were added to what the node keeps.
        """
        return 0

    def promise(self, choice: Choice, place: Place) -> float:
        """What a move is expected to be worth before it is tried: the order in which widening looks at moves."""
        return 0.5


@dataclass(frozen=True, slots=True)
class Uct(TreePolicy):
    """UCB1 by itself."""

    machine_code: ClassVar[bool] = True


UCT = Uct()
