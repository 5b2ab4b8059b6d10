"""Which move a tree over positions of rules in Python looks at next, on the way down."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log, sqrt

from ggtp.game import Move
from ggtp.search.mcts.options import Settings, considered, rave_weight
from ggtp.search.mcts.positions.tree import Edge, Node


def most_urgent(
    pairs: Sequence[tuple[Move | tuple[Move, ...], Edge]], node: Node, seat: int | None, settings: Settings
) -> Move | tuple[Move, ...]:
    """The move with the highest bound; proven ones only where nothing else is left.

    Args:
        pairs: the moves, or joint moves, and what is known of each.
        node: where they are made.
        seat: whose values count; None for those of all on average.
        settings: how to search.
    """
    bonus = settings.exploration * sqrt(log(node.visits + 1))
    first = settings.first_play
    if first is None:
        total = sum(node.totals) / len(node.totals) if seat is None else node.totals[seat]
        first = total / node.visits if node.visits else 0.5
    best, best_score = pairs[0][0], -inf
    for move, edge in pairs:
        visits = edge.visits
        if edge.proven is not None:
            score = -5.0  # what is certain need not be looked at again
        elif visits == 0:
            score = first + bonus
        else:
            score = edge.total / visits + bonus / sqrt(visits)
        if settings.rave and edge.rave_visits and edge.proven is None:
            weight = rave_weight(visits, settings.rave)
            later = edge.rave_total / edge.rave_visits + bonus / sqrt(edge.rave_visits)
            score = later if visits == 0 else weight * later + (1 - weight) * score
        if score > best_score:
            best, best_score = move, score
    return best


def widened(node: Node, moves: Sequence[Move], widening: int) -> list[Move]:
    """The moves that are looked at by now; a new one is the best by what came of it later, else any."""
    order = node.order = node.order or []
    if len(order) < len(node.edges):
        # After another draw there may be other moves; what is opened stays in front.
        known = set(order)
        order += [move for move in node.edges if isinstance(move, str) and move not in known]
    wanted = considered(node.visits, len(order), widening)
    while node.opened < wanted:
        place = max(range(node.opened, len(order)), key=lambda i: _rave_mean(node.edges[order[i]]))
        order[node.opened], order[place] = order[place], order[node.opened]
        node.opened += 1
    legal = set(moves)
    return [move for move in order[: node.opened] if move in legal] or list(moves)


def _rave_mean(edge: Edge) -> float:
    return edge.rave_total / edge.rave_visits if edge.rave_visits else 0.5
