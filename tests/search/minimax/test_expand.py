"""Positions in machine code against the walk and the heuristics in Python."""

import random

import pytest
from support.compiled_trees import COIN, MATRIX, THREE, compiled
from support.minimaxes import in_code, play_on, rules_of, view_for

from ggtp.search.evaluation.heuristics import Novelty, blend, mobility, proximity
from ggtp.search.minimax import layout
from ggtp.search.minimax.descend import ENDLESS
from ggtp.search.minimax.plan import Plan, View, value_of_points
from ggtp.search.minimax.walk import OVER

GAMES = ["tictactoe", "connect3", "breakthrough_small", "othello", "skirmish", "tron", "buttons", COIN, MATRIX, THREE]


def some_positions(name, count, rng):
    rules, code = rules_of(name), compiled(name)
    for _ in range(count):
        left = iter(range(rng.randrange(6)))
        yield play_on(rules, code, lambda moves, left=left: None if next(left, None) is None else rng.choice(moves))


def estimated(minimax, state, plan):
    """The heuristic values of machine code for a state."""
    walk = minimax.walk(state)
    search = minimax.searching(walk, plan, lambda: False)
    return walk, search, search.child(0, 0, -ENDLESS, ENDLESS, 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("near", [True, False])
def test_machine_code_has_the_values_of_the_heuristics(name, near):
    rules = rules_of(name)
    view = view_for(rules)
    plan = Plan(view=view, proximity=near)
    minimax = in_code(name, 0, plan)
    for position, state in some_positions(name, 6, random.Random(1)):
        walk, search, values = estimated(minimax, state, plan)
        if walk.mover() == OVER:
            continue
        usual = minimax._usual
        first = rules.start().key()
        choices = [len(moves) if len(moves) > 1 else round(usual) for moves in walk.look.legal]
        choices = [choices[role] for role in walk.players]
        for seat in range(len(walk.players)) if view is View.SELFISH else [0]:
            parts = (
                mobility(choices, seat, usual),
                Novelty(first[0])(position.key()[0]),
                proximity(walk.partial() or [0, 0, 0], seat, view is View.OPPOSED) if near else None,
            )
            assert search.worth(values, seat) == pytest.approx(value_of_points(blend(*parts)), abs=2)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_all_children_are_made_at_once(name):
    """As many positions as there are moves, whoever decides."""
    plan = Plan(view=view_for(rules_of(name)), extension=0, caching=False)
    minimax = in_code(name, 0, plan)
    for _, state in some_positions(name, 6, random.Random(2)):
        walk = minimax.walk(state)
        if walk.mover() == OVER:
            continue
        search = minimax.searching(walk, plan, lambda: False)
        search.child(1, 0, -ENDLESS, ENDLESS, 0)
        alone = sum(len(moves) > 1 for moves in walk.look.legal) <= 1
        assert search.nodes == 1 + (len(walk.moves()) if alone else 0)
        assert minimax.arena.count(layout.NODES) == search.nodes
