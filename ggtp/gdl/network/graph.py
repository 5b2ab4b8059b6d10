"""Graphs of ANDs with any number of inputs, as arrays, and how to make them canonical.

A *literal* is twice a node's number, plus one where it is inverted, as in `network`. Node 0 is
the constant false, then come the inputs of the game, then the ANDs. A `Graph` may be *loose*:
its nodes in any order, with the same node twice, with constants in them, even with cycles.
`settle` makes it tidy: each node after its inputs, no two nodes with the same inputs, no node
with fewer than two, none that no root needs.

Everything works on whole arrays, a level of the graph at a time: games have up to millions of nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Ints: TypeAlias = npt.NDArray[np.int64]
Bools: TypeAlias = npt.NDArray[np.bool_]
Words: TypeAlias = npt.NDArray[np.uint64]

FALSE, TRUE = 0, 1
UNKNOWN = -1

_WORD = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Graph:
    """ANDs over literals; node `inputs + i` is the AND of `literals[starts[i]:starts[i + 1]]`."""

    inputs: int
    """How many nodes are no ANDs, the constant included."""
    starts: Ints
    literals: Ints
    roots: Ints
    """The literals that somebody needs."""

    @property
    def nodes(self) -> int:
        """How many ANDs there are."""
        return len(self.starts) - 1

    @property
    def gates(self) -> int:
        """How many ANDs of two inputs it would take, one by one."""
        return len(self.literals) - self.nodes

    def owners(self) -> Ints:
        """For each literal in `literals` the number of the node that it is an input of."""
        return np.repeat(np.arange(self.inputs, self.inputs + self.nodes), np.diff(self.starts))


Stuck: TypeAlias = Callable[["Weaver", Graph, Ints], None]
"""Gives values to some nodes of a cycle: called with the nodes' values, in which -1 is unknown."""


def spans(starts: Ints, which: Ints) -> tuple[Ints, Ints]:
    """The positions of all elements of some rows of a table, one row after another, and the rows' lengths."""
    lengths = starts[which + 1] - starts[which]
    total = int(lengths.sum())
    if not total:
        return np.zeros(0, dtype=np.int64), lengths
    ends = np.cumsum(lengths)
    shifts = np.repeat(starts[which] - (ends - lengths), lengths)
    return np.arange(total, dtype=np.int64) + shifts, lengths


def offsets(lengths: Ints) -> Ints:
    """Where rows of these lengths start, and where the last one ends."""
    result = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=result[1:])
    return result


def distinct(values: Ints) -> Ints:
    """The values in order, each once; for long arrays faster than numpy's own, which hashes them first."""
    values = np.sort(values)
    if not len(values):
        return values
    new = np.empty(len(values), dtype=np.bool_)
    new[0] = True
    np.not_equal(values[1:], values[:-1], out=new[1:])
    return values[new]


