"""What every tree over positions knows of a move and of a node: tree policies look at nothing else."""

from __future__ import annotations

from typing import Any


class Edge:
    """A move, and the results of the playouts in which it was made here, or later."""

    __slots__ = ("rave_total", "rave_visits", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.total = 0.0
        """The values for the player who chooses: the mover, or all players on average where several move."""
        self.rave_visits = 0
        """Playouts through the node in which the player made the move here or later, where the policy counts them."""
        self.rave_total = 0.0

    def mean(self) -> float:
        """What it is worth; 0 where it was never made."""
        return self.total / self.visits if self.visits else 0.0


class Node:
    """A place where somebody chooses."""

    __slots__ = ("kept", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.kept: dict[Any, Any] | None = None
        """What the tree policy keeps here, beside what edges hold; every entry takes as much memory as an edge."""
