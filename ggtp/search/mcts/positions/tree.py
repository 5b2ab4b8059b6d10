"""Trees of positions for rules in Python: nodes, edges, and a table of all nodes that keeps below a ceiling."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeAlias

from ggtp.game import Move, Player, Position

Values: TypeAlias = tuple[float, ...]
"""Each player's value, from 0 to 1, in seating order."""

NODE_BYTES = 1000
EDGE_BYTES = 250
"""What they take, roughly, the position and its key included."""
ROOM = 0.7
"""How much of the ceiling may still be used when room was made."""


class Edge:
    """A move, or a joint move, and what came of it."""

    __slots__ = ("child", "length", "proven", "rave_total", "rave_visits", "total", "visits")

    def __init__(self) -> None:
        self.child: Node | None = None
        self.visits = 0
        self.total = 0.0
        """The values of whoever chooses: the mover, or all players on average where several move."""
        self.proven: float | None = None
        """The value, where it is certain."""
        self.length = 0
        """Where it is, how many moves lead to the end."""
        self.rave_visits = 0
        self.rave_total = 0.0


class Node:
    """A position, or what is behind the same moves where chance makes several positions of them."""

    __slots__ = ("edges", "floor", "length", "opened", "order", "position", "proven", "tables", "totals", "visits")

    def __init__(self, position: Position | None, players: int) -> None:
        self.position = position
        """None where chance decides which one it is."""
        self.visits = 0
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
        return NODE_BYTES + EDGE_BYTES * (len(self.edges) + sum(map(len, self.tables.values())))


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
