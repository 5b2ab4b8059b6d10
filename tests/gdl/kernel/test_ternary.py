from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.lanes import networks
from support.straight import COLUMNS, EVERYBODY, FIRST, program, steps, targets

from ggtp.gdl.kernel import ternary
from ggtp.gdl.kernel.ternary import ALL, Function, cover
from ggtp.gdl.network.network import Network
from ggtp.gdl.program.build import build_step
from ggtp.gdl.program.code import RANDOM, Code, cut, lower
from ggtp.gdl.program.graph import Graph


def computed(function: Function, operands: list[int]) -> int:
    """A function of words, case by case."""
    total = 0
    for case in range(8):
        if function.table >> case & 1:
            lanes = EVERYBODY
            for place, word in enumerate(operands):
                lanes &= word if case >> (2 - place) & 1 else ~word
            total |= lanes
    return total


@given(steps, targets, st.integers(1, 40))
def test_functions_compute_what_the_code_says(made: list[tuple[bool, int, int]], outputs: list[int], size: int) -> None:
    code, expected = program(made, outputs)
    parts = cut(code, size)
    memory = [0, EVERYBODY, *COLUMNS, *[0] * (parts.slots - code.slots)]
    for chunk in parts.chunks:
        before = list(memory)
        known: dict[int, int] = {}

        def value(number: int, known: dict[int, int] = known, before: list[int] = before) -> int:
            return known[number] if number in known else before[parts.home.get(number, number)]

        for position, function in cover(code, chunk).items():
            assert len(function.operands) <= 3
            assert sorted(function.operands) == list(function.operands)
            known[code.slots + position] = computed(function, [value(number) for number in function.operands])
        for _, slot, stored in chunk.stores:
            memory[slot] = value(stored)
    assert memory[FIRST : code.slots] == expected


def of(graph: Graph, inputs: list[int], outputs: list[int]) -> tuple[Code, dict[int, Function]]:
    slots = {literal >> 1: 2 + i for i, literal in enumerate(inputs)}
    places = [(2 + len(inputs) + i, literal) for i, literal in enumerate(outputs)]
    code = lower(graph, slots, (), places, 2 + len(inputs) + len(outputs))
    (chunk,) = cut(code, max(1, len(code))).chunks
    return code, cover(code, chunk)


def test_an_adder_takes_two_functions_a_digit() -> None:
    graph = Graph()
    inputs = [graph.input() for _ in range(8)]
    code, functions = of(graph, inputs, graph.add(inputs[:4], inputs[4:]))
    assert len(code) == 2 + 3 * 5
    assert len(functions) == 2 + 3 * 2
    assert sorted(function.table for function in functions.values() if len(function.operands) == 3) == [
        *[0x96] * 3,
        *[0xE8] * 3,
    ]


def test_what_is_shared_is_computed_once() -> None:
    graph = Graph()
    a, b, c, d, e, f = inputs = [graph.input() for _ in range(6)]
    both = graph.and_(graph.and_(a, b), graph.and_(c, d))
    code, functions = of(graph, inputs, [graph.and_(both, e), graph.and_(both, f)])
    assert len(code) == 5
    assert len(functions) == 4


def test_constants_are_no_operands() -> None:
    graph = Graph()
    a, b = inputs = [graph.input() for _ in range(2)]
    _, functions = of(graph, inputs, [1, 0, a ^ 1, graph.and_(a, b) ^ 1])
    assert sorted(functions.values()) == [((), 0), ((), ALL), ((2,), 0x0F), ((2, 3), 0x3F)]


@given(networks())
def test_random_bits_are_left_as_they_are(network: Network) -> None:
    code = build_step(network).step
    for chunk in cut(code, 50).chunks:
        functions = cover(code, chunk)
        assert all(code.opcodes[position] != RANDOM for position in functions)
        assert all(chunk.first <= position < chunk.last for position in functions)


def test_fewer_cuts_cover_too(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = Graph()
    inputs = [graph.input() for _ in range(9)]
    literals = graph.add(inputs[:4], inputs[4:8], inputs[8])
    counts = []
    for most in (0, 1, ternary.MOST):
        monkeypatch.setattr(ternary, "MOST", most)
        counts.append(len(of(graph, inputs, literals)[1]))
    assert counts[0] > counts[-1] == 8
