"""Common conditions of alternatives are taken out, and nothing else changes."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ggtp.gdl.network.graph import Graph, Ints, offsets, settle
from ggtp.gdl.network.optimise.factor import factor

INPUTS = 6
A, B, C, D, E = 2, 4, 6, 8, 10


def ints(*values: int) -> Ints:
    return np.array(values, dtype=np.int64)


def graph(rows: list[list[int]], roots: list[int]) -> Graph:
    literals = [literal for row in rows for literal in row]
    return Graph(INPUTS, offsets(ints(*map(len, rows))), ints(*literals), ints(*roots))


def tables(item: Graph) -> list[int]:
    """The truth table of every root, a bit for each combination of the inputs."""
    everything = (1 << (1 << INPUTS - 1)) - 1
    values = [0]
    for number in range(INPUTS - 1):
        values.append(sum(1 << line for line in range(1 << INPUTS - 1) if line >> number & 1))

    def value(literal: int) -> int:
        return values[literal >> 1] ^ (everything if literal & 1 else 0)

    for start, end in pairwise(item.starts.tolist()):
        result = everything
        for literal in item.literals[start:end].tolist():
            result &= value(literal)
        values.append(result)
    return [value(literal) for literal in item.roots.tolist()]


def test_one_condition() -> None:
    item = settle(graph([[A, B], [A, C], [A, D], [13, 15, 17]], [19]))
    assert item.gates == 5
    assert factor(item).gates == 3
    assert tables(factor(item)) == tables(item)


def test_two_conditions() -> None:
    item = settle(graph([[A, B, C], [A, B, D], [A, B, E], [13, 15, 17]], [19]))
    assert factor(item).gates == 4
    assert tables(factor(item)) == tables(item)


def test_two_groups() -> None:
    item = settle(graph([[A, C], [A, D], [B, E], [B, C ^ 1], [13, 15, 17, 19]], [21]))
    assert factor(item).gates == 5
    assert tables(factor(item)) == tables(item)


def test_alternatives_that_are_used_elsewhere_stay() -> None:
    item = settle(graph([[A, B], [A, C], [13, 15]], [17, 12, 14]))
    assert factor(item).gates == item.gates


def test_nothing_to_do() -> None:
    item = settle(graph([[A, B]], [12]))
    assert factor(item).gates == 1
    assert factor(settle(graph([], [A]))).gates == 0


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    found: list[list[int]] = []
    for _ in range(draw(st.integers(1, 14))):
        literal = st.integers(2, 2 * (INPUTS + len(found)) - 1)
        found.append(draw(st.lists(literal, min_size=1, max_size=6)))
    last = 2 * (INPUTS + len(found)) - 1
    return graph(found, draw(st.lists(st.integers(2, last), min_size=1, max_size=3)))


@pytest.mark.slow
@given(graphs())
@settings(max_examples=200, deadline=None)
def test_every_function_stays(item: Graph) -> None:
    tidy = settle(item)
    done = factor(tidy)
    assert tables(done) == tables(item)
    assert done.gates <= tidy.gates
