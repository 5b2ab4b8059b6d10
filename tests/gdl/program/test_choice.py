from __future__ import annotations

from random import Random

import pytest
from support.lanes import run_code

from ggtp.gdl.network.network import TRUE
from ggtp.gdl.program.choice import EXTRA_BITS, choose
from ggtp.gdl.program.code import Code, lower
from ggtp.gdl.program.graph import Graph

FIRST = 2


def chooser(size: int) -> tuple[Code, int]:
    """Code of a choice, and how many random bits it takes; these are slots like the leaves, after them."""
    graph = Graph()
    leaves = [graph.input() for _ in range(size)]
    drawn: list[int] = []

    def random() -> int:
        drawn.append(graph.input())
        return drawn[-1]

    choice = choose(graph, leaves, random)
    inputs = {literal >> 1: FIRST + i for i, literal in enumerate([*leaves, *drawn])}
    results = FIRST + len(inputs)
    outputs = [(results + i, literal) for i, literal in enumerate([*choice.selected, choice.nothing])]
    return lower(graph, inputs, (), outputs, results + len(outputs)), len(drawn)


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 7, 8, 9, 12, 17, 31, 40])
def test_every_leaf_that_holds_is_as_likely_as_any_other(size: int) -> None:
    code, bits = chooser(size)
    # Every number that can be drawn is a lane.
    lanes = 1 << bits
    everybody = (1 << lanes) - 1
    columns = [everybody // ((1 << (1 << i)) + 1) << (1 << i) for i in range(bits)]
    random = Random(size)
    patterns = [random.sample(range(size), count) for count in sorted({1, 2, size // 2, size - 1, size} - {0})]
    for pattern in patterns:
        memory = [0] * code.slots
        memory[FIRST : FIRST + size] = [everybody if leaf in pattern else 0 for leaf in range(size)]
        memory[FIRST + size : FIRST + size + bits] = columns
        run_code(code, memory, everybody, lambda: 0)
        *selected, nothing = memory[FIRST + size + bits :]
        assert nothing == 0
        total = 0
        for leaf, lane_set in enumerate(selected):
            assert total & lane_set == 0
            total |= lane_set
            share = lane_set.bit_count() / lanes
            if leaf in pattern:
                assert share == pytest.approx(1 / len(pattern), rel=2.0**-EXTRA_BITS)
            else:
                assert share == 0
        assert total == everybody


def test_nothing_to_choose_from() -> None:
    code, _ = chooser(5)
    memory = [0] * code.slots
    run_code(code, memory, 1, lambda: 0)
    assert memory[-1] == 1
    assert choose(Graph(), [], lambda: 0).nothing == TRUE


def test_one_leaf_needs_no_random_bits_and_two_need_one() -> None:
    assert chooser(1)[1] == 0
    assert chooser(2)[1] == 1


def test_the_price_of_a_leaf() -> None:
    code, bits = chooser(256)
    drawing = bits * (6 * 9)
    assert (len(code) - drawing) / 256 < 16
