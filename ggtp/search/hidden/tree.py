"""Trees of what players have seen: a node stands for all positions that look the same to whoever looks."""

from __future__ import annotations

from collections.abc import Hashable

from ggtp.game import Move, Player
from ggtp.search.tree import statistics

NODE_BYTES = 700
EDGE_BYTES = 200
"""What they take, roughly, the texts included."""


class Edge(statistics.Edge):
    """A move of one player, and what came of it for that player."""

    __slots__ = ("available",)

    def __init__(self) -> None:
        super().__init__()
        self.available = 0
        """How often it could have been chosen: what is not possible in a position is not to be blamed for it."""


class Node(statistics.Node):
    """What somebody knows: the moves that whoever moves can make, and what may be observed next."""

    __slots__ = ("children", "tables")

    def __init__(self) -> None:
        super().__init__()
        self.tables: dict[Player, dict[Move, Edge]] = {}
        """The moves of each player who has chosen here."""
        self.children: dict[Hashable, Node] = {}
        """By what is observed of a turn."""

    def edge(self, player: Player, move: Move) -> Edge | None:
        """A player's move, if it was ever possible here."""
        return self.tables.get(player, {}).get(move)


class Forest:
    """All nodes of a search, with a ceiling on the memory that they take."""

    def __init__(self, megabytes: int) -> None:
        self.ceiling = megabytes << 20
        self.used = 0
        self.nodes = 0

    @property
    def full(self) -> bool:
        """Whether nothing more may be added."""
        return self.used >= self.ceiling

    def plant(self) -> Node:
        """A new root; there is always room for one."""
        self.used += NODE_BYTES
        self.nodes += 1
        return Node()

    def child(self, node: Node, seen: Hashable) -> Node | None:
        """The node after such an observation; a new one where there was none, and None where there is no room."""
        found = node.children.get(seen)
        if found is None and not self.full:
            found = node.children[seen] = self.plant()
        return found

    def charge(self, edges: int) -> None:
        """Count edges that were added."""
        self.used += EDGE_BYTES * edges
