"""Straight-line code that overwrites its inputs, drawn at random, and what it must compute."""

from __future__ import annotations

from hypothesis import strategies as st

from ggtp.gdl.program.code import Code, lower
from ggtp.gdl.program.graph import Graph

INPUTS = 4
FIRST = 2
EVERYBODY = (1 << 16) - 1
COLUMNS = [sum(1 << lane for lane in range(16) if lane >> i & 1) for i in range(INPUTS)]

steps = st.lists(st.tuples(st.booleans(), st.integers(0, 99), st.integers(0, 99)), max_size=40)
targets = st.lists(st.integers(0, 99), min_size=INPUTS, max_size=INPUTS)


def program(made: list[tuple[bool, int, int]], outputs: list[int]) -> tuple[Code, list[int]]:
    """Code that overwrites its inputs, and what must be in their slots after it."""
    graph = Graph()
    inputs = [graph.input() for _ in range(INPUTS)]
    literals = [(0, 0), *zip(inputs, COLUMNS, strict=True)]

    def pick(number: int) -> tuple[int, int]:
        literal, value = literals[number // 2 % len(literals)]
        return (literal ^ 1, value ^ EVERYBODY) if number & 1 else (literal, value)

    for is_and, i, j in made:
        (a, x), (b, y) = pick(i), pick(j)
        literals.append((graph.and_(a, b), x & y) if is_and else (graph.xor(a, b), x ^ y))
    wanted = [pick(number) for number in outputs]
    slots = {literal >> 1: FIRST + i for i, literal in enumerate(inputs)}
    stores = [(FIRST + i, literal) for i, (literal, _) in enumerate(wanted)]
    return lower(graph, slots, (), stores, FIRST + INPUTS), [value for _, value in wanted]
