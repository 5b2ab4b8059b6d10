"""Back up: values of every player, and proofs."""

import pytest
from support.compiled_trees import THREE, never, searched, searching

from ggtp.search.mcts.compiled import layout
from ggtp.search.mcts.options import VISITS
from ggtp.search.tree.rave import Rave

WON = ("(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)")
"""Cross completes a row with (mark 1 3)."""


@pytest.mark.slow
def test_a_drawn_game_is_proven_drawn() -> None:
    search = searched("tictactoe", playouts=400_000)
    decision = search.decision("cross")
    assert decision.solved
    assert decision.values == {"cross": 0.5, "circle": 0.5}
    assert all(choice.proven and choice.value == 0.5 for choice in decision.choices)


def test_a_win_is_proven_with_its_length() -> None:
    decision = searched("tictactoe", *WON, playouts=5_000).decision("cross")
    assert decision.solved
    assert decision.chosen(VISITS).move == "mark 1 3"
    assert decision.chosen(VISITS).length == 1


def test_a_loss_is_proven() -> None:
    # Cross has two threats, circle one move.
    lost = ("(mark 1 1)", "(mark 1 2)", "(mark 3 3)", "(mark 1 3)", "(mark 3 1)")
    search = searched("tictactoe", *lost, playouts=5_000)
    assert search.settled
    decision = search.decision("circle")
    assert decision.values == {"cross": 1.0, "circle": 0.0}


def test_without_the_solver_nothing_is_proven() -> None:
    decision = searched("tictactoe", *WON, playouts=5_000, solver=False).decision("cross")
    assert not decision.solved
    assert not any(choice.proven for choice in decision.choices)
    assert decision.chosen(VISITS).move == "mark 1 3"


def test_each_of_three_players_follows_its_own_values() -> None:
    for solver in (True, False):
        decision = searched(THREE, playouts=3_000, solver=solver).decision("ann")
        assert decision.chosen(VISITS).move == "y"
        assert decision.solved == solver
    assert searched(THREE, playouts=3_000).decision("ann").values == {"ann": 0.5, "bob": 0.6, "cid": 0.0}


def test_the_values_of_nodes_are_the_sums_of_what_was_backed_up() -> None:
    search = searched("connect3", playouts=5_000, solver=False, transpositions=False)
    tree = search.tree
    assert tree is not None
    edges = list(tree.edges(search.root))
    done = tree.node(search.root, layout.DONE)
    assert sum(edge.visits for edge in edges) == done
    mean = sum(edge.value * edge.visits for edge in edges) / done
    assert tree.values(search.root)[0] == pytest.approx(mean, abs=1e-6)
    assert sum(tree.values(search.root)) == pytest.approx(1.0, abs=0.01)


def test_a_certain_draw_keeps_the_value_from_sinking_below_it() -> None:
    search = searching("tictactoe", playouts=400_000)
    tree = search.tree
    assert tree is not None
    seen = 0
    while not search.settled and search.workers[0].search(1):
        floor = tree.node(search.root, layout.FLOOR)
        seen += bool(floor)
        if floor:
            assert tree.edge(floor - 1).proven
            assert tree.edge(floor - 1).value == 0.5
    assert seen > 0
    search.run(never)
    assert search.decision("cross").values["cross"] == 0.5


def test_games_in_which_a_move_was_made_tell_of_it_as_those_in_which_it_was_made_later_do() -> None:
    """Where each move is made once at most, what is known of it by RAVE has at least all visits of the move itself."""
    search = searched("tictactoe", *WON, playouts=500, leaf=1, batch=8, selection=Rave(100), solver=False)
    tree = search.tree
    assert tree is not None
    first = tree.node(search.root, layout.FIRST)
    for place, edge in enumerate(tree.edges(search.root)):
        known = int(tree._raves[2 * (first + place)]) & 0xFFFFFFFF
        assert known >= edge.visits
