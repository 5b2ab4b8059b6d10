"""ANDs of many inputs → ANDs of two, with as much in common as a greedy search finds.

First literals that always occur together become one; then, round after round, pairs of
literals that occur in several nodes do, the most frequent first.
"""

from __future__ import annotations

import numpy as np

from ggtp.gdl.network.graph import Graph, Ints, mixed, offsets, settle, spans

WINDOW = 32
"""How many literals of one node are compared with one another; wider nodes are cut into windows."""

ROUNDS = 60
WORTH = 0.001
"""Rounds end when one saves less than this part of the gates."""


def share(graph: Graph) -> Graph:
    """The graph with all common pairs taken out; nodes may still have more than two inputs."""
    graph = together(flatten(graph))
    for _ in range(ROUNDS):
        before = graph.gates
        graph = _round(graph)
        if before - graph.gates <= WORTH * before:
            break
    return flatten(settle(graph))


def flatten(graph: Graph, *, loose: bool = False) -> Graph:
    """The graph with every node that has but one user, and is not inverted there, as a part of that user.

    Args:
        graph: a tidy one, or with `loose` any without cycles.
        loose: see that the result is tidy also where nothing can be merged.
    """
    size = graph.inputs + graph.nodes
    uses = np.bincount(graph.literals >> 1, minlength=size) + np.bincount(graph.roots >> 1, minlength=size)
    owners = graph.owners()
    nodes = graph.literals >> 1
    merged = (nodes >= graph.inputs) & (graph.literals & 1 == 0) & (uses[nodes] == 1)
    if not merged.any():
        return settle(graph) if loose else graph
    into = np.arange(size)
    into[nodes[merged]] = owners[merged]
    while True:
        further = into[into]
        if np.array_equal(further, into):
            break
        into = further
    return settle(_regrouped(graph, into[owners[~merged]], graph.literals[~merged], size))


def _regrouped(graph: Graph, owners: Ints, literals: Ints, size: int) -> Graph:
    """A loose graph from pairs of a node and one of its inputs."""
    order = np.argsort(owners, kind="stable")
    lengths = np.bincount(owners - graph.inputs, minlength=size - graph.inputs)
    return Graph(graph.inputs, offsets(lengths), literals[order], graph.roots)


def together(graph: Graph) -> Graph:
    """The graph with a node of its own for every set of literals that always occur together, more than once."""
    size = graph.inputs + graph.nodes
    owners = graph.owners()
    uses = np.bincount(graph.literals, minlength=2 * size)
    signature = np.zeros(2 * size, dtype=np.uint64)
    np.add.at(signature, graph.literals, mixed(owners))
    candidates = np.flatnonzero(uses >= 2)
    _, inverse, counts = np.unique(signature[candidates], return_inverse=True, return_counts=True)
    grouped = candidates[counts[inverse] >= 2]
    if not len(grouped):
        return graph
    names, group = np.unique(signature[grouped], return_inverse=True)
    group_of = np.full(2 * size, -1, dtype=np.int64)
    group_of[grouped] = group
    found = group_of[graph.literals]
    literals = np.where(found >= 0, 2 * (size + found), graph.literals)
    # A node has the same group once for each of the group's members: settling leaves one.
    new_owners = np.concatenate([owners, size + group])
    return settle(_regrouped(graph, new_owners, np.concatenate([literals, grouped]), size + len(names)))


def _round(graph: Graph) -> Graph:
    """The graph with the best pairs that do not get in each other's way as nodes of their own."""
    size = graph.inputs + graph.nodes
    owners = graph.owners()
    one, two = _pairs(graph, owners)
    if not len(one):
        return graph
    keys = graph.literals[one] * (2 * size) + graph.literals[two]
    names, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
    frequent = np.flatnonzero(counts >= 2)
    if not len(frequent):
        return graph
    rank = np.full(len(names), -1, dtype=np.int64)
    rank[frequent[np.lexsort((mixed(names[frequent]), counts[frequent]))]] = np.arange(len(frequent))
    kept = rank[inverse] >= 0
    one, two, inverse = one[kept], two[kept], inverse[kept]
    # A pair is taken where it is the best for both of its literals.
    ranks = rank[inverse]
    best = np.full(len(graph.literals), -1, dtype=np.int64)
    np.maximum.at(best, one, ranks)
    np.maximum.at(best, two, ranks)
    taken = (best[one] == ranks) & (best[two] == ranks)
    taken &= np.bincount(inverse[taken], minlength=len(names))[inverse] >= 2
    one, two, inverse = one[taken], two[taken], inverse[taken]
    chosen, group = np.unique(inverse, return_inverse=True)
    literals = graph.literals.copy()
    literals[one] = 2 * (size + group)
    left = np.ones(len(literals), dtype=np.bool_)
    left[two] = False
    new = np.repeat(np.arange(size, size + len(chosen)), 2)
    parts = np.stack([names[chosen] // (2 * size), names[chosen] % (2 * size)], axis=1).ravel()
    new_owners = np.concatenate([owners[left], new])
    return _regrouped(graph, new_owners, np.concatenate([literals[left], parts]), size + len(chosen))


def _pairs(graph: Graph, owners: Ints) -> tuple[Ints, Ints]:
    """The places of all pairs of literals of one node that may be in another, too; the smaller literal first."""
    uses = np.bincount(graph.literals, minlength=2 * (graph.inputs + graph.nodes))
    places = np.flatnonzero(uses[graph.literals] >= 2)
    places = places[np.lexsort((graph.literals[places], owners[places]))]
    firsts = np.flatnonzero(np.diff(owners[places], prepend=-1))
    lengths = np.diff(np.append(firsts, len(places)))
    # Windows of wide nodes count as rows of their own.
    position = np.arange(len(places)) - np.repeat(firsts, lengths)
    firsts = np.flatnonzero(position % WINDOW == 0)
    lengths = np.diff(np.append(firsts, len(places)))
    ones, twos = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    # Not `np.unique`, which loads masked arrays: half as long as a small game takes.
    for length in (2 + np.flatnonzero(np.bincount(lengths)[2:])).tolist():
        rows = places[firsts[lengths == length][:, None] + np.arange(length)]
        upper, lower = np.triu_indices(length, 1)
        ones.append(rows[:, upper].ravel())
        twos.append(rows[:, lower].ravel())
    return np.concatenate(ones), np.concatenate(twos)


def halve(graph: Graph) -> Graph:
    """The graph with two inputs to every node, in balanced trees."""
    while True:
        lengths = np.diff(graph.starts)
        wide = np.flatnonzero(lengths > 2)
        if not len(wide):
            return settle(graph)
        size = graph.inputs + graph.nodes
        places, row_lengths = spans(graph.starts, wide)
        position = np.arange(len(places)) - np.repeat(offsets(row_lengths)[:-1], row_lengths)
        paired = np.repeat(row_lengths // 2 * 2, row_lengths) > position
        pairs = places[paired].reshape(-1, 2)
        literals = graph.literals.copy()
        literals[pairs[:, 0]] = 2 * (size + np.arange(len(pairs)))
        kept = np.ones(len(literals), dtype=np.bool_)
        kept[pairs[:, 1]] = False
        lengths[wide] -= row_lengths // 2
        lengths = np.concatenate([lengths, np.full(len(pairs), 2)])
        literals = np.concatenate([literals[kept], graph.literals[pairs].ravel()])
        graph = Graph(graph.inputs, offsets(lengths), literals, graph.roots)
