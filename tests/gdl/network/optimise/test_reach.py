"""What can never be, found from the start."""

from __future__ import annotations

import numpy as np

from ggtp.gdl.network.graph import FALSE, TRUE, Graph, Ints, offsets
from ggtp.gdl.network.optimise.reach import constants, possible


def ints(*values: int) -> Ints:
    return np.array(values, dtype=np.int64)


def graph(inputs: int, rows: list[list[int]], roots: list[int]) -> Graph:
    literals = [literal for row in rows for literal in row]
    return Graph(inputs, offsets(ints(*map(len, rows))), ints(*literals), ints(*roots))


def test_facts_that_never_hold_and_facts_that_always_do() -> None:
    # Facts 1 to 3, one move 4, always legal. Fact 1 stays; fact 2 needs that it does not hold; fact 3 is the move.
    item = graph(5, [[3, 8]], [2, 10, 8, TRUE])
    assert constants(item, 3, ints(0)).tolist() == [FALSE, TRUE, FALSE, 6, 8]
    # If fact 1 does not hold at the start, it never does, and fact 2 may.
    assert constants(item, 3, ints()).tolist() == [FALSE, FALSE, 4, 6, 8]


def test_moves_that_are_never_legal() -> None:
    # The move is legal if both facts hold, which are never seen to.
    item = graph(4, [[2, 4]], [6, FALSE, 8])
    assert constants(item, 2, ints(0)).tolist() == [FALSE, 2, FALSE, FALSE]


def test_what_takes_many_steps_is_found() -> None:
    # A counter: each of nine facts takes over the value of the one before.
    item = graph(11, [], [FALSE, 2, 4, 6, 8, 10, 12, 14, 16, TRUE])
    assert constants(item, 9, ints(0)).tolist() == [FALSE, *range(2, 20, 2), 20]
    assert possible(item, 9, ints(0))[1:20].all()


def test_a_literal_and_its_inverse_are_taken_one_by_one() -> None:
    # Fact 1 is inverted by each step; so both values are possible, and so is their AND with fact 2's.
    item = graph(4, [[2, 4]], [3, 3, TRUE])
    assert possible(item, 2, ints(0)).tolist() == [False, True, True, True, True, True, True, True, True, True]
