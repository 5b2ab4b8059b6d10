"""The tree in flat memory: a ceiling that is kept, and what is read from it."""

import random
from dataclasses import replace

import numpy as np
from support.compiled_trees import compiled, never, searched, state_after

from ggtp.search.evaluation.learning import Lesson
from ggtp.search.mcts.compiled import layout
from ggtp.search.mcts.compiled.search import CompiledSearch
from ggtp.search.mcts.compiled.tree import FlatTree
from ggtp.search.mcts.options import Settings
from ggtp.search.tree.policy import UCT
from ggtp.search.tree.rave import Rave

MEBI = 1 << 20


def test_the_arrays_are_no_larger_than_the_ceiling() -> None:
    for megabytes in (1, 16, 300):
        for selection in (UCT, Rave(100)):
            for branching in (2, 9, 60):
                tree = FlatTree(compiled("tictactoe"), Settings(megabytes=megabytes, selection=selection), branching)
                assert 0.5 * megabytes * MEBI < tree.size <= 1.02 * megabytes * MEBI


def consistent(tree: FlatTree) -> None:
    """Every edge leads to a node that is there, and its state follows from the state before."""
    nodes = tree.get("NODE_COUNT")
    for node in range(nodes):
        for edge in tree.edges(node):
            assert -1 <= edge.child < nodes
            if edge.child >= 0:
                assert tree.node(edge.child, layout.STATUS) in (layout.READY, layout.PROVEN, layout.CLOSED)


def test_a_full_tree_makes_room_and_goes_on() -> None:
    game = compiled("connect3")
    search = CompiledSearch(
        game, Settings(seconds=None, megabytes=1, playouts=60_000, leaf=1, solver=False), random.Random(2)
    )
    search.begin(state_after(game))
    search.run(never)
    tree = search.tree
    assert tree is not None
    assert tree.size <= 1.02 * MEBI
    assert max(search.playouts, tree.get("VISITS")) >= 60_000
    assert 0 < tree.get("NODE_COUNT") <= tree.node_limit
    assert tree.get("EDGE_COUNT") <= tree.edge_limit
    consistent(tree)
    assert tree.state(search.root) == state_after(game)
    # What a tree that never made room thinks best is among the better half of what the small one does.
    large = searched("connect3", playouts=60_000, leaf=1, solver=False)
    (player,) = (
        role
        for role, moves in zip(game.roles, game.state_kernel().legal(state_after(game)), strict=True)
        if len(moves) > 1
    )
    best = large.decision(player).chosen("visits").move
    ranked = sorted(search.decision(player).choices, key=lambda choice: choice.visits, reverse=True)
    assert best in {choice.move for choice in ranked[: len(ranked) // 2]}


def test_states_after_making_room_follow_from_their_parents() -> None:
    game = compiled("connect3")
    search = searched("connect3", playouts=8_000, leaf=1)
    tree = search.tree
    assert tree is not None
    visits = tree.node(search.root, layout.DONE)
    kernel = game.state_kernel()
    search._make_room(tree)
    assert tree.node(search.root, layout.DONE) == visits
    consistent(tree)
    checked = 0
    for node in range(0, tree.get("NODE_COUNT"), 7):
        role = tree.node(node, layout.KIND)
        for edge in tree.edges(node):
            if edge.child < 0 or role < 0:
                continue
            joint = [moves[0] for moves in kernel.legal(tree.state(node))]
            joint[role] = edge.move
            assert kernel.next(tree.state(node), joint) == tree.state(edge.child)
            checked += 1
    assert checked > 100


def test_old_branches_are_the_first_to_go() -> None:
    game = compiled("connect3")
    search = searched("connect3", playouts=8_000, leaf=1)
    tree = search.tree
    assert tree is not None
    before = tree.get("NODE_COUNT")
    best = search.decision(search.players[0]).chosen("visits").move
    search.begin(state_after(game, f"({best})"))
    search._make_room(tree)
    assert 0 < tree.get("NODE_COUNT") < before
    consistent(tree)


def test_settings_can_change_between_searches() -> None:
    search = searched("connect3", playouts=1_000)
    search.begin(state_after(search.game), replace(search.settings, exploration=2.0, solver=False))
    assert search.tree is not None
    assert search.tree.get("SOLVER") == 0
    assert search.tree._reals[layout.EXPLORATION] == 2.0
    assert search.nodes > 1  # the tree is still there


def test_what_somebody_else_has_found_out_stands_in_the_tree() -> None:
    search = searched("connect3", playouts=2_000)
    tree, root = search.tree, search.root
    assert tree is not None
    first = tree.node(root, layout.FIRST)
    edge = next(place for place, edge in enumerate(tree.edges(root), first) if edge.child >= 0)
    child = tree.edge(edge).child
    tree.certify(child, [0, 100], 4)
    tree.certify_edge(edge, child, 0)
    assert tree.proven(child) == [0, 100]
    assert tree.values(child) == [0.0, 1.0]
    assert tree.edge(edge)[3:] == (0.0, True, 5)
    tree.doubt(child)
    assert tree.proven(child) is None, "nobody knows by which move"
    tree.certify(root, [0, 100], 5)
    tree.doubt(root)
    assert tree.proven(root) == [0, 100]


def test_heuristics_that_say_nothing_count_nothing_however_well_they_tell_moves_apart() -> None:
    drops = [f"(drop {column})" for column in (4, 4, 4, 4, 4, 2, 2, 2, 2, 2, 6, 6, 6)]
    search = searched("connectfour", *drops, playouts=30_000, heuristic=0.8, ahead=True, expansion=2)
    tree, reals = search.tree, search.tree._reals if search.tree is not None else []
    assert tree is not None
    assert tree.worth_of_heuristics > 0.5, "who has filled columns can do less"
    assert reals[layout.WEIGHT] > 0.4
    assert tree.follows_heuristics
    assert search.decision(search.players[1]).heuristic
    facts, base = np.zeros((2, len(search.network.facts))), np.array([50.0, 50.0])
    tree.teach(Lesson(facts, base, 0.0, 400))
    search.begin(search._state, replace(search.settings, playouts=40_000, exploration=0.3))
    search.run(never)
    assert tree.worth_of_heuristics == 0.0
    assert reals[layout.WEIGHT] == 0.0
    assert reals[layout.EXPLORATION] == 0.3
    assert not tree.follows_heuristics
    tree.teach(Lesson(facts, base, 0.0, 400, mobility_weight=2.0))
    assert tree.worth_of_heuristics > 0.5
    assert reals[layout.FULL_WEIGHT] == 0.8
