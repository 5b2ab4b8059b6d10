"""New nodes: transpositions, trees that are kept, and room that is made."""

from support.compiled_trees import COIN, MATRIX, compiled, never, searched, state_after

from ggtp.search.mcts.compiled import layout

ROUND_ABOUT = ("(mark 1 1)", "(mark 3 3)", "(mark 1 2)"), ("(mark 1 2)", "(mark 3 3)", "(mark 1 1)")


def test_equal_states_are_one_node_where_that_is_wanted() -> None:
    with_them = searched("tictactoe", playouts=60_000, solver=False)
    without = searched("tictactoe", playouts=60_000, solver=False, transpositions=False)
    assert with_them.nodes < 5_500 < without.nodes  # there are 5,478 positions
    assert len({with_them.tree.state(node) for node in range(with_them.nodes)}) > 0.95 * with_them.nodes


def test_the_same_state_by_another_way_is_known() -> None:
    search = searched("tictactoe", *ROUND_ABOUT[0], playouts=5_000, solver=False)
    root, visits = search.root, search.decision("circle").choices[0].visits
    assert state_after(search.game, *ROUND_ABOUT[0]) == state_after(search.game, *ROUND_ABOUT[1])
    search.begin(state_after(search.game, *ROUND_ABOUT[1]))
    assert search.root == root
    assert search.decision("circle").choices[0].visits == visits


def test_the_tree_is_kept_from_move_to_move_and_after_undo_and_redo() -> None:
    search = searched("connect3", playouts=20_000)
    start = state_after(search.game)
    before = {choice.move: choice.visits for choice in search.decision(search.players[0]).choices}
    best = max(before, key=before.__getitem__)
    after = state_after(search.game, f"({best})")
    search.begin(after)
    assert sum(choice.visits for choice in search.decision(search.players[1]).choices) >= before[best] - 2
    search.begin(start)  # undone
    assert {choice.move: choice.visits for choice in search.decision(search.players[0]).choices} == before
    search.begin(after)  # and redone
    assert sum(choice.visits for choice in search.decision(search.players[1]).choices) >= before[best] - 2


def test_the_tree_is_not_kept_where_that_is_not_wanted() -> None:
    search = searched("connect3", playouts=5_000, reuse=False)
    search.begin(state_after(search.game))
    assert search.nodes == 1
    assert sum(choice.visits for choice in search.decision(search.players[0]).choices) == 0


def test_joint_moves_have_an_edge_each_and_each_role_its_own() -> None:
    search = searched(MATRIX, playouts=100)
    tree = search.tree
    assert tree is not None
    assert tree.node(search.root, layout.KIND) == layout.TOGETHER
    assert len(list(tree.edges(search.root))) == 4
    assert [len(tree.own_edges(search.root, role)) for role in (0, 1)] == [2, 2]
    assert {tree.joint_place(search.root, joint, 0) for joint in (0, 1)} == {0}
    assert [tree.joint_place(search.root, joint, 1) for joint in (0, 1)] == [0, 1]
    assert sum(edge.visits for edge in tree.own_edges(search.root, 0)) == tree.node(search.root, layout.DONE)


def test_chance_draws_all_of_its_outcomes_about_equally() -> None:
    search = searched(COIN, playouts=4_000)
    tree = search.tree
    assert tree is not None
    good = [choice.move for choice in search.decision("hero").choices].index("good")
    outcomes = [
        edge.visits
        for joint, edge in enumerate(tree.edges(search.root))
        if tree.joint_place(search.root, joint, 0) == good
    ]
    assert len(outcomes) == 4
    assert min(outcomes) > 0.8 * max(outcomes) > 0


def test_a_game_that_is_over_has_values_and_no_moves() -> None:
    search = searched("tictactoe", "(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)", playouts=100)
    over = state_after(search.game, "(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)", "(mark 1 3)")
    assert not search.begin(over)
    assert search.tree is not None
    assert search.tree.proven(search.root) == [100, 0]
    search.run(never)
    assert search.settled


def test_edges_are_the_legal_moves() -> None:
    game = compiled("connect3")
    search = searched("connect3", playouts=50)
    legal = game.state_kernel().legal(state_after(game))
    texts = {game.network.moves[0][move].strip("()") for move in legal[0]}
    assert {choice.move for choice in search.decision(search.players[0]).choices} == texts
