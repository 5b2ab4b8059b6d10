from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from support.lanes import run_code
from support.straight import COLUMNS, EVERYBODY, FIRST, INPUTS, program, steps, targets

from ggtp.gdl.program.code import AND, ONES, RANDOM, XOR, ZERO, cut, last_uses, lower
from ggtp.gdl.program.graph import Graph


@given(steps, targets)
def test_code_computes_what_the_graph_says(made: list[tuple[bool, int, int]], outputs: list[int]) -> None:
    code, expected = program(made, outputs)
    memory = [0, EVERYBODY, *COLUMNS]
    run_code(code, memory, EVERYBODY, lambda: 0)
    assert memory[FIRST:] == expected
    assert all(value >= code.slots for _, value in code.stores)


@given(steps, targets, st.integers(1, 9))
def test_chunks_compute_the_same(made: list[tuple[bool, int, int]], outputs: list[int], size: int) -> None:
    code, expected = program(made, outputs)
    parts = cut(code, size)
    memory = [0, EVERYBODY, *COLUMNS, *[0] * (parts.slots - code.slots)]
    for chunk in parts.chunks:
        known: dict[int, int] = {}

        def value(number: int, known: dict[int, int] = known) -> int:
            # What an earlier chunk has computed, or a slot held, is read when it is used first, and from memory.
            if number not in known:
                known[number] = memory[parts.home.get(number, number)]
            return known[number]

        stores = list(chunk.stores)
        for position in range(chunk.first, chunk.last):
            x, y = value(code.left[position]), value(code.right[position])
            known[code.slots + position] = [x & y, x | y, x ^ y, x & ~y][code.opcodes[position]]
            while stores and stores[0][0] == position:
                _, slot, stored = stores.pop(0)
                memory[slot] = value(stored)
        assert not stores
    assert memory[FIRST : FIRST + INPUTS] == expected


def test_a_gate_is_one_operation_however_inverted() -> None:
    graph = Graph()
    a, b, c = (graph.input() for _ in range(3))
    for literal in (graph.and_(a ^ 1, b ^ 1), graph.and_(a, b ^ 1), graph.or_(b ^ 1, c), graph.xor(a ^ 1, c)):
        code = lower(graph, {a >> 1: 2, b >> 1: 3, c >> 1: 4}, (), [(5, literal)], 6)
        assert len(code) <= 2  # the second one inverts what is stored


def test_random_bits_are_drawn_in_order_whatever_needs_them_first() -> None:
    graph = Graph()
    first, second, third = (graph.input() for _ in range(3))
    nodes = [literal >> 1 for literal in (first, second, third)]
    code = lower(graph, {}, nodes, [(2, graph.xor(third, first)), (3, third)], 4)
    assert list(code.opcodes).count(RANDOM) == 2  # nobody wants the second one
    memory = [0, 1, 0, 0]
    bits = iter([1, 0])
    run_code(code, memory, 1, lambda: next(bits))
    assert memory[2:] == [1, 0]


def test_constants_and_swaps() -> None:
    graph = Graph()
    a, b = graph.input(), graph.input()
    code = lower(graph, {a >> 1: 2, b >> 1: 3}, (), [(2, b), (3, a), (4, 1), (5, 0)], 6)
    memory = [0, 3, 1, 2, 0, 3]
    run_code(code, memory, 3, lambda: 0)
    assert memory[2:] == [2, 1, 3, 0]
    assert last_uses(code)[ZERO] >= 0
    assert last_uses(code)[ONES] >= 0


def test_what_does_not_change_is_not_stored() -> None:
    graph = Graph()
    a = graph.input()
    assert len(lower(graph, {a >> 1: 2}, (), [(2, a)], 3)) == 0


def test_what_is_wanted_early_comes_first_if_it_is_needed() -> None:
    graph = Graph()
    a, b, c = (graph.input() for _ in range(3))
    one, two, three = graph.and_(a, b), graph.xor(b, c), graph.and_(graph.xor(a, c), b)
    inputs = {a >> 1: 2, b >> 1: 3, c >> 1: 4}
    plain = lower(graph, inputs, (), [(5, one), (6, two)], 7)
    turned = lower(graph, inputs, (), [(5, one), (6, two)], 7, (three, two ^ 1))
    assert (list(plain.opcodes), list(turned.opcodes)) == ([AND, XOR], [XOR, AND])
