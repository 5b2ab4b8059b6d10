"""What a tree of a compiled game says: what is known of the moves of a node, and the line that is to follow."""

from __future__ import annotations

from ggtp.search.mcts.compiled import layout
from ggtp.search.mcts.compiled.tree import FlatTree
from ggtp.search.mcts.report import Choice

LONGEST = 64
"""How much of a line is read, at most."""


def move_text(text: str) -> str:
    """A move of a network as the house writes it: without its outer parentheses."""
    return text[1:-1] if text.startswith("(") and " " in text else text


def text_of(tree: FlatTree, role: int, move: int) -> str:
    """A role's move by its number."""
    return move_text(tree.network.moves[role][move])


def choices_in(tree: FlatTree, node: int, role: int, *, decoupled: bool) -> list[Choice]:
    """What is known of a role's moves; where several choose, summed over joint moves, or of each by itself."""
    if tree.node(node, layout.KIND) != layout.TOGETHER:
        edges = tree.edges(node)
        return [Choice(text_of(tree, role, e.move), e.visits, e.value, e.proven, e.length) for e in edges]
    if decoupled:
        return [Choice(text_of(tree, role, e.move), e.visits, e.value) for e in tree.own_edges(node, role)]
    return _summed(tree, node, role)


def _summed(tree: FlatTree, node: int, role: int) -> list[Choice]:
    """The paper's equation 3: a move's value is the sum over all that the others may do, each with equal weight."""
    own = tree.own_edges(node, role)
    sums = [[0.0, 0.0, 0.0] for _ in own]
    for joint, edge in enumerate(tree.edges(node)):
        if edge.child >= 0 and edge.visits:
            entry = sums[tree.joint_place(node, joint, role)]
            entry[0] += tree.values(edge.child)[role]
            entry[1] += 1
            entry[2] += edge.visits
    return [
        Choice(text_of(tree, role, edge.move), visits, total / count if count else 0.0)
        for edge, (total, count, visits) in zip(own, sums, strict=True)
    ]


def line_from(tree: FlatTree, root: int, first: str | None = None) -> list[str]:
    """The moves that are made most often from a node on; moves at the same time are joined by a plus sign.

    Args:
        tree: where to read.
        root: the node.
        first: the move that will be made there, where one player chooses.
    """
    line: list[str] = []
    node, seen = root, set[int]()
    while node >= 0 and node not in seen and len(line) < LONGEST:
        seen.add(node)
        edges = list(tree.edges(node))
        if not edges or tree.node(node, layout.STATUS) == layout.BEING_MADE:
            break
        place = max(range(len(edges)), key=lambda i: (edges[i].proven and edges[i].value >= 1, edges[i].visits))
        kind = tree.node(node, layout.KIND)
        made = node == root and kind >= 0 and first is not None
        if made:
            place = next((i for i, edge in enumerate(edges) if text_of(tree, kind, edge.move) == first), place)
        edge = edges[place]
        if not edge.visits and not made:
            break
        line.append(_joint_text(tree, node, place) if kind < 0 else text_of(tree, kind, edge.move))
        node = edge.child
    return line


def _joint_text(tree: FlatTree, node: int, joint: int) -> str:
    parts = []
    for role, count in enumerate(tree.move_counts(node)):
        if count > 1:
            edge = tree.own_edges(node, role)[tree.joint_place(node, joint, role)]
            parts.append(text_of(tree, role, edge.move))
    return "+".join(parts)
