"""Trees of positions for rules in Python: nodes, edges, and a table of all nodes that keeps below a ceiling."""

from __future__ import annotations

from collections.abc import Hashable

from ggtp.game import Move, Player, Position
from ggtp.search.playouts.policy import Values
from ggtp.search.tree import statistics

NODE_BYTES = 1000
EDGE_BYTES = 250
"""What they take, roughly, the position and its key included."""
ROOM = 0.7
"""How much of the ceiling may still be used when room was made."""


class Edge(statistics.Edge):
    """A move, or a joint move, and what came of it."""

    __slots__ = ("child", "length", "proven")

    def __init__(self) -> None:
        super().__init__()
        self.child: Node | None = None
        self.proven: float | None = None
        """The value, where it is certain."""
        self.length = 0
        """Where it is, how many moves lead to the end."""


class Node(statistics.Node):
    """A position, or what is behind the same moves where chance makes several positions of them."""

    __slots__ = ("edges", "floor", "length", "opened", "order", "position", "proven", "tables", "totals")

    def __init__(self, position: Position | None, players: int) -> None:
        super().__init__()
        self.position = position
        """None where chance decides which one it is."""
        self.totals = [0.0] * players
        self.edges: dict[Move | tuple[Move, ...], Edge] = {}
        """By move, or by the moves of all who move here in the order of the turn."""
        self.tables: dict[Player, dict[Move, Edge]] = {}
        """Where players choose each for themselves: by player and move."""
        self.order: list[Move] | None = None
        """With widening: the moves, those that are looked at already before the others."""
        self.opened = 0
        self.proven: Values | None = None
        self.length = 0
        self.floor: Edge | None = None
        """The best of what is certain for the player to move."""

    def bytes(self) -> int:
        """About how much memory it takes."""
        entries = len(self.edges) + sum(map(len, self.tables.values())) + len(self.kept or ())
        return NODE_BYTES + EDGE_BYTES * entries


class Table:
    """All nodes of the tree, by the keys of their positions."""

    def __init__(self, megabytes: int) -> None:
        self.ceiling = megabytes << 20
        self.used = 0
        self._nodes: dict[Hashable, Node] = {}

    def __len__(self) -> int:
        return len(self._nodes)

    def find(self, key: Hashable) -> Node | None:
        """The node of a position."""
        return self._nodes.get(key)

    def keep(self, key: Hashable, node: Node) -> None:
        """Remember a node; the first one of a position stands."""
        self._nodes.setdefault(key, node)

    def charge(self, size: int) -> None:
        """Count memory that was taken."""
        self.used += size

    @property
    def full(self) -> bool:
        """Whether nothing more may be added."""
        return self.used >= self.ceiling

    def make_room(self, root: Node) -> None:
        """Forget what can't be reached from the root any more, and then whatever was visited least."""
        least = 0
        while True:
            kept = self._reachable(root, least)
            self.used = sum(node.bytes() for node in kept)
            if self.used <= ROOM * self.ceiling or len(kept) <= 1:
                break
            least = max(1, 2 * least)
        alive = set(map(id, kept))
        self._nodes = {key: node for key, node in self._nodes.items() if id(node) in alive}

    def _reachable(self, root: Node, least: int) -> list[Node]:
        """The nodes below the root with at least so many visits; the others are cut off."""
        seen = {id(root)}
        found = [root]
        for node in found:
            for edge in node.edges.values():
                child = edge.child
                if child is None or id(child) in seen:
                    continue
                if child.visits < least and edge.proven is None:
                    edge.child = None
                    continue
                seen.add(id(child))
                found.append(child)
        return found


def prove(node: Node, edge: Edge, child: Node, seat: int) -> None:
    """The value of a child is certain: so is that of the edge to it, and perhaps that of the node.

    Args:
        node: where a player chooses.
        edge: one of the node's edges.
        child: where it leads.
        seat: the player.
    """
    assert child.proven is not None
    edge.proven, edge.length = child.proven[seat], child.length + 1
    if node.floor is None or (node.floor.proven or 0.0) < edge.proven:
        node.floor = edge
    if node.proven is not None:
        return
    if edge.proven >= 1:
        node.proven, node.length = child.proven, edge.length
        return
    edges = list(node.edges.values())
    if any(other.proven is None for other in edges):
        return
    # Of what is equal to the player, what lasts longer; others may still go wrong.
    best = max(edges, key=lambda other: (other.proven or 0.0, other.length))
    assert best.child is not None
    node.proven, node.length = best.child.proven, best.length
