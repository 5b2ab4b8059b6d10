"""Facts that are the same as others, moves that are made whenever they can be."""

from __future__ import annotations

import numpy as np

from ggtp.gdl.network.graph import FALSE, TRUE, Graph, Ints, offsets
from ggtp.gdl.network.optimise.same import forced_moves, same_facts


def ints(*values: int) -> Ints:
    return np.array(values, dtype=np.int64)


def graph(inputs: int, rows: list[list[int]], roots: list[int]) -> Graph:
    literals = [literal for row in rows for literal in row]
    return Graph(inputs, offsets(ints(*map(len, rows))), ints(*literals), ints(*roots))


def test_two_that_exchange_their_values_are_inverses() -> None:
    assert same_facts(graph(3, [], [4, 2]), 2, ints(0)).tolist() == [FALSE, 2, 3]


def test_two_that_exchange_their_values_are_copies_if_they_begin_alike() -> None:
    # Neither ever changes, so they are constants of the reachability pass; here they are copies.
    assert same_facts(graph(3, [], [4, 2]), 2, ints()).tolist() == [FALSE, 2, 2]


def test_three_that_pass_a_token_round_are_not_the_same() -> None:
    assert same_facts(graph(4, [], [6, 2, 4]), 3, ints(0)).tolist() == [FALSE, 2, 4, 6]


def test_copies_and_inverses_with_one_next_value() -> None:
    # Facts 1 and 2 and 4 get the move's value, fact 3 its inverse; fact 4 begins differently.
    item = graph(6, [], [10, 10, 11, 10, TRUE])
    assert same_facts(item, 4, ints(0, 1)).tolist() == [FALSE, 2, 2, 3, 8, 10]


def test_facts_that_never_change() -> None:
    assert same_facts(graph(4, [], [TRUE, FALSE, TRUE]), 3, ints(0)).tolist() == [FALSE, TRUE, FALSE, 6]


def test_those_that_take_over_the_values_of_equal_facts() -> None:
    # Facts 1 and 2 get the move's value; facts 3 and 4 are what they were a step ago.
    item = graph(6, [], [10, 10, 2, 4, TRUE])
    assert same_facts(item, 4, ints()).tolist() == [FALSE, 2, 2, 6, 6, 10]


def test_a_move_that_is_legal_alone_is_forced() -> None:
    # One fact; three moves, of which the first is legal if it does not hold, and the others if it does, and more.
    item = graph(6, [[2, 4], [2, 5]], [TRUE, TRUE, 3, 12, 14])
    assert forced_moves(item, 2, (3,)).tolist() == [0, 2, 4, 3, 8, 10]


def test_moves_that_may_be_legal_together_are_not() -> None:
    item = graph(5, [], [TRUE, TRUE, 2, 4])
    assert forced_moves(item, 2, (2,)).tolist() == [0, 2, 4, 6, 8]


def test_an_only_move_is_always_made() -> None:
    item = graph(4, [], [TRUE, 2, TRUE])
    assert forced_moves(item, 1, (1, 1)).tolist() == [0, 2, TRUE, TRUE]
