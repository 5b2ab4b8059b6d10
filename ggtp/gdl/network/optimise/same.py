"""Facts that are copies or inverses of each other, and moves that are made whenever they are legal.

Both are found by induction from the start: two facts that begin the same (or opposite) and
whose next values are the same (or opposite) literals stay so. A move that excludes all
others of its role is made exactly when it is legal, since everybody moves.
"""

from __future__ import annotations

import numpy as np

from ggtp.gdl.network.graph import TRUE, Graph, Ints, distinct, spans


def same_facts(graph: Graph, facts: int, initial: Ints) -> Ints:
    """For each input a literal that always has its value: its own, that of an earlier fact, or a constant."""
    start = np.zeros(facts, dtype=np.int64)
    start[initial] = 1
    # Turned so that all facts begin as true, copies and inverses look alike.
    nexts = graph.roots[:facts] ^ (1 - start)
    _, first, inverse = np.unique(_classes(nexts, start), return_index=True, return_inverse=True)
    leader = first[inverse]
    values = 2 * np.arange(graph.inputs)
    values[1 : 1 + facts] = 2 * (1 + leader) + (start ^ start[leader])
    values[1 : 1 + facts][nexts == TRUE] = start[nexts == TRUE]
    return values


def _classes(nexts: Ints, start: Ints) -> Ints:
    """For each fact a class; facts of one class are always equal, once turned.

    Facts with the same literal for a next value are. Those that take over another fact's value
    are if the facts that they take it from are: the coarsest such partition, as
    automata are minimised, so that two that exchange their values are found equal, too.
    """
    source = (nexts >> 1) - 1
    shifted = (source >= 0) & (source < len(nexts))
    source = np.where(shifted, source, 0)
    turned = (nexts & 1) ^ (1 - start[source])
    classes = np.where(shifted, 0, 1 + np.unique(nexts, return_inverse=True)[1])
    count = 0
    while True:
        keys = np.where(shifted, 1 + classes[source] * 2 + turned, 0)
        classes = np.unique(classes * (keys.max(initial=0) + 1) + keys, return_inverse=True)[1]
        if classes.max(initial=0) == count:
            return classes
        count = int(classes.max(initial=0))


def forced_moves(graph: Graph, facts: int, role_sizes: tuple[int, ...]) -> Ints:
    """For each input its literal, or for a move that is made whenever it is legal, what makes it legal.

    A role's only move is always made.
    """
    values = 2 * np.arange(graph.inputs)
    moves = graph.inputs - 1 - facts
    legal = graph.roots[facts : facts + moves]
    first = 0
    for size in role_sizes:
        mine = legal[first : first + size]
        if size == 1:
            values[1 + facts + first] = TRUE
        for index in _exclusive(graph, mine):
            values[1 + facts + first + index] = mine[index]
        first += size
    return values


def _exclusive(graph: Graph, legal: Ints) -> list[int]:
    """The moves that are never legal together with another."""
    size = len(legal)
    if size < 2:
        return []
    ands = np.flatnonzero((legal & 1 == 0) & (legal >> 1 >= graph.inputs))
    places, lengths = spans(graph.starts, (legal[ands] >> 1) - graph.inputs)
    moves = np.concatenate([np.arange(size), np.repeat(ands, lengths)])
    needed = np.concatenate([legal, graph.literals[places]])
    pairs = distinct(needed * size + moves)
    needed, moves = pairs // size, pairs % size
    literals, counts = np.unique(needed, return_counts=True)
    # If all other moves need the inverse of something that this one needs, it is alone.
    found: list[int] = moves[np.isin(needed ^ 1, literals[counts == size - 1])].tolist()
    return sorted(set(found))
