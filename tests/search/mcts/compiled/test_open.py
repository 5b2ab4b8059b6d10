"""Leaves that get their moves: when, what is seen behind them, and what is estimated."""

import random
import time

import numpy as np
import pytest
from support.compiled_trees import COIN, MATRIX, THREE, compiled, never, searched, searching, state_after
from support.lanes import Kept

from ggtp.gdl.kernel.single import unpack
from ggtp.gdl.network.network import Built
from ggtp.gdl.play.compiled import CompiledGame
from ggtp.search.evaluation.learning import Lesson
from ggtp.search.evaluation.store import load_lesson
from ggtp.search.mcts.compiled import layout
from ggtp.search.mcts.compiled.search import CompiledSearch
from ggtp.search.mcts.compiled.tree import opposed
from ggtp.search.mcts.options import VISITS, Settings, calmed

TWO_IN_A_ROW = ("(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)")


def heuristics(search: CompiledSearch, node: int) -> list[int]:
    """What whoever chooses in a node may expect behind its moves."""
    tree = search.tree
    assert tree is not None
    first, count = tree.node(node, layout.FIRST), tree.node(node, layout.COUNT)
    rows = tree._edge_halves.reshape(-1, layout.EDGE_HALVES)[first : first + count]
    proofs, found = rows[:, layout.PROOF], rows[:, layout.EDGE_HEURISTIC]
    return [int(heuristic) for heuristic in np.where(proofs >= 0, proofs * layout.POINT, found)]


def lesson(search: CompiledSearch, fact: str, points: float) -> Lesson:
    """One fact is worth so many points to the first player, and nothing else is."""
    worth = np.zeros((2, len(search.network.facts)))
    worth[0, search.network.facts.index(fact)] = points
    return Lesson(np.array([worth[0], -worth[0]]), np.array([50.0, 50.0]), 0.95, 1024)


def test_a_lead_in_mobility_counts_as_often_as_was_learned() -> None:
    search = searching("breakthrough_small", "(move b 2 c 3)", heuristic=0.8, ahead=True)
    even = layout.FULL_GOAL * layout.POINT // 2
    plain = [heuristic - even for heuristic in heuristics(search, search.root)]
    facts = len(search.network.facts)
    search._lesson = Lesson(np.zeros((2, facts)), np.array([50.0, 50.0]), 0.0, 1024, mobility_weight=4.0)
    search.tree = None
    search.begin(search._state)
    assert [heuristic - even for heuristic in heuristics(search, search.root)] == pytest.approx(
        [4 * each for each in plain], abs=4
    )
    assert any(plain)


def test_a_leaf_gets_its_moves_when_it_was_visited_often_enough() -> None:
    edges = {}
    for expansion in (1, 3):
        search = searched(
            "connect3", playouts=4_000, expansion=expansion, solver=False, transpositions=False, leaf=1, batch=1
        )
        tree = search.tree
        assert tree is not None
        edges[expansion] = tree.get("EDGE_COUNT")
        for node in range(1, search.nodes):
            status, done = tree.node(node, layout.STATUS), tree.node(node, layout.DONE)
            if status == layout.CLOSED:
                assert done < expansion
                assert tree.node(node, layout.COUNT) == 0
            elif status == layout.READY:
                assert done >= expansion
    assert edges[3] < 0.7 * edges[1], "and memory lasts longer"


@pytest.mark.parametrize("ahead", [True, False])
def test_a_move_that_wins_at_once_proves_the_node_before_it(ahead: bool) -> None:
    search = searching("tictactoe", *TWO_IN_A_ROW, ahead=ahead)
    assert search.settled is ahead
    assert search.playouts == 0
    if ahead:
        choice = search.decision("cross").chosen(VISITS)
        assert (choice.move, choice.value, choice.proven, choice.length) == ("mark 1 3", 1.0, True, 1)


def test_a_look_ahead_proves_with_fewer_visits() -> None:
    visits = {}
    for ahead in (True, False):
        search = searched("connect3", playouts=1 << 20, ahead=ahead, leaf=1, batch=16)
        tree = search.tree
        assert tree is not None
        assert tree.proven(search.root) == [100, 0]
        visits[ahead] = tree.get("VISITS")
    assert visits[True] < 0.8 * visits[False]


def test_without_a_lesson_a_heuristic_says_how_much_both_can_do() -> None:
    search = searching("breakthrough_small", ahead=True, heuristic=0.5)
    game, state = search.game, state_after(search.game)
    kernel = game.state_kernel()
    legal = kernel.legal(state)
    mover = max((0, 1), key=lambda role: len(legal[role]))
    expected = []
    for move in legal[mover]:
        after = kernel.next(state, [move if role == mover else legal[role][0] for role in (0, 1)])
        theirs = len(kernel.legal(after)[1 - mover])
        share = [len(legal[mover]), theirs] if mover == 0 else [theirs, len(legal[mover])]
        first = layout.FULL_GOAL * layout.POINT * share[0] // sum(share)
        expected.append(first if mover == 0 else layout.FULL_GOAL * layout.POINT - first)
    assert heuristics(search, search.root) == expected


