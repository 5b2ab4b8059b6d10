"""Which facts and moves can ever hold, and which facts can ever not: constants found from the start state.

Every literal is taken by itself, so what is found possible may not be; what is found
impossible is.
"""

from __future__ import annotations

import numpy as np

from ggtp.gdl.network.graph import FALSE, TRUE, Bools, Graph, Ints, distinct, offsets, spans


def possible(graph: Graph, facts: int, initial: Ints) -> Bools:
    """For each literal whether it may hold in some state that can be reached, for all that is known.

    Args:
        graph: its roots begin with the next values of the facts, and then have what makes each move legal.
        facts: how many facts there are; they are the first inputs, and the moves are the rest.
        initial: the facts that hold at the start.
    """
    owners = graph.owners()
    moves = graph.inputs - 1 - facts
    fact_nodes = np.arange(1, 1 + facts)
    move_nodes = np.arange(1 + facts, graph.inputs)
    nexts, legals = graph.roots[:facts], graph.roots[facts : facts + moves]
    # If the first literal may hold, so may the second.
    leads = _Table(
        np.concatenate([graph.literals ^ 1, nexts, nexts ^ 1, legals]),
        np.concatenate([2 * owners + 1, 2 * fact_nodes, 2 * fact_nodes + 1, 2 * move_nodes]),
        2 * (graph.inputs + graph.nodes),
    )
    # A node may hold if all its inputs may.
    inputs = _Table(graph.literals, owners, 2 * (graph.inputs + graph.nodes))
    missing = np.zeros(graph.inputs + graph.nodes, dtype=np.int64)
    missing[graph.inputs :] = np.diff(graph.starts)
    result = np.zeros(2 * (graph.inputs + graph.nodes), dtype=np.bool_)
    holds = np.zeros(facts, dtype=np.int64)
    holds[initial] = 1
    fresh = np.concatenate([[TRUE], 2 * fact_nodes + 1 - holds, 2 * move_nodes + 1])
    while len(fresh):
        result[fresh] = True
        told, counts = np.unique(inputs.of(fresh), return_counts=True)
        missing[told] -= counts
        found = np.concatenate([leads.of(fresh), 2 * told[missing[told] == 0]])
        fresh = distinct(found[~result[found]])
    return result


def constants(graph: Graph, facts: int, initial: Ints) -> Ints:
    """For each input its literal, or a constant if it has the same value in all states that can be reached."""
    found = possible(graph, facts, initial)
    values = 2 * np.arange(graph.inputs)
    values[~found[1 : 2 * graph.inputs : 2]] = TRUE
    values[~found[0 : 2 * graph.inputs : 2]] = FALSE
    return values


class _Table:
    """Pairs of numbers, looked up by the first."""

    def __init__(self, keys: Ints, values: Ints, size: int) -> None:
        self._starts = offsets(np.bincount(keys, minlength=size))
        self._values = values[np.argsort(keys, kind="stable")]

    def of(self, keys: Ints) -> Ints:
        places, _ = spans(self._starts, keys)
        return self._values[places]
