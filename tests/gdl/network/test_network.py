"""The numbering of a network's literals."""

from __future__ import annotations

from dataclasses import replace

from ggtp.gdl.network.network import FALSE, TRUE, Network


def network() -> Network:
    return Network(
        roles=("left", "right"),
        facts=("a", "b", "c"),
        moves=(("x", "y"), ("z",)),
        initial=(0,),
        gates=((2, 4),),
        next=(2, 4, 6),
        legal=((TRUE, FALSE), (TRUE,)),
        terminal=FALSE,
        goals=(((100, TRUE),), ((0, TRUE),)),
    )


def test_the_constant_comes_first_then_facts_then_moves_then_gates() -> None:
    game = network()
    assert [game.fact_literal(fact) for fact in range(3)] == [2, 4, 6]
    assert [game.move_literal(0, 0), game.move_literal(0, 1), game.move_literal(1, 0)] == [8, 10, 12]
    assert game.inputs == 7


def test_values_are_those_of_the_constant_the_facts_the_moves_and_the_gates() -> None:
    game = replace(network(), gates=((2, 4), (3, 10), (15, 12)))
    assert game.values([0, 1]) == [0, 1, 1, 0, 0, 0, 0, 1, 0, 0]
    assert game.values([1], [1, 0]) == [0, 0, 1, 0, 0, 1, 1, 0, 1, 1]


def test_inverting_a_literal_is_its_last_bit() -> None:
    assert FALSE ^ 1 == TRUE
