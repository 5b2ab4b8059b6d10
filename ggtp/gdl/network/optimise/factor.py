"""Common conditions of alternatives, taken out: `(a and b) or (a and c)` → `a and (b or c)`.

Alternatives are taken apart only where nobody else uses them. Each is put with those that
share its most frequent condition; round after round, until little is won.
"""

from __future__ import annotations

import numpy as np

from ggtp.gdl.network.graph import Graph, distinct, mixed, offsets, spans
from ggtp.gdl.network.optimise.share import flatten

ROUNDS = 12
WORTH = 0.003
"""Rounds end when one saves less than this part of the gates."""


def factor(graph: Graph) -> Graph:
    """The graph with the common conditions of alternatives taken out."""
    graph = flatten(graph)
    for _ in range(ROUNDS):
        before = graph.gates
        # Making it tidy takes longest, so it is done once: what that would still let merge, the next round finds.
        graph = flatten(_round(graph), loose=True)
        if before - graph.gates <= WORTH * before:
            break
    return graph


def _round(graph: Graph) -> Graph:
    """A loose graph with one condition less in all alternatives that share one."""
    size = graph.inputs + graph.nodes
    owners, nodes = graph.owners(), graph.literals >> 1
    uses = np.bincount(nodes, minlength=size) + np.bincount(graph.roots >> 1, minlength=size)
    # The places of alternatives, and of their conditions.
    options = np.flatnonzero((graph.literals & 1 == 1) & (nodes >= graph.inputs) & (uses[nodes] == 1))
    if not len(options):
        return graph
    places, lengths = spans(graph.starts, nodes[options] - graph.inputs)
    option = np.repeat(np.arange(len(options)), lengths)
    # How many alternatives of the same node have the condition.
    keys = owners[options][option] * (2 * size) + graph.literals[places]
    _, group, counts = np.unique(keys, return_inverse=True, return_counts=True)
    # Each alternative takes its most frequent condition; among equals, all take the same.
    order = np.lexsort((mixed(graph.literals[places]), counts[group], option))
    best = order[np.append(np.flatnonzero(np.diff(option[order])), len(order) - 1)]
    together = np.bincount(group[best], minlength=len(counts))[group[best]] >= 2
    best = best[together]
    if not len(best):
        return graph
    taken = distinct(group[best])
    number = np.zeros(len(counts), dtype=np.int64)
    number[taken] = np.arange(len(taken))
    member = number[group[best]]
    first = np.zeros(len(taken), dtype=np.int64)
    first[member] = best
    # For each group a node for the rest of its alternatives, and one for the condition with that.
    rests, wholes = size + np.arange(len(taken)), size + len(taken) + np.arange(len(taken))
    gone = np.zeros(len(graph.literals), dtype=np.bool_)
    gone[places[best]] = True
    gone[options[option[best]]] = True
    conditions, group_owners = graph.literals[places[first]], owners[options[option[first]]]
    all_owners = np.concatenate([owners[~gone], rests[member], wholes, wholes, group_owners])
    all_literals = np.concatenate(
        [graph.literals[~gone], graph.literals[options[option[best]]], conditions, 2 * rests + 1, 2 * wholes + 1]
    )
    sequence = np.argsort(all_owners, kind="stable")
    sizes = np.bincount(all_owners - graph.inputs, minlength=graph.nodes + 2 * len(taken))
    return Graph(graph.inputs, offsets(sizes), all_literals[sequence], graph.roots)
