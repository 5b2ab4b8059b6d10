"""States by the thousand are what the interpreter says of each."""

from __future__ import annotations

import random

import numpy as np
import pytest
from support.puzzles import SWITCHES, built, compiled, sheet

from ggtp.asp import space as module
from ggtp.asp.space import Space, Words, hashed, mobility, ones
from ggtp.gdl.interpret.reasoner import Interpreter
from ggtp.gdl.kernel.single import states, unpack
from ggtp.gdl.language.parse import parse_term


def space(name: str, start: list[int] | None = None) -> Space:
    game = compiled(name)
    return Space(game.network, game.state_kernel(compiled=False), start)


def shown(item: Space, row: Words) -> set[str]:
    (state,) = states(row[None, :])
    return {item.network.facts[fact] for fact in unpack(state)}


@pytest.mark.parametrize("name", ["buttons", "queens", "pegsolitaire"])
def test_children_are_those_of_the_rules(name: str) -> None:
    item, rules, rng = space(name), Interpreter(sheet(name)), random.Random(1)
    (role,) = rules.roles
    state, row = rules.initial(), item.first
    for _ in range(6):
        look = item.look(row)
        assert look.alive[0] == (not rules.terminal(state))
        assert look.goals[0] == (rules.goal(state, role) or 0)
        legal = {str(move) for move in rules.legal(state, role)}
        assert mobility(look)[0] == len(legal)
        (children,) = item.children(row, look)
        moves = [item.network.moves[0][move] for move in children.moves]
        assert sorted(moves) == sorted(legal)
        assert set(children.parents.tolist()) == {0}
        known = set(item.network.facts)
        for number, move in enumerate(moves):
            after = rules.next(state, {role: parse_term(move)})
            assert shown(item, children.rows[number]) == {str(fact) for fact in after} & known
        chosen = rng.randrange(len(moves))
        state = rules.next(state, {role: parse_term(moves[chosen])})
        row = children.rows[chosen : chosen + 1]
        if rules.terminal(state):
            break


def test_many_states_come_in_several_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    item = space("queens")
    row = item.first
    look = item.look(row)
    (children,) = item.children(row, look)
    layer = children.rows
    (whole,) = item.children(layer, item.look(layer))
    monkeypatch.setattr(module, "BLOCK", 20)
    parts = list(space("queens").children(layer, item.look(layer)))
    assert len(parts) == 3
    assert np.array_equal(np.concatenate([part.rows for part in parts]), whole.rows)
    assert np.array_equal(np.concatenate([part.parents for part in parts]), whole.parents)
    assert np.array_equal(np.concatenate([part.moves for part in parts]), whole.moves)


def test_it_begins_where_it_is_told() -> None:
    network = built(SWITCHES).network
    item = space(SWITCHES, [network.facts.index("(on a)")])
    assert shown(item, item.first[0]) == {"(on a)"}


def test_a_clock_does_not_count() -> None:
    item = space(SWITCHES)
    mask = item.clocks(random.Random(1))
    assert mask is not None
    counting = {fact for number, fact in enumerate(item.network.facts) if int(mask[number // 64]) >> number % 64 & 1}
    assert counting == {"(on a)", "(on b)", "(on c)"}


TURNS = """
(role r) (init (turn a)) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
(legal r go) (legal r stay)
(<= (next (turn b)) (true (turn a)))
(<= (next (turn a)) (true (turn b)))
(<= (next (at ?y)) (does r go) (true (at ?x)) (succ ?x ?y))
(<= (next (at ?x)) (does r stay) (true (at ?x)))
(<= terminal (true (at 4)) (true (turn a)))
(<= (goal r 100) (true (turn a)))
(<= (goal r 0) (true (turn b)))
"""


def test_a_turn_that_comes_again_is_no_clock() -> None:
    assert space(TURNS).clocks(random.Random(1)) is None


def test_equal_states_have_equal_numbers() -> None:
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 1 << 63, (2000, 3)).astype(np.uint64)
    assert len(np.unique(hashed(rows))) == len(rows)
    assert np.array_equal(hashed(rows), hashed(rows.copy()))
    mask = np.array([0xFFFF_FFFF_FFFF_FFFF, 0, 0xFFFF_FFFF_FFFF_FFFF], np.uint64)
    other = rows.copy()
    other[:, 1] = 7
    assert np.array_equal(hashed(rows, mask), hashed(other, mask))
    assert not np.array_equal(hashed(rows), hashed(other))


def test_bits_are_counted() -> None:
    assert ones(np.array([[0, 255, 1], [3, 0, 0]], np.uint8)).tolist() == [9, 2]
