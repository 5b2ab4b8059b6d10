"""Dependencies, reachability and components."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ggtp.gdl.language.dependencies import components, dependencies, reachable
from ggtp.gdl.language.normalise import normalise
from ggtp.gdl.language.parse import parse


def test_dependencies_know_negation() -> None:
    program = normalise(parse("(<= (p ?x) (q ?x) (not (r ?x ?x)) (distinct ?x a)) (<= s (r a b))"))
    assert dependencies(program.clauses) == {
        ("p", 1): {("q", 1): False, ("r", 2): True},
        ("q", 1): {},
        ("r", 2): {},
        ("s", 0): {("r", 2): False},
    }


def test_a_relation_that_is_asked_for_both_ways_counts_as_negated() -> None:
    program = normalise(parse("(<= p (q a) (not (q b))) (<= p (q c))"))
    assert dependencies(program.clauses)["p", 0] == {("q", 1): True}


def test_a_chain_may_be_longer_than_calls_may_nest() -> None:
    graph = {number: [number + 1] for number in range(20_000)}
    graph[20_000] = []
    assert [list(item) for item in components(graph)] == [[number] for number in range(20_000, -1, -1)]


graphs = st.integers(1, 7).flatmap(
    lambda size: st.fixed_dictionaries({node: st.sets(st.integers(0, size - 1)) for node in range(size)})
)


@given(graphs)
def test_components_are_what_reaches_each_other_and_come_after_what_they_lead_to(graph: dict[int, set[int]]) -> None:
    found = components(graph)
    assert sorted(node for members in found for node in members) == sorted(graph)
    reach = {node: reachable(graph, [node]) for node in graph}
    number = {node: index for index, members in enumerate(found) for node in members}
    for one in graph:
        for other in graph:
            assert (number[one] == number[other]) == (other in reach[one] and one in reach[other])
            if other in reach[one]:
                assert number[other] <= number[one]
