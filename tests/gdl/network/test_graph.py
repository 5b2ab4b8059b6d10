"""Graphs of ANDs: hashing, constants, dead nodes, levels."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from ggtp.gdl.network import graph as build_graph
from ggtp.gdl.network.graph import FALSE, TRUE, Graph, Ints, Weaver, alive, levels, offsets, replaced, settle, spans


def ints(*values: int) -> Ints:
    return np.array(values, dtype=np.int64)


def graph(inputs: int, rows: list[list[int]], roots: list[int]) -> Graph:
    literals = [literal for row in rows for literal in row]
    return Graph(inputs, offsets(ints(*map(len, rows))), ints(*literals), ints(*roots))


def rows(item: Graph) -> list[list[int]]:
    starts = item.starts.tolist()
    return [item.literals[start:end].tolist() for start, end in pairwise(starts)]


def test_spans_are_the_places_of_rows() -> None:
    places, lengths = spans(ints(0, 2, 2, 5), ints(2, 0, 1))
    assert places.tolist() == [2, 3, 4, 0, 1]
    assert lengths.tolist() == [3, 2, 0]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ([], TRUE),
        ([2], 2),
        ([2, 2], 2),
        ([2, TRUE], 2),
        ([TRUE, TRUE], TRUE),
        ([2, FALSE, 4], FALSE),
        ([2, 4, 3], FALSE),
        ([5, 5, TRUE, 5], 5),
    ],
)
def test_an_and_that_is_none(row: list[int], expected: int) -> None:
    weaver = Weaver(3)
    assert weaver.ands(ints(len(row)), ints(*row)).tolist() == [expected]
    assert weaver.count == 3


def test_equal_ands_are_one() -> None:
    weaver = Weaver(4)
    found = weaver.ands(ints(2, 3, 2), ints(2, 4, 4, 2, 2, 2, 6))
    assert found[0] == found[1] != found[2]
    assert weaver.ands(ints(2), ints(4, 2)).tolist() == [found[0]]
    assert weaver.both(4, 2) == found[0]
    assert weaver.both(3, 5) == weaver.either(2, 4) ^ 1


def test_one_at_a_time_is_the_same_as_many() -> None:
    one, many = Weaver(5), Weaver(5)
    pairs = [(a, b) for a in range(10) for b in range(10)]
    singly = [one.both(a, b) for a, b in pairs]
    flat = [literal for pair in pairs for literal in pair]
    assert singly == [int(many.ands(ints(2), ints(*flat[i : i + 2]))[0]) for i in range(0, len(flat), 2)]


def test_settling_puts_nodes_in_order_and_drops_the_dead() -> None:
    # Node 3 needs node 4, node 5 is the same as node 4, nobody needs node 6.
    loose = graph(3, [[8, 2], [2, 4], [4, 2], [3, 5]], [6, 10])
    tidy = settle(loose)
    assert rows(tidy) == [[2, 4], [2, 6]]
    assert tidy.roots.tolist() == [8, 6]


def test_settling_does_not_flatten() -> None:
    tidy = settle(graph(4, [[2, 4], [8, 6]], [10]))
    assert rows(tidy) == [[2, 4], [6, 8]]


def test_a_cycle_needs_somebody_to_resolve_it() -> None:
    loose = graph(2, [[6, 2], [4, 2]], [4])

    def stuck(weaver: Weaver, graph: Graph, value: Ints) -> None:
        value[2] = FALSE

    assert settle(loose, stuck).roots.tolist() == [FALSE]
    with pytest.raises(AssertionError):
        settle(loose)


def test_alive_keeps_the_order() -> None:
    item = graph(3, [[2, 4], [3, 4], [2, 5]], [7, 10])
    assert rows(alive(item)) == [[2, 4], [2, 5]]
    assert alive(item).roots.tolist() == [7, 8]


def test_inputs_can_be_replaced() -> None:
    item = replaced(graph(3, [[2, 4], [3, 6]], [8, 5]), ints(0, 5, 4))
    assert rows(item) == [[5, 4], [4, 6]]
    assert item.roots.tolist() == [8, 5]
    assert settle(item).roots.tolist() == [FALSE, 5]


def test_levels() -> None:
    assert levels(graph(3, [[2, 4], [2, 7], [4, 8]], [10])).tolist() == [0, 0, 0, 1, 2, 3]


def test_gates_are_what_two_inputs_take() -> None:
    assert graph(5, [[2, 4, 6, 8], [3, 5]], [10]).gates == 4


def test_ands_are_told_apart_by_their_inputs_whatever_their_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    # As if all numbers were spread to the same few: nearly every sum clashes.
    monkeypatch.setattr(build_graph, "mixed", lambda values: values.astype(np.uint64) & np.uint64(1))
    monkeypatch.setattr(build_graph, "_mixed_one", lambda value: value & 1)
    weaver = Weaver(20)
    pairs = [(one, other) for one in range(2, 30) for other in range(one + 2 - one % 2, 30)]
    flat = ints(*(literal for pair in pairs for literal in pair))
    found = weaver.ands(np.full(len(pairs), 2), flat).tolist()
    assert len(set(found)) == len(pairs)
    assert weaver.ands(np.full(len(pairs), 2), flat).tolist() == found
    assert [weaver.both(other, one) for one, other in pairs] == found
    assert weaver.both(2, 38) == weaver.both(38, 2) not in found
    made = rows(weaver.graph(ints()))
    assert all(tuple(made[(literal >> 1) - 20]) == pair for literal, pair in zip(found, pairs, strict=True))
    three = weaver.ands(ints(3, 3, 2), ints(2, 4, 6, 2, 4, 8, 2, 4)).tolist()
    assert rows(weaver.graph(ints()))[-2:] == [[2, 4, 6], [2, 4, 8]]
    assert three[2] == found[pairs.index((2, 4))]
