"""Choosing at the root: levels, risks, what is kept from move to move, and real games."""

import random
from dataclasses import replace

import pytest
from support.trees import TreeWalk, random_tree, worst_case

from ggtp.catalogue import Catalogue
from ggtp.gdl.play.rules import load_text
from ggtp.search.cache import Cache
from ggtp.search.minimax.plan import OutOfTime, Plan, View, points_of_value, value_of_points
from ggtp.search.minimax.root import Choice, PositionMinimax, iterate
from ggtp.search.minimax.search import Best
from ggtp.search.minimax.walk import partial_goals


def never():
    return False


def ignore(finding):
    pass


def minimax_of(rule, plan=None, me=None, options=None, ceiling=1 << 24, **kwargs):
    rules = Catalogue.from_environment({}).find_rules(rule)
    values = rules.complete(options or {})
    first = rules.begin(values)
    players = rules.players(values)
    goals = partial_goals if rule.startswith("gdl/") else None
    minimax = PositionMinimax(first, players, me or players[0], plan or Plan(), ceiling, goals, **kwargs)
    return minimax, first, players


def search(rule, plan=None, stop=never, publish=ignore, **kwargs):
    minimax, first, players = minimax_of(rule, plan, **kwargs)
    mover = first.turn().players[0] if first.turn().players[0] in players else players[0]
    return minimax.search(first, list(first.moves(mover)), stop, publish)


def after(count):
    """A reason to stop after so many positions."""
    asked = iter(range(count))
    return lambda: next(asked, None) is None


def chosen(tree, depth, plan, goals=None):
    walk = TreeWalk(tree, goals)
    searching = Best(walk, plan, 0, 2, Cache(1 << 20), (), 2.0, never)
    order = list(walk.moves())
    *_, (value, _, _) = iterate(searching, order, depth)
    return order[0], points_of_value(value, False)


def far(seat=1):
    """Something of which no end is in sight."""
    return [seat, [0, [1, (50, 50)]], [0, [1, (50, 50)]]]


RISKY = [0, [1, (50, 50)], far()]
"""A draw for sure, or what nobody knows."""


@pytest.mark.parametrize(
    ("heuristic", "risk", "move"),
    [(79, 30, 0), (81, 30, 1), (61, 10, 1), (59, 10, 0), (99, None, 0), (51, 0, 1), (49, 0, 0)],
)
def test_an_unknown_line_is_preferred_when_its_heuristic_is_so_much_better(heuristic, risk, move):
    plan = Plan(mobility=False, novelty=False, extension=0, risk=risk)
    goals = {(1, 0): (heuristic, 100 - heuristic), (1, 1): (99, 1)}
    assert chosen(RISKY, 2, plan, goals)[0] == move


@pytest.mark.parametrize("first", [True, False])
def test_a_known_value_that_comes_after_a_better_heuristic_is_not_overlooked(first):
    known, unknown = [1, (50, 50), (60, 40)], far()
    tree = [0, unknown, known] if first else [0, known, unknown]
    at = 0 if first else 1
    goals = {(at, 0): (70, 30), (at, 1): (75, 25)}
    plan = Plan(mobility=False, novelty=False, extension=0)
    assert chosen(tree, 2, plan, goals) == (1 - at, 50)


def test_a_known_loss_is_never_preferred() -> None:
    plan = Plan(mobility=False, novelty=False, extension=0, risk=None)
    goals = {(1, 0): (5, 95), (1, 1): (5, 95)}
    assert chosen([0, (0, 100), far()], 2, plan, goals)[0] == 1


def test_choice() -> None:
    choice = Choice(30)
    assert choice.best is None
    choice.add(value_of_points(70), 1, sure=False)
    assert (choice.best, choice.risky) == ((value_of_points(70), 1), True)
    choice.add(value_of_points(50), 2, sure=True)
    assert (choice.best, choice.risky) == ((value_of_points(50), 2), False)
    choice.add(value_of_points(85), 3, sure=False)
    assert choice.best == (value_of_points(85), 3)


@pytest.mark.parametrize("pruning", [True, False])
def test_the_root_finds_what_the_judge_finds(pruning):
    rng = random.Random(9)
    for _ in range(40):
        tree = [0, *random_tree(rng, 2, 4, opposed=True)[1:]]
        move, points = chosen(tree, 20, Plan(pruning=pruning))
        assert round(points) == worst_case(tree, 0) == worst_case(tree[1 + move], 0)


def test_levels_come_one_after_the_other() -> None:
    told = []
    search("ConnectFour", Plan(depth=4), publish=told.append)
    depths = [finding.depth for finding in told]
    assert depths == sorted(depths)
    assert set(depths) >= {1, 2, 3, 4}
    told.clear()
    search("ConnectFour", Plan(depth=4, deepening=False), publish=told.append)
    assert {finding.depth for finding in told} <= {3, 4}


def test_with_deepening_there_is_something_to_say_when_time_is_over() -> None:
    stopped = {}
    for deepening in (True, False):
        stopped[deepening] = search("ConnectFour", Plan(depth=12, deepening=deepening), after(3000)).depth
    assert stopped[True] >= 3 > stopped[False] == 0


def test_what_is_told_before_the_end_of_a_level_is_no_promise() -> None:
    told = []
    search("ConnectFour", Plan(depth=5), publish=told.append)
    for one in told:
        assert one.line[0] == one.move
        assert len(one.line) <= max(1, one.depth)


