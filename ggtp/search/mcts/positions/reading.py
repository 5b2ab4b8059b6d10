"""What a tree over positions says: what is known of the moves of a node, and the line that is expected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ggtp.game import Move
from ggtp.search.mcts.positions.tree import Edge, Node
from ggtp.search.mcts.report import Choice

LONGEST = 400
"""How much of a line is read, at most."""


def choices_of(moves: Sequence[Move], edges: Mapping[Any, Edge]) -> list[Choice]:
    """What is known of the moves of one player."""
    return [_choice(move, edges.get(move)) for move in moves]


def _choice(move: Move, edge: Edge | None) -> Choice:
    if edge is None:
        return Choice(move, 0, 0.0)
    if edge.proven is not None:
        return Choice(move, edge.visits, edge.proven, True, edge.length)
    return Choice(move, edge.visits, edge.mean())


def summed_choices(root: Node, moves: Sequence[Move], place: int, seat: int) -> list[Choice]:
    """The paper's equation 3: a move's value is the sum over all that the others may do, each with equal weight.

    Args:
        root: where several move at the same time.
        moves: the moves of one of them.
        place: where its move stands in a joint move.
        seat: whose values to sum.
    """
    sums = {move: [0.0, 0, 0] for move in moves}
    for joint, edge in list(root.edges.items()):
        child = edge.child
        if child is not None and edge.visits and child.visits:
            entry = sums[joint[place]]
            entry[0] += child.totals[seat] / child.visits
            entry[1] += 1
            entry[2] += edge.visits
    return [Choice(move, visits, total / count if count else 0.0) for move, (total, count, visits) in sums.items()]


def line_from(root: Node, first: Move | None) -> list[str]:
    """What is expected to follow, beginning with a move that will be made, where one player chooses."""
    line: list[str] = []
    node: Node | None = root
    seen: set[int] = set()
    while node is not None and node.edges and id(node) not in seen and len(line) < LONGEST:
        seen.add(id(node))
        edges = list(node.edges.items())
        move, edge = max(edges, key=lambda pair: (pair[1].proven or 0.0, pair[1].visits))
        if node is root and first is not None and first in node.edges:
            move, edge = first, node.edges[first]
        if not edge.visits:
            break
        line.append(move if isinstance(move, str) else "+".join(move))
        node = edge.child
    return line