def test_a_lesson_counts_as_much_as_it_is_trusted() -> None:
    search = searching("tictactoe", ahead=True, heuristic=0.5)
    taught = lesson(search, "(cell 3 3 x)", 30.0)
    search._lesson, search.tree, search.workers = taught, None, []
    assert search.begin(state_after(search.game))
    tree, kernel = search.tree, search.game.state_kernel()
    assert tree is not None
    state = state_after(search.game)
    for edge, heuristic in zip(tree.edges(search.root), heuristics(search, search.root), strict=True):
        after = kernel.next(state, [edge.move, kernel.legal(state)[1][0]])
        mobility = 100 * 9 / (9 + 8)
        wanted = mobility + (taught.expected(0, unpack(after)) - mobility) * taught.trust
        assert heuristic / layout.POINT == pytest.approx(wanted, abs=0.01)


def test_a_node_is_worth_the_best_heuristic_behind_it() -> None:
    """Implicit minimax: the first player's, seen by whoever chooses."""
    search = searched("breakthrough_small", playouts=3_000, ahead=True, heuristic=0.5, expansion=2, leaf=1, batch=8)
    tree = search.tree
    assert tree is not None
    opened = 0
    for node in range(search.nodes):
        if tree.node(node, layout.STATUS) == layout.READY:
            best = max(heuristics(search, node))
            first = tree.node(node, layout.KIND) == 0
            assert tree.node(node, layout.HEURISTIC) == (best if first else layout.FULL_GOAL * layout.POINT - best)
            opened += 1
    assert opened > 100


@pytest.mark.parametrize(("heuristic", "chosen"), [(1.0, "mark 3 2"), (0.0, "mark 2 2")])
def test_what_is_estimated_counts_as_much_as_is_wanted(heuristic: float, chosen: str) -> None:
    search = searching("tictactoe", heuristic=heuristic, ahead=True, exploration=0.1, first_play=None, solver=False)
    search._lesson, search.tree, search.workers = lesson(search, "(cell 3 2 x)", 45.0), None, []
    assert search.begin(state_after(search.game))
    tree = search.tree
    assert tree is not None
    tree.set("LIMIT", 3_000)
    search.run(never)
    assert search.decision("cross").chosen(VISITS).move == chosen


@pytest.mark.slow
@pytest.mark.parametrize(("name", "weight"), [("tictactoe", 0.0), ("pawnwhopping", 0.8)])
def test_less_is_estimated_where_heuristics_do_not_tell_moves_apart(name: str, weight: float) -> None:
    search = searched(name, playouts=2_000, ahead=True, heuristic=0.8, expansion=2, leaf=1, batch=16)
    assert search.tree is not None
    found = search.tree._reals
    assert found[layout.WEIGHT] == pytest.approx(weight, abs=0.2)
    assert found[layout.EXPLORATION] == pytest.approx(calmed(search.settings.exploration, found[layout.WEIGHT]))


def test_only_two_whose_goals_are_opposed_are_estimated_for() -> None:
    assert opposed(compiled("tictactoe").network)
    assert opposed(compiled("breakthrough_small").network)
    assert not any(opposed(compiled(name).network) for name in (COIN, THREE, "buttons"))
    for name in (COIN, MATRIX, THREE):
        search = searched(name, playouts=500, heuristic=0.8, ahead=True, expansion=2)
        assert sum(choice.visits for choice in search.decision(search.players[0]).choices) > 0


@pytest.mark.slow
def test_it_learns_before_a_search_where_there_is_time() -> None:
    search = searching("checkers", heuristic=0.5, ahead=True)
    tree = search.tree
    search.learn(None)
    search.learn(time.monotonic() + 0.01)
    assert search._lesson is None
    assert search.tree is tree
    search.learn(time.monotonic() + 3600)
    while search._lesson is None:
        search.learn(time.monotonic() + 3600)
    assert search.tree is None, "heuristic values of before are not to be compared with those to come"
    assert search.begin(state_after(search.game))
    assert search.tree is not None
    assert search.tree.get("TRUST") == round(1000 * search._lesson.trust)
    assert searching("checkers", heuristic=0.5, learning=False)._lessons is None


@pytest.mark.slow
def test_what_was_learned_is_kept_for_the_next_search_even_where_time_is_short() -> None:
    plain, kept = compiled("connect3"), Kept()
    game = CompiledGame(Built(plain.network, plain.statistics), kept, "network 1 abc")
    settings = Settings(seconds=None, heuristic=0.5)
    first = CompiledSearch(game, settings, random.Random(1))
    first.study(lambda: True)
    assert load_lesson(game) is None, "there was no time for it"
    first.study(never)
    assert load_lesson(game) is not None
    second = CompiledSearch(game, settings, random.Random(2))
    assert second._lessons is not None
    assert second._lessons.over
    second.learn(None)
    assert second._lesson is None, "searches of so many playouts do not depend on what has gone before"
    second.learn(time.monotonic() + 0.03)
    assert second._lesson is second._lessons.lesson is not None