def follow(position, moves):
    for move in moves:
        position = position.play({position.turn().players[0]: move}).position
    return position


def nodes_after(minimax, position):
    """How many positions it takes to look four moves ahead."""
    minimax.plan = replace(minimax.plan, depth=4, extension=0)
    return minimax.search(position, list(position.moves(position.turn().players[0])), never, ignore).nodes


def test_the_cache_is_kept_from_move_to_move() -> None:
    minimax, first, players = minimax_of("ConnectFour", Plan(depth=7))
    found = minimax.search(first, list(first.moves(players[0])), never, ignore)
    position = follow(first, found.line[:2])
    assert nodes_after(minimax, position) < nodes_after(minimax_of("ConnectFour")[0], position) / 2


@pytest.mark.parametrize("reply", ["A1", "B2", "C2"])
def test_looking_ahead_makes_the_first_move_cheaper(reply):
    minimax, first, _ = minimax_of("TicTacToe", me="Circle")
    found = minimax.search(first, [], never, ignore)
    assert (found.move, found.points, found.solved) == ("", 50, True)
    assert len(found.line) == 9
    position = follow(first, [reply])
    counted = []
    for one in (minimax, minimax_of("TicTacToe", me="Circle")[0]):
        counted.append(one.search(position, list(position.moves("Circle")), never, ignore).nodes)
    assert counted[0] < counted[1]


@pytest.mark.parametrize("ceiling", [0, 2_000, 20_000])
def test_with_a_tiny_ceiling_it_forgets_and_goes_on(ceiling):
    """The same value as with all the memory in the world, and never more than it may take."""
    used = []
    options = {"columns": "4", "rows": "4", "connect": "3"}
    minimax, first, players = minimax_of("ConnectFour", options=options, ceiling=ceiling)
    keep = minimax.cache.keep

    def watch(key, value):
        keep(key, value)
        used.append(minimax.cache.used)

    minimax.cache.keep = watch
    found = minimax.search(first, list(first.moves(players[0])), never, ignore)
    assert (found.points, found.solved) == (100, True)
    assert max(used) <= max(ceiling, Cache(0).used)
    assert found.purges > 10 or ceiling == 0


def test_it_is_stopped_anywhere() -> None:
    for count in (0, 1, 5, 50, 500):
        found = search("ConnectFour", stop=after(count))
        assert found.move in "ABCDEFG"
        assert found.nodes <= count


def test_a_game_that_is_over_needs_no_looking_ahead() -> None:
    minimax, first, _ = minimax_of("TicTacToe")
    assert minimax.search(follow(first, ("A1", "B1", "A2", "B2", "A3")), [], never, ignore).depth == 0


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "depth"), [("gdl/hanoi", 7), ("gdl/buttons", 6), ("gdl/pancakes", 4)])
def test_puzzles_of_one_player(rule, depth):
    rules = Catalogue.from_environment({}).find_rules(rule)
    found = search(rule, Plan(view=View.ALONE, depth=depth), stop=after(30_000))
    assert found.points > 0
    assert rules.traits.max_players == 1


def test_the_puzzle_of_the_buttons_is_solved() -> None:
    found = search("gdl/buttons", Plan(view=View.ALONE))
    assert (found.points, found.solved) == (100, True)


def test_goals_are_used_once_they_tell_something_apart() -> None:
    minimax, first, _ = minimax_of("gdl/othello", Plan(depth=1))
    minimax.search(first, list(first.moves(first.turn().players[0])), never, ignore)
    told_apart = minimax._near
    without, first, _ = minimax_of("gdl/tictactoe", Plan(depth=1))
    without.search(first, list(first.moves(first.turn().players[0])), never, ignore)
    assert (told_apart, without._near) == (True, False)


FRIENDS = """
(role left) (role right) (init (turn left)) (init (step 1))
(<= (legal ?r share) (role ?r) (true (turn ?r)))
(<= (legal ?r keep) (role ?r) (true (turn ?r)))
(<= (legal left noop) (true (turn right))) (<= (legal right noop) (true (turn left)))
(<= (next (turn right)) (true (turn left)))
(<= (next (turn left)) (true (turn right)))
(<= (next (did ?r ?m)) (does ?r ?m) (true (turn ?r)))
(<= (next (did ?r ?m)) (true (did ?r ?m)))
(<= terminal (true (did right ?m)))
(<= both (true (did left share)) (true (did right share)))
(<= (goal ?r 100) (role ?r) both)
(<= (goal ?r 0) (role ?r) (not both))
"""
"""Whose text looks as if one gained what the other loses."""


def test_a_game_that_is_not_what_it_was_taken_for() -> None:
    """Two whose points do not add up to a hundred are searched as two who want their own."""
    rules = load_text(FRIENDS, "friends")
    assert rules.traits.zero_sum
    minimax = PositionMinimax(rules.start(), rules.players({}), "left", Plan(), 1 << 20, partial_goals)
    found = minimax.search(rules.start(), ["keep", "share"], never, ignore)
    assert minimax.plan.view is View.SELFISH
    assert (found.move, found.points, found.solved) == ("share", 100, True)


def test_out_of_time_is_no_error() -> None:
    def stop():
        raise OutOfTime

    assert search("TicTacToe", stop=stop).depth == 0
