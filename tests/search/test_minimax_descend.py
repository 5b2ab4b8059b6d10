"""The search in machine code against the same search in Python, and against looking at everything."""

import random
from dataclasses import replace
from itertools import product

import pytest
from support.compiled_trees import COIN, MATRIX, THREE, compiled
from support.minimaxes import ignore, in_code, in_python, never, play_on, rules_of, view_for

from ggtp.search import minimax_layout as layout
from ggtp.search.minimax_descend import hashed
from ggtp.search.minimax_plan import Plan, View

EVERY = [
    Plan(pruning=pruning, ordering=ordering, caching=caching, extension=extension)
    for pruning, ordering, caching, extension in product((True, False), (True, False), (True, False), (0, 2))
]


def both(name, plan, me=0, moves=0, seed=0):
    """What both searches find after some random moves."""
    rng = random.Random(seed)
    rules = rules_of(name)
    left = iter(range(moves))
    position, state = play_on(
        rules, compiled(name), lambda moves: None if next(left, None) is None else rng.choice(moves)
    )
    listed = list(position.moves(rules.players({})[me]))
    code = in_code(name, me, plan).search(state, listed, never, ignore)
    python = in_python(name, me, plan).search(position, listed, never, ignore)
    return code, python


@pytest.mark.parametrize("plan", EVERY)
def test_a_game_of_two_is_solved_alike_whatever_is_used(plan):
    code, python = both("tictactoe", plan, moves=4, seed=5)
    assert (code.points, code.solved, code.depth) == (python.points, True, python.depth)


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize(
    ("name", "moves"), [("connect3", 2), ("breakthrough_small", 4), ("othello", 0), ("tictactoe", 2), ("buttons", 0)]
)
def test_guesses_are_backed_up_alike(name, moves, depth):
    plan = Plan(view=view_for(rules_of(name)), depth=depth, mobility=False, extension=0, ordering=False)
    code, python = both(name, plan, moves=moves)
    assert code.points == pytest.approx(python.points, abs=0.01)
    assert code.depth == python.depth


@pytest.mark.parametrize("pruning", [True, False])
def test_pruning_changes_nothing_but_the_work(pruning):
    plan = Plan(depth=4, pruning=pruning, extension=0, caching=False)
    code, _ = both("connect3", plan)
    without, _ = both("connect3", replace(plan, pruning=False))
    assert code.points == without.points
    assert code.nodes < without.nodes or not pruning


def test_the_extension_looks_deeper():
    shallow, _ = both("connect3", Plan(depth=4, extension=0))
    deeper, _ = both("connect3", Plan(depth=4, extension=3))
    assert deeper.nodes > shallow.nodes


def test_ordering_saves_work():
    nodes = [both("breakthrough_small", Plan(depth=3, ordering=on, extension=1))[0].nodes for on in (True, False)]
    assert nodes[0] < nodes[1]


def test_chance_is_averaged():
    for plan in EVERY:
        minimax = in_code(COIN, 0, replace(plan, view=View.ALONE))
        found = minimax.search(minimax.first, ["safe", "good", "bad"], never, ignore)
        assert (found.move, found.points, found.solved) == ("good", pytest.approx(75, abs=0.01), True)


def test_moves_at_the_same_time_are_taken_for_guessed():
    """Whoever is up is sure that the other knows it."""
    for me, move, points in ((0, "down", 55), (1, "right", 45)):
        minimax = in_code(MATRIX, me)
        listed = ["up", "down"] if me == 0 else ["left", "right"]
        found = minimax.search(minimax.first, listed, never, ignore)
        assert (found.move, found.points, found.solved) == (move, points, True)


@pytest.mark.parametrize(("view", "move", "points"), [(View.SELFISH, "y", 50), (View.PARANOID, "y", 50)])
def test_many_players(view, move, points):
    minimax = in_code(THREE, 0, Plan(view=view))
    found = minimax.search(minimax.first, ["x", "y"], never, ignore)
    assert (found.move, found.points, found.solved) == (move, points, True)


def test_the_selfish_third_is_seen_through():
    """Bob prefers 70 to 20, and so Ann has 10 after x; where he is taken for an enemy it is the same to her."""
    minimax = in_code(THREE, 2, Plan(view=View.SELFISH))
    found = minimax.search(minimax.first, [], never, ignore)
    assert (found.points, found.solved) == (0, True)
    assert found.line[0] == "y"


def test_the_oldest_quarter_goes():
    minimax = in_code("tictactoe", 0, Plan(), ceiling=60_000)
    capacity = minimax.arena.capacity
    assert 0 < capacity < 1000
    found = minimax.search(minimax.first, [], never, ignore)
    assert (found.points, found.solved) == (50, True)
    assert found.purges > 2
    assert capacity * 3 // 4 <= found.entries <= capacity
    assert minimax.arena.count(layout.OLDEST) < capacity


def test_positions_have_numbers_of_their_own():
    """Every position of the game is found again, and no other is taken for it."""
    minimax = in_code("tictactoe", 0, Plan(pruning=False, extension=0))
    found = minimax.search(minimax.first, [], never, ignore)
    assert found.solved
    assert found.entries == 5478 - 958, "all positions but those that are over"
    assert hashed.__doc__
