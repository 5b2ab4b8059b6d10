"""Dependencies, reachability and components."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ggtp.gdl.language.dependencies import (
    component_numbers,
    components,
    dependencies,
    dependents,
    negative_cycles,
    reachable,
    static_relations,
)
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


def test_static_relations_depend_on_no_state() -> None:
    sheet = parse("(p 1) (<= (q ?x) (p ?x)) (<= (r ?x) (q ?x) (true (f ?x))) (<= (s ?x) (p ?x) (not (r ?x)))")
    assert static_relations(normalise(sheet).clauses) == {("p", 1), ("q", 1)}


def test_dependents_are_those_that_ask_and_those_that_ask_them() -> None:
    program = normalise(parse("(<= (p ?x) (q ?x)) (<= (q ?x) (r ?x) (not (s ?x))) (<= (r ?x) (t ?x))"))
    assert dependents(program.clauses, [("s", 1)]) == {("s", 1), ("q", 1), ("p", 1)}


def test_negations_within_a_component_are_found_with_their_clauses() -> None:
    program = normalise(parse("(<= (p ?x) (q ?x) (not (r ?x))) (<= (r ?x) (p ?x)) (<= (s ?x) (q ?x) (not (p ?x)))"))
    ((clause, negation),) = negative_cycles(program.clauses)
    assert (clause.head.name, negation.atom.name) == ("p", "r")
    numbers = component_numbers(dependencies(program.clauses))
    assert numbers["p", 1] == numbers["r", 1] < numbers["s", 1]


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
