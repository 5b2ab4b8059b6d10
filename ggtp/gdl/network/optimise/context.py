"""Conditions that others of the same AND decide: dropped, or the AND with them.

What is known inside an AND is: its inputs, the inputs of those that are ANDs themselves, what
makes a move legal where the move is made, and that a role makes one move at a time. An input
that follows from the others goes; one that contradicts them makes the whole AND false; inside
an inverted AND, `x and not (x and y)`, what is known already goes too, or the whole input,
if it can't hold.
"""

from __future__ import annotations

import numpy as np

from ggtp.gdl.network.graph import FALSE, Bools, Graph, Ints, distinct, offsets, settle, spans

LARGEST = 64
"""Wider ANDs are not looked into."""

MAX_PAIRS = 10_000_000
"""Nothing is done where more pairs of an AND and a condition than this would have to be compared."""


def simplify(graph: Graph, facts: int, role_sizes: tuple[int, ...]) -> Graph:
    """The graph without what follows from the rest, one step deep."""
    known = _Known(graph, facts, role_sizes)
    if known.too_large:
        return graph
    owners, literals = graph.owners(), graph.literals
    dropped = known.derived(owners, literals) | known.other_move(owners, literals ^ 1)
    false = known.impossible.copy()
    false[owners[known.derived(owners, literals ^ 1)]] = True
    replaced, new_lengths, new_literals = _inside(graph, known, owners, dropped, false)
    kept = ~dropped & ~false[owners]
    extra = np.flatnonzero(false[graph.inputs :]) + graph.inputs
    size = graph.inputs + graph.nodes
    all_owners = np.concatenate([owners[kept], extra])
    all_literals = np.concatenate([replaced[kept], np.full(len(extra), FALSE, dtype=np.int64)])
    order = np.argsort(all_owners, kind="stable")
    lengths = np.concatenate([np.bincount(all_owners - graph.inputs, minlength=size - graph.inputs), new_lengths])
    joined = np.concatenate([all_literals[order], new_literals])
    return settle(Graph(graph.inputs, offsets(lengths), joined, graph.roots))


def _inside(graph: Graph, known: _Known, owners: Ints, dropped: Bools, false: Bools) -> tuple[Ints, Ints, Ints]:
    """Looks into the inverted ANDs among the inputs.

    Marks those that follow from the rest as dropped, and nodes that can't hold as false. Returns
    the inputs with those replaced that became shorter, and new nodes for some of them.
    """
    replaced = graph.literals.copy()
    none = np.zeros(0, dtype=np.int64)
    nodes = graph.literals >> 1
    sizes = np.diff(graph.starts)
    inverted = (graph.literals & 1 == 1) & (nodes >= graph.inputs) & ~dropped
    inverted[inverted] &= sizes[nodes[inverted] - graph.inputs] <= LARGEST
    where = np.flatnonzero(inverted)
    if not len(where) or sizes[nodes[where] - graph.inputs].sum() > MAX_PAIRS:
        return replaced, none, none
    places, lengths = spans(graph.starts, nodes[where] - graph.inputs)
    parts = graph.literals[places]
    inputs = np.repeat(where, lengths)
    around = owners[inputs]
    contradicted = known.holds(around, parts ^ 1) | known.other_move(around, parts)
    dropped[inputs[contradicted]] = True
    redundant = known.holds(around, parts)
    left = lengths - np.bincount(np.repeat(np.arange(len(where)), lengths)[redundant], minlength=len(where))
    alive = ~dropped[where]
    false[owners[where[alive & (left == 0)]]] = True
    kept = ~redundant
    one = np.repeat(alive & (left == 1), lengths) & kept
    replaced[inputs[one]] = parts[one] ^ 1
    size = graph.inputs + graph.nodes
    uses = np.bincount(nodes, minlength=size) + np.bincount(graph.roots >> 1, minlength=size)
    shorter = alive & (left >= 2) & (left < lengths) & (uses[nodes[where]] == 1)
    replaced[where[shorter]] = 2 * (size + np.arange(int(shorter.sum()))) + 1
    return replaced, left[shorter], parts[np.repeat(shorter, lengths) & kept]


