"""The search in machine code against the same search in Python, and against looking at everything."""

import random
from dataclasses import replace
from itertools import product

import pytest
from support.compiled_trees import COIN, MATRIX, THREE, compiled
from support.minimaxes import ignore, in_code, in_python, never, play_on, rules_of, view_for

from ggtp.search.minimax.plan import Plan, View

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


@pytest.mark.slow
@pytest.mark.parametrize("plan", EVERY)
def test_a_game_of_two_is_solved_alike_whatever_is_used(plan):
    code, python = both("tictactoe", plan, moves=4, seed=5)
    assert (code.points, code.solved, code.depth) == (python.points, True, python.depth)


@pytest.mark.slow
@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize(
    ("name", "moves"), [("connect3", 2), ("breakthrough_small", 4), ("othello", 0), ("tictactoe", 2), ("buttons", 0)]
)
def test_heuristics_are_backed_up_alike(name, moves, depth):
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


def test_the_extension_looks_deeper() -> None:
    shallow, _ = both("connect3", Plan(depth=4, extension=0))
    deeper, _ = both("connect3", Plan(depth=4, extension=3))
    assert deeper.nodes > shallow.nodes


@pytest.mark.parametrize(("name", "depth"), [("connectfour", 8), ("checkers", 6), ("breakthrough_small", 7)])
def test_ordering_finds_the_same_with_much_less_work(name, depth):
    found = {}
    for ordering in (True, False):
        minimax = in_code(name, 0, Plan(depth=depth, ordering=ordering, extension=0, caching=ordering))
        found[ordering] = minimax.search(minimax.first, [], never, ignore)
    assert found[True].points == found[False].points
    assert found[True].nodes < found[False].nodes / 2


def one_drop_wins():
    """A position of connect four: whoever is to move has three in a column, and the other one has them too."""
    minimax = in_code("connectfour")
    walk = minimax.walk(minimax.first)
    for move in ("drop 2", "drop 6", "drop 2", "drop 6", "drop 2", "drop 6"):
        walk.play(walk.number(move))
    return walk.state


def test_deepening_has_an_answer_when_time_is_over() -> None:
    """Looking at the deepest level at once, nothing is known of most moves when it is interrupted."""
    found = {}
    for deepening in (True, False):
        minimax = in_code("connectfour", 0, Plan(depth=30, deepening=deepening))
        minimax.most_nodes = 3000
        moves = ["drop 7", "drop 6", "drop 5", "drop 4", "drop 3", "drop 1"]
        found[deepening] = minimax.search(one_drop_wins(), moves, never, ignore)
    assert (found[True].move, found[False].move) == ("drop 6", "drop 7"), "or the other one wins"
    assert found[True].depth > 2
    assert found[False].depth == 0


BRIBED = THREE.replace("(end x l 10 70 90) (end x r 90 20 10)", "(end x l 80 70 90) (end x r 0 20 10)")
"""What is best for Bob after `x` is best for Ann, too; if he wished her ill she would get nothing."""


@pytest.mark.parametrize("make", [in_code, in_python])
@pytest.mark.parametrize(("view", "move", "points"), [(View.SELFISH, "x", 80), (View.PARANOID, "y", 50)])
def test_what_the_others_want_decides(make, view, move, points):
    minimax = make(BRIBED, 0, Plan(view=view))
    first = minimax.first if make is in_code else rules_of(BRIBED).start()
    found = minimax.search(first, ["x", "y"], never, ignore)
    assert (found.move, found.points, found.solved) == (move, points, True)


def test_chance_is_averaged() -> None:
    for plan in EVERY:
        minimax = in_code(COIN, 0, replace(plan, view=View.ALONE))
        found = minimax.search(minimax.first, ["safe", "good", "bad"], never, ignore)
        assert (found.move, found.points, found.solved) == ("good", pytest.approx(75, abs=0.01), True)


def test_moves_at_the_same_time_are_taken_for_guessed() -> None:
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


def test_the_selfish_third_is_seen_through() -> None:
    """Bob prefers 70 to 20, and so Ann has 10 after x; where he is taken for an enemy it is the same to her."""
    minimax = in_code(THREE, 2, Plan(view=View.SELFISH))
    found = minimax.search(minimax.first, [], never, ignore)
    assert (found.points, found.solved) == (0, True)
    assert found.line[0] == "y"


def test_what_does_not_look_good_is_searched_less_deep_first() -> None:
    """The same depth takes much less work, and what is proven is as true as ever."""
    plan = Plan(depth=7, risk=None)
    found = {}
    for reducing in (False, True):
        minimax = in_code("breakthrough_small", 0, replace(plan, reducing=reducing))
        walk = minimax.walk(minimax.first)
        found[reducing] = minimax.search(minimax.first, [walk.text(move) for move in walk.moves()], never, ignore)
    assert found[True].depth == found[False].depth == 7
    assert found[True].nodes < found[False].nodes / 2


@pytest.mark.parametrize("seed", range(6))
def test_proofs_are_the_same_where_moves_are_searched_less_deep_first(seed):
    rng = random.Random(seed)
    rules, left = rules_of("connect3"), iter(range(4))
    position, state = play_on(
        rules, compiled("connect3"), lambda moves: None if next(left, None) is None else rng.choice(moves)
    )
    listed = list(position.moves(rules.players({})[0]))
    plain, reduced = (
        in_code("connect3", 0, Plan(risk=None, reducing=reducing)).search(state, listed, never, ignore)
        for reducing in (False, True)
    )
    assert plain.solved
    assert reduced.solved
    assert reduced.points == plain.points