def mixed(values: Ints) -> Words:
    """Well spread numbers of 64 bits for small ones."""
    with np.errstate(over="ignore"):
        x = (values.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return x ^ (x >> np.uint64(31))


def _mixed_one(value: int) -> int:
    """The same for one number, which is faster without an array."""
    x = (value + 1) * 0x9E3779B97F4A7C15 & _WORD
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & _WORD
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & _WORD
    return x ^ (x >> 31)


class _Rows:
    """Rows of numbers, one after another, in an array that grows."""

    def __init__(self) -> None:
        self.count = 0
        self._starts = np.zeros(1024, dtype=np.int64)
        self._numbers = np.zeros(4096, dtype=np.int64)

    @property
    def starts(self) -> Ints:
        """Where each row starts, and where the last one ends."""
        return self._starts[: self.count + 1]

    @property
    def numbers(self) -> Ints:
        """All numbers."""
        return self._numbers[: self._starts[self.count]]

    def append(self, lengths: Ints, numbers: Ints) -> None:
        """Add rows."""
        first, after = int(self._starts[self.count]), self.count + len(lengths)
        self._starts = _grown(self._starts, after + 1)
        self._numbers = _grown(self._numbers, first + len(numbers))
        self._numbers[first : first + len(numbers)] = numbers
        self._starts[self.count + 1 : after + 1] = first + np.cumsum(lengths)
        self.count = after

    def row(self, which: int) -> list[int]:
        """One row."""
        found: list[int] = self._numbers[self._starts[which] : self._starts[which + 1]].tolist()
        return found


def _grown(array: Ints, size: int) -> Ints:
    if size <= len(array):
        return array
    return np.concatenate([array, np.zeros(max(size, 2 * len(array)) - len(array), dtype=np.int64)])


def _same_rows(starts: Ints, numbers: Ints, other_starts: Ints, other_numbers: Ints, others: Ints) -> Bools:
    """Whether each row is equal to a row of another table, given by its number."""
    lengths = np.diff(starts)
    same: Bools = lengths == other_starts[others + 1] - other_starts[others]
    which = np.flatnonzero(same)
    places, counts = spans(starts, which)
    other_places, _ = spans(other_starts, others[which])
    wrong = np.repeat(which, counts)[numbers[places] != other_numbers[other_places]]
    same[wrong] = False
    return same


class Weaver:
    """Makes ANDs, each once; they come out in an order in which every node follows its inputs."""

    def __init__(self, inputs: int) -> None:
        self.inputs = inputs
        self.count = inputs
        """How many nodes there are."""
        self._known: dict[int, int] = {}
        """For each sum of spread inputs, the literal of the first AND that had it."""
        self._clashing: dict[tuple[int, ...], int] = {}
        """The literals of ANDs that have the sum of another one, by their inputs."""
        self._rows = _Rows()
        """The inputs of each AND, in order."""

    def ands(self, lengths: Ints, literals: Ints) -> Ints:
        """The literals of many ANDs at once; all that they are made of must be known already."""
        count = len(lengths)
        width = 2 * self.count
        keys = distinct(np.repeat(np.arange(count, dtype=np.int64), lengths) * width + literals)
        rows, inputs = keys // width, keys % width
        result = np.full(count, UNKNOWN, dtype=np.int64)
        false = inputs == FALSE
        false[:-1] |= (keys[:-1] + 1 == keys[1:]) & (inputs[:-1] & 1 == 0)
        result[rows[false]] = FALSE
        kept = (inputs != TRUE) & (result[rows] == UNKNOWN)
        rows, inputs = rows[kept], inputs[kept]
        sizes = np.bincount(rows, minlength=count)
        result[(sizes == 0) & (result == UNKNOWN)] = TRUE
        single = sizes[rows] == 1
        result[rows[single]] = inputs[single]
        rows, inputs = rows[~single], inputs[~single]
        if len(rows):
            self._add(rows, inputs, result)
        return result

    def _add(self, rows: Ints, inputs: Ints, result: Ints) -> None:
        """ANDs of at least two different inputs each, sorted by row."""
        firsts = np.flatnonzero(np.diff(rows, prepend=-1))
        starts = np.append(firsts, len(rows))
        sums = np.add.reduceat(mixed(inputs), firsts)
        names, where, inverse = np.unique(sums, return_index=True, return_inverse=True)
        known = self._known
        found = np.array([known.get(item, UNKNOWN) for item in names.tolist()], dtype=np.int64)
        new = np.flatnonzero(found == UNKNOWN)
        if len(new):
            order = new[np.argsort(where[new])]
            found[order] = 2 * np.arange(self.count, self.count + len(order))
            known.update(zip(names[order].tolist(), found[order].tolist(), strict=True))
            places, lengths = spans(starts, where[order])
            self._rows.append(lengths, inputs[places])
            self.count += len(order)
        values = found[inverse]
        # Equal sums are a hint; equal inputs decide.
        same = _same_rows(starts, inputs, self._rows.starts, self._rows.numbers, (values >> 1) - self.inputs)
        for row in np.flatnonzero(~same).tolist():
            values[row] = self._clash(tuple(inputs[starts[row] : starts[row + 1]].tolist()))
        result[rows[firsts]] = values

    def _clash(self, inputs: tuple[int, ...]) -> int:
        """The literal of an AND whose sum another one had first."""
        found = self._clashing.get(inputs)
        if found is None:
            found = self._clashing[inputs] = self._new(inputs)
        return found

    def _new(self, inputs: tuple[int, ...]) -> int:
        self._rows.append(np.array([len(inputs)], dtype=np.int64), np.array(inputs, dtype=np.int64))
        self.count += 1
        return 2 * (self.count - 1)

    def both(self, one: int, other: int) -> int:
        """The literal of one AND of two."""
        if one == other or other == TRUE:
            return one
        if one == TRUE:
            return other
        if one == FALSE or other == FALSE or one ^ 1 == other:
            return FALSE
        inputs = (one, other) if one < other else (other, one)
        key = (_mixed_one(one) + _mixed_one(other)) & _WORD
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._new(inputs)
        elif self._rows.row((found >> 1) - self.inputs) != [*inputs]:
            found = self._clash(inputs)
        return found

    def either(self, one: int, other: int) -> int:
        """The literal of one OR of two."""
        return self.both(one ^ 1, other ^ 1) ^ 1

    def graph(self, roots: Ints) -> Graph:
        """The graph as it is, with these roots."""
        return Graph(self.inputs, self._rows.starts.copy(), self._rows.numbers.copy(), roots)


def settle(graph: Graph, stuck: Stuck | None = None) -> Graph:
    """The graph made tidy.

    Args:
        graph: a loose one.
        stuck: is asked, as often as it takes, to resolve cycles.
    """
    graph = alive(graph)
    weaver = Weaver(graph.inputs)
    value = np.full(graph.inputs + graph.nodes, UNKNOWN, dtype=np.int64)
    value[: graph.inputs] = 2 * np.arange(graph.inputs)
    _weave(graph, weaver, value, stuck)
    roots = value[graph.roots >> 1] ^ (graph.roots & 1)
    return alive(weaver.graph(roots))


def _weave(graph: Graph, weaver: Weaver, value: Ints, stuck: Stuck | None) -> None:
    """Gives every node its value."""
    owners = graph.owners()
    nodes = graph.literals >> 1
    inner = nodes >= graph.inputs
    waiting = np.bincount(owners[inner], minlength=len(value))
    user_starts = offsets(np.bincount(nodes, minlength=len(value)))
    users = owners[np.argsort(nodes, kind="stable")]
    frontier = np.flatnonzero(waiting[graph.inputs :] == 0) + graph.inputs
    left = graph.nodes
    while left:
        if not len(frontier):
            assert stuck is not None, "a cycle"
            before = value == UNKNOWN
            stuck(weaver, graph, value)
            frontier = np.flatnonzero(before & (value != UNKNOWN))
        else:
            places, lengths = spans(graph.starts, frontier - graph.inputs)
            literals = graph.literals[places]
            value[frontier] = weaver.ands(lengths, value[literals >> 1] ^ (literals & 1))
        left -= len(frontier)
        places, _ = spans(user_starts, frontier)
        told, counts = np.unique(users[places], return_counts=True)
        waiting[told] -= counts
        frontier = told[(waiting[told] == 0) & (value[told] == UNKNOWN)]


def alive(graph: Graph) -> Graph:
    """The graph without the nodes that no root needs; the others keep their order."""
    return restricted(graph, needed_nodes(graph))


def needed_nodes(graph: Graph) -> Bools:
    """For each node whether some root needs it; for inputs always."""
    needed = np.zeros(graph.inputs + graph.nodes, dtype=np.bool_)
    needed[: graph.inputs] = True
    frontier = distinct(graph.roots >> 1)
    while len(frontier):
        frontier = frontier[~needed[frontier]]
        needed[frontier] = True
        places, _ = spans(graph.starts, frontier - graph.inputs)
        found = graph.literals[places] >> 1
        frontier = distinct(found[~needed[found]])
    return needed


def restricted(graph: Graph, needed: Bools) -> Graph:
    """The graph without some nodes, which nobody may need."""
    if needed.all():
        return graph
    kept = np.flatnonzero(needed[graph.inputs :])
    number = np.cumsum(needed) - 1
    places, lengths = spans(graph.starts, kept)
    return Graph(graph.inputs, offsets(lengths), renamed(graph.literals[places], number), renamed(graph.roots, number))


def replaced(graph: Graph, values: Ints) -> Graph:
    """The graph with other literals of its own in the place of inputs; loose, and without cycles if these have none."""

    def value(literals: Ints) -> Ints:
        inner = literals >> 1 >= graph.inputs
        result: Ints = np.where(inner, literals, values[np.where(inner, 0, literals >> 1)] ^ (literals & 1))
        return result

    return Graph(graph.inputs, graph.starts, value(graph.literals), value(graph.roots))


def renamed(literals: Ints, number: Ints) -> Ints:
    """The literals with other numbers for their nodes."""
    result: Ints = 2 * number[literals >> 1] + (literals & 1)
    return result


def levels(graph: Graph) -> Ints:
    """For each node of a tidy graph the length of the longest path to an input."""
    size = graph.inputs + graph.nodes
    owners, nodes = graph.owners(), graph.literals >> 1
    waiting = np.bincount(owners[nodes >= graph.inputs], minlength=size)
    user_starts = offsets(np.bincount(nodes, minlength=size))
    users = owners[np.argsort(nodes, kind="stable")]
    result = np.zeros(size, dtype=np.int64)
    frontier = np.flatnonzero(waiting[graph.inputs :] == 0) + graph.inputs
    level = 0
    while len(frontier):
        level += 1
        result[frontier] = level
        places, _ = spans(user_starts, frontier)
        told, counts = np.unique(users[places], return_counts=True)
        waiting[told] -= counts
        frontier = told[waiting[told] == 0]
    return result
