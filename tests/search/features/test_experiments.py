"""What matters for a move, in games in which that is known."""

from __future__ import annotations

import numpy as np
import pytest
from support.compiled_trees import COIN, MATRIX, THREE, compiled, state_after

from ggtp.gdl.kernel.single import pack, rows
from ggtp.search.features.experiments import Finding, Laboratory, NotSuitable

TURNS = """
(role a) (role b) (init (control a))
(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
(<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
(<= (legal a pass) (true (control a))) (<= (legal b pass) (true (control b)))
(<= (goal a 100) (true won)) (<= (goal a 0) (not (true won)))
(<= (goal b 0) (true won)) (<= (goal b 100) (not (true won)))
(<= terminal (true won)) (<= terminal (true lost))
"""

TWO_OF_THREE = (
    TURNS
    + """
(init (has 1)) (init (has 2)) (init (has 3)) (pair 1 2) (pair 1 3) (pair 2 3)
(<= (legal a claim) (true (control a)))
(<= (legal b (take ?n)) (true (control b)) (true (has ?n)))
(<= (next (has ?n)) (true (has ?n)) (not (does b (take ?n))))
(<= enough (pair ?x ?y) (true (has ?x)) (true (has ?y)))
(<= (next won) (does a claim) enough)
(<= (next lost) (does a claim) (not enough))
"""
)
"""Whoever claims must have any two of three things."""

STACK = (
    TURNS
    + """
(succ 1 2) (succ 2 3) (succ 3 4) (init (stone 1))
(<= (legal a drop) (true (control a)))
(<= (next (stone ?y)) (true (stone ?y)))
(<= (next (stone ?y)) (does a drop) (succ ?below ?y) (true (stone ?below)) (not (true (stone ?y))))
(<= (next won) (does a drop) (true (stone 3)) (true (stone 1)))
(<= (next lost) (does b pass) (true (stone 4)))
"""
)
"""A stone is put on top of every stone that has nothing on it: the case of Connect Four in the paper."""


def texts(text: str, finding: Finding) -> tuple[set[str], set[str]]:
    facts = compiled(text).network.facts
    named = [
        {("not " if literal & 1 else "") + facts[literal >> 1] for literal in literals}
        for literals in (finding.needs, finding.legal)
    ]
    return named[0], named[1]


def winning(text: str, state: bytes, move: str, role: int = 0) -> list[tuple[set[str], set[str]]]:
    game = compiled(text)
    lab = Laboratory(game.state_kernel())
    number = game.network.moves[role].index(move)
    found = lab.generalise(rows([state])[0], role, number, lambda after: lab.won(after, role))
    return [texts(text, finding) for finding in found]


def test_the_papers_example() -> None:
    played = ("(mark 1 1)", "(mark 1 2)", "(mark 3 3)", "(mark 3 2)")
    (found,) = winning("tictactoe", state_after(compiled("tictactoe"), *played), "(mark 2 2)")
    needs, legal = found
    assert {need for need in needs if not need.startswith("not")} == {"(cell 1 1 x)", "(cell 3 3 x)"}
    assert "(cell 2 2 blank)" in legal


def test_a_fact_that_comes_back_is_needed() -> None:
    game = compiled(STACK)
    facts = game.network.facts
    state = pack(game.network, [facts.index(text) for text in ("(control a)", "(stone 1)", "(stone 2)", "(stone 3)")])
    ((needs, _),) = winning(STACK, state, "drop")
    assert needs == {"(stone 2)", "(stone 3)"}, "the first one is always there"


def test_facts_that_stand_in_for_each_other_are_found_by_pairs() -> None:
    game = compiled(TWO_OF_THREE)
    found = winning(TWO_OF_THREE, pack(game.network, game.network.initial), "claim")
    assert sorted(sorted(needs) for needs, _ in found) == [
        ["(has 1)", "(has 2)"],
        ["(has 1)", "(has 3)"],
        ["(has 2)", "(has 3)"],
    ]


def test_facts_that_must_not_hold_are_found() -> None:
    """A disc needs another one below it: three in a row high up are no threat yet."""
    game = compiled("connectfour")
    facts = [text for text in game.network.facts if text.endswith("blank)")]
    filled = {"(cell 1 1": "r", "(cell 2 1": "r", "(cell 3 1": "r", "(cell 4 1": "r"} | {
        f"(cell {x} 2": "y" for x in (1, 2, 3)
    }
    filled["(cell 4 1"] = "y"
    held = [text for text in facts if text[:9] not in filled] + [f"{place} {disc})" for place, disc in filled.items()]
    state = pack(game.network, [game.network.facts.index(text) for text in [*held, "(control yellow)"]])
    ((needs, _),) = winning("connectfour", state, "(drop 4)")
    assert {"(cell 1 2 y)", "(cell 2 2 y)", "(cell 3 2 y)", "(cell 4 2 blank)", "not (cell 4 1 blank)"} <= needs


def test_whose_turn_it_is() -> None:
    game = compiled("tictactoe")
    lab = Laboratory(game.state_kernel())
    states = rows([state_after(game), state_after(game, "(mark 1 1)")])
    assert lab.movers(states).tolist() == [0, 1]
    assert lab.timeless([2 * game.network.facts.index("(control cross)")]) == frozenset()


def test_which_literals_hold_in_all_states() -> None:
    game = compiled("tictactoe")
    lab = Laboratory(game.state_kernel())
    one, two = (2 * game.network.facts.index(text) for text in ("(cell 1 1 x)", "(cell 2 2 blank)"))
    states = rows([state_after(game), state_after(game, "(mark 1 1)"), state_after(game, "(mark 2 2)")])
    assert lab.common(states[:1], [one, one + 1, two]) == {one + 1, two}
    assert lab.common(states[:2], [one, one + 1, two]) == {two}
    assert lab.common(states[::2], [one, one + 1, two, two + 1]) == {one + 1}
    assert lab.common(states, [one, one + 1, two]) == frozenset()


def test_all_moves_of_several_states() -> None:
    game = compiled("tictactoe")
    lab = Laboratory(game.state_kernel())
    states = rows([state_after(game), state_after(game, "(mark 1 1)", "(mark 2 2)")])
    children, parents, moves = lab.children(states, 0)
    assert np.bincount(parents).tolist() == [9, 7]
    assert len(children) == len(moves) == 16


@pytest.mark.parametrize("text", [MATRIX, THREE, COIN, "lightsout"])
def test_only_two_players_who_take_turns(text: str) -> None:
    with pytest.raises(NotSuitable):
        Laboratory(compiled(text).state_kernel())
