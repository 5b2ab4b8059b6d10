from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from support.lanes import networks
from support.networks import evaluate

from ggtp.gdl.network.network import FALSE, TRUE, Network
from ggtp.gdl.program.graph import AND, INPUT, Graph, gate_cone, instantiate

INPUTS = 5
LANES = 1 << INPUTS
EVERYBODY = (1 << LANES) - 1
COLUMNS = [sum(1 << lane for lane in range(LANES) if lane >> i & 1) for i in range(INPUTS)]
"""Every assignment of the inputs is a lane."""


def table(graph: Graph, literal: int) -> int:
    """The truth table of a literal, inputs numbered in order."""
    values = [0]
    seen = 0
    for node in range(1, len(graph)):
        if graph.kinds[node] == INPUT:
            values.append(COLUMNS[seen])
            seen += 1
            continue
        a, b = (values[x >> 1] ^ (EVERYBODY if x & 1 else 0) for x in (graph.left[node], graph.right[node]))
        values.append(a & b if graph.kinds[node] == AND else a ^ b)
    return values[literal >> 1] ^ (EVERYBODY if literal & 1 else 0)


@given(st.lists(st.tuples(st.sampled_from("axo"), st.integers(0, 63), st.integers(0, 63)), max_size=60))
def test_gates_mean_what_they_say(steps: list[tuple[str, int, int]]) -> None:
    graph = Graph()
    made = [(FALSE, 0), (TRUE, EVERYBODY)] + [(graph.input(), column) for column in COLUMNS]
    for kind, i, j in steps:
        (a, x), (b, y) = (made[k // 2 % len(made)] for k in (i, j))
        a, x = (a ^ 1, x ^ EVERYBODY) if i & 1 else (a, x)
        b, y = (b ^ 1, y ^ EVERYBODY) if j & 1 else (b, y)
        made.append(
            {
                "a": lambda a=a, b=b, x=x, y=y: (graph.and_(a, b), x & y),
                "x": lambda a=a, b=b, x=x, y=y: (graph.xor(a, b), x ^ y),
                "o": lambda a=a, b=b, x=x, y=y: (graph.or_(a, b), x | y),
            }[kind]()
        )
    for literal, expected in made:
        assert table(graph, literal) == expected


@given(st.integers(0, 31), st.integers(0, 31), st.booleans())
def test_sums_and_differences_of_constants(a: int, b: int, carry: bool) -> None:
    graph = Graph()
    digits = [[x >> i & 1 for i in range(5)] for x in (a, b)]
    assert sum(bit << i for i, bit in enumerate(graph.add(*digits, int(carry)))) == a + b + carry  # type: ignore[call-arg, arg-type]
    difference, less = graph.subtract(*digits)
    assert less == (a < b)
    assert sum(bit << i for i, bit in enumerate(difference)) == (a - b) % 32
    assert len(graph) == 1


def test_equal_expressions_are_one_node() -> None:
    graph = Graph()
    a, b, c = (graph.input() for _ in range(3))
    assert graph.and_(a, b) == graph.and_(b, a)
    assert graph.xor(a, b) == graph.xor(b ^ 1, a) ^ 1
    assert graph.and_(graph.and_(a, b), a) == graph.and_(a, b)
    assert graph.and_(graph.and_(a, b), a ^ 1) == FALSE
    assert graph.and_(a, graph.and_(a, b) ^ 1) == graph.and_(a, b ^ 1)
    assert graph.or_(graph.and_(a, b), graph.and_(a, b ^ 1)) == a
    assert graph.or_(graph.and_(a, b ^ 1), graph.and_(a ^ 1, b)) == graph.xor(a, b)
    assert graph.any([]) == FALSE
    assert graph.any([a, b, c, a ^ 1]) == TRUE


def test_a_cone_is_what_something_depends_on() -> None:
    graph = Graph()
    a, b, c = (graph.input() for _ in range(3))
    both, other = graph.and_(a, b), graph.xor(b, c)
    assert graph.cone([both]) == [a >> 1, b >> 1, both >> 1]
    assert graph.cone([other ^ 1]) == [b >> 1, c >> 1, other >> 1]
    assert graph.cone([TRUE]) == []


@given(networks(), st.integers(0, 31), st.data())
def test_an_instance_is_the_network(network: Network, state: int, data: st.DataObject) -> None:
    facts = [fact for fact in range(len(network.facts)) if state >> fact & 1]
    moves = [data.draw(st.integers(0, len(own) - 1)) for own in network.moves]
    graph = Graph()
    inputs = {1 + fact: TRUE for fact in facts}
    inputs.update({network.move_literal(role, move) >> 1: TRUE for role, move in enumerate(moves)})
    # All inputs are constants, so everything must become one.
    then = instantiate(graph, network, inputs, network.next)
    assert [fact for fact, literal in enumerate(then) if literal == TRUE] == list(evaluate(network, facts, moves).next)
    assert set(then) <= {TRUE, FALSE}
    assert len(gate_cone(network, network.next)) <= len(network.gates)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 63), st.integers(0, 63)), max_size=25))
def test_what_is_seen_to_be_true_is_true(steps: list[tuple[bool, int, int]]) -> None:
    graph = Graph()
    made = [FALSE] + [graph.input() for _ in COLUMNS]
    for is_and, i, j in steps:
        a, b = (made[k // 2 % len(made)] ^ (k & 1) for k in (i, j))
        made.append(graph.and_(a, b) if is_and else graph.xor(a, b))
    for literal in made:
        # Five inputs are few enough to see everything.
        assert graph.is_true(literal, width=30) == (table(graph, literal) == EVERYBODY)
        assert not graph.is_true(literal, width=1) or table(graph, literal) == EVERYBODY
