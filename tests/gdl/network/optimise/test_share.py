"""Sharing: the same functions in fewer gates."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ggtp.gdl.network.graph import Graph, Ints, offsets, settle
from ggtp.gdl.network.optimise.share import flatten, halve, share, together

INPUTS = 6


def ints(*values: int) -> Ints:
    return np.array(values, dtype=np.int64)


def graph(rows: list[list[int]], roots: list[int]) -> Graph:
    literals = [literal for row in rows for literal in row]
    return Graph(INPUTS, offsets(ints(*map(len, rows))), ints(*literals), ints(*roots))


def rows(item: Graph) -> list[list[int]]:
    starts = item.starts.tolist()
    return [item.literals[start:end].tolist() for start, end in pairwise(starts)]


def tables(item: Graph) -> list[int]:
    """The truth table of every root, a bit for each combination of the inputs."""
    everything = (1 << (1 << INPUTS - 1)) - 1
    values = [0]
    for number in range(INPUTS - 1):
        values.append(sum(1 << line for line in range(1 << INPUTS - 1) if line >> number & 1))

    def value(literal: int) -> int:
        return values[literal >> 1] ^ (everything if literal & 1 else 0)

    for row in rows(item):
        result = everything
        for literal in row:
            result &= value(literal)
        values.append(result)
    return [value(literal) for literal in item.roots.tolist()]


def test_nodes_with_one_user_become_parts_of_it() -> None:
    item = flatten(settle(graph([[2, 4], [12, 6], [14, 8]], [16])))
    assert rows(item) == [[2, 4, 6, 8]]


def test_inverted_nodes_and_shared_ones_do_not() -> None:
    item = settle(graph([[2, 4], [13, 6], [12, 8]], [14, 16]))
    assert rows(flatten(item)) == rows(item)


def test_literals_that_always_occur_together_become_one() -> None:
    item = together(settle(graph([[2, 4, 6, 8], [2, 4, 6, 10]], [12, 14])))
    assert sorted(map(len, rows(item))) == [2, 2, 3]


def test_common_pairs_are_taken_out() -> None:
    item = graph([[2, 4, 6], [2, 4, 8], [2, 4, 10]], [12, 14, 16])
    assert halve(share(settle(item))).nodes == 4


def test_wide_nodes_are_cut() -> None:
    wide = [[*range(2, 12, 2)], [*range(3, 12, 2)]]
    assert halve(graph(wide, [12, 14])).nodes == 8


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    found: list[list[int]] = []
    for _ in range(draw(st.integers(1, 12))):
        literal = st.integers(0, 2 * (INPUTS + len(found)) - 1)
        found.append(draw(st.lists(literal, min_size=0, max_size=7)))
    last = 2 * (INPUTS + len(found)) - 1
    return graph(found, draw(st.lists(st.integers(0, last), min_size=1, max_size=5)))


@pytest.mark.slow
@given(graphs())
@settings(max_examples=150, deadline=None)
def test_every_pass_keeps_every_function(item: Graph) -> None:
    expected = tables(item)
    tidy = settle(item)
    assert tables(tidy) == expected
    assert tables(flatten(tidy)) == expected
    assert tables(together(tidy)) == expected
    shared = share(tidy)
    assert tables(shared) == expected
    binary = halve(shared)
    assert tables(binary) == expected
    assert all(len(row) == 2 for row in rows(binary))


def test_a_loose_graph_comes_out_tidy_also_where_nothing_merges() -> None:
    loose = graph([[2, 2, 4], [4, 2]], [2 * INPUTS + 1, 2 * INPUTS + 3])
    done = flatten(loose, loose=True)
    assert done.gates == 1
    assert tables(done) == tables(loose)