class _Known:
    """What is known inside each AND."""

    def __init__(self, graph: Graph, facts: int, role_sizes: tuple[int, ...]) -> None:
        self._width = 2 * (graph.inputs + graph.nodes)
        owners, literals = graph.owners(), graph.literals
        found_pairs = self._consequences(graph, owners, literals, facts)
        self.too_large = found_pairs is None
        if found_pairs is None:
            return
        derived_owners, derived = found_pairs
        self._derived = distinct(derived_owners * self._width + derived)
        self._all = distinct(np.concatenate([owners * self._width + literals, self._derived]))
        self._role = np.full(graph.inputs + graph.nodes, -1, dtype=np.int64)
        self._role[1 + facts : graph.inputs] = np.repeat(np.arange(len(role_sizes)), role_sizes)
        found_owners, found = self._all // self._width, self._all % self._width
        made = (found & 1 == 0) & (self._role[found >> 1] >= 0)
        found_owners, found = found_owners[made], found[made]
        roles = self._role[found >> 1]
        self._made = np.zeros((graph.inputs + graph.nodes, len(role_sizes)), dtype=np.int64)
        """For each node and role the literal of the move that is known to be made, or 0."""
        self._made[found_owners, roles] = found
        self.impossible = np.zeros(graph.inputs + graph.nodes, dtype=np.bool_)
        """Nodes that need two moves of one role at once."""
        self.impossible[found_owners[self._made[found_owners, roles] != found]] = True

    def _consequences(self, graph: Graph, owners: Ints, literals: Ints, facts: int) -> tuple[Ints, Ints] | None:
        """Pairs of a node and a literal that follows from one of its inputs; None if there are too many."""
        moves = graph.inputs - 1 - facts
        legal = graph.roots[facts : facts + moves]
        made = (literals & 1 == 0) & (literals >> 1 > facts) & (literals >> 1 < graph.inputs)
        legal_owners, legal_literals = owners[made], legal[(literals[made] >> 1) - 1 - facts]
        all_owners = np.concatenate([owners, legal_owners])
        all_literals = np.concatenate([literals, legal_literals])
        sizes = np.zeros(graph.inputs + graph.nodes, dtype=np.int64)
        sizes[graph.inputs :] = np.diff(graph.starts)
        ands = (all_literals & 1 == 0) & (sizes[all_literals >> 1] > 0) & (sizes[all_literals >> 1] <= LARGEST)
        if sizes[all_literals[ands] >> 1].sum() + len(legal_owners) > MAX_PAIRS:
            return None
        places, lengths = spans(graph.starts, (all_literals[ands] >> 1) - graph.inputs)
        inner_owners = np.repeat(all_owners[ands], lengths)
        return np.concatenate([legal_owners, inner_owners]), np.concatenate([legal_literals, graph.literals[places]])

    def derived(self, nodes: Ints, literals: Ints) -> Bools:
        """Whether the literal follows from inputs of the node other than itself."""
        return _contains(self._derived, nodes * self._width + literals)

    def holds(self, nodes: Ints, literals: Ints) -> Bools:
        """Whether the literal is an input of the node, or follows from them."""
        return _contains(self._all, nodes * self._width + literals)

    def other_move(self, nodes: Ints, literals: Ints) -> Bools:
        """Whether the literal is a move, and the node knows that its role makes another."""
        roles = self._role[literals >> 1]
        made = np.where(roles >= 0, self._made[nodes, np.maximum(roles, 0)], 0)
        result: Bools = (literals & 1 == 0) & (made != 0) & (made != literals)
        return result


def _contains(sorted_keys: Ints, keys: Ints) -> Bools:
    if not len(sorted_keys):
        return np.zeros(len(keys), dtype=np.bool_)
    found = np.minimum(np.searchsorted(sorted_keys, keys), len(sorted_keys) - 1)
    result: Bools = sorted_keys[found] == keys
    return result
