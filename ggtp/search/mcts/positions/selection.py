"""Which move a tree over positions of rules in Python looks at next, on the way down."""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt
from typing import Any, TypeAlias, TypeVar

from ggtp.game import Move
from ggtp.search.mcts.options import Settings, considered
from ggtp.search.mcts.positions.tree import Edge, Node
from ggtp.search.tree.policy import TreePolicy, most_urgent

Key = TypeVar("Key", Move, "Move | tuple[Move, ...]", tuple[Move, ...])

Place: TypeAlias = tuple[Node, int | None, Sequence[tuple[Any, ...]]]
"""A place as `tree.policy` has it, in this tree."""


def chosen_of(choices: Sequence[tuple[Key, Edge]], place: Place, settings: Settings) -> Key:
    """The most urgent of the moves of a place."""
    node, seat, _ = place
    first = settings.first_play
    if first is None:
        total = sum(node.totals) / len(node.totals) if seat is None else node.totals[seat]
        first = total / node.visits if node.visits else 0.5
    bonus = settings.exploration * sqrt(log(node.visits + 1))
    if node.floor is not None:
        # What is certain need not be looked at again, unless nothing else is left.
        choices = [choice for choice in choices if choice[1].proven is None] or choices[:1]
    scores = settings.selection.scores(choices, first, bonus, place)
    return choices[most_urgent(scores)][0]


def widened(place: Place, moves: Sequence[Move], widening: int, policy: TreePolicy) -> list[Move]:
    """The moves that are looked at by now; a new one is that of which the policy promises most, else any."""
    node, _, _ = place
    order = node.order = node.order or []
    if len(order) < len(node.edges):
        # After another draw there may be other moves; what is opened stays in front.
        known = set(order)
        order += [move for move in node.edges if isinstance(move, str) and move not in known]
    wanted = considered(node.visits, len(order), widening)
    while node.opened < wanted:
        best = max(
            range(node.opened, len(order)), key=lambda i: policy.promise((order[i], node.edges[order[i]]), place)
        )
        order[node.opened], order[best] = order[best], order[node.opened]
        node.opened += 1
    legal = set(moves)
    return [move for move in order[: node.opened] if move in legal] or list(moves)
