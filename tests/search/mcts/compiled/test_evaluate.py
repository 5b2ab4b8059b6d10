"""Playouts from leaves: how many, by which lanes, and what is noted of them."""

from typing import Any

import pytest
from support.compiled_trees import WIDE, searched, searching

from ggtp.search.mcts.compiled import layout
from ggtp.search.mcts.compiled.search import CompiledSearch
from ggtp.search.tree.rave import Rave


def visits(search: CompiledSearch) -> int:
    assert search.tree is not None
    return search.tree.node(search.root, layout.DONE)


def test_a_leaf_has_as_many_playouts_as_was_said() -> None:
    one, eight = searching("connect3", leaf=1, solver=False), searching("connect3", leaf=8, solver=False)
    for search in (one, eight):
        search.workers[0].search(3)  # so few that no game is over in the tree
    assert one.playouts == visits(one) == visits(eight) == eight.playouts / 8


def test_lanes_that_are_left_over_are_filled() -> None:
    search = searching("connect3", batch=16, leaf=0)
    assert search.workers[0].search(20) == 20
    assert search.playouts > 0.5 * 20 * search.kernel.lanes


def test_few_playouts_are_spread_over_many_leaves() -> None:
    search = searched("connect3", playouts=300, solver=False)
    assert search.playouts >= 300
    assert visits(search) >= 50


def test_values_of_a_leaf_are_those_of_random_games() -> None:
    """All moves from the start, searched without any preference, have on average what random games bring."""
    search = searching("connect3", batch=4, leaf=2000, exploration=100.0, solver=False)
    assert search.workers[0].search(1) == 1
    kernel = search.game.best()
    kernel.seed(3)
    mean = kernel.playouts(40_000).mean(0) / 100
    values = [choice.value for choice in search.decision(search.players[0]).choices if choice.visits]
    assert len(values) == 4
    assert sum(values) / len(values) == pytest.approx(mean, abs=0.02)


def test_moves_made_later_tell_of_moves_never_tried() -> None:
    """Moves that won whenever they were made later go first, and many of the others are never tried."""
    settings: dict[str, Any] = {"playouts": 120, "leaf": 1, "batch": 8, "solver": False, "exploration": 0.1}
    plain = searched(WIDE, **settings)
    rave = searched(WIDE, **settings, selection=Rave(1000))

    def tried(search: CompiledSearch, *, lucky: bool) -> int:
        choices = search.decision("one").choices
        return sum(choice.visits > 0 for choice in choices if choice.move.startswith("say 7") == lucky)

    assert tried(plain, lucky=False) == 90
    assert tried(rave, lucky=False) < 75
    assert tried(rave, lucky=True) >= 8


def test_widening_opens_first_what_later_moves_speak_for() -> None:
    search = searched(WIDE, playouts=600, leaf=1, batch=8, solver=False, selection=Rave(1000), widening=3)
    tried = [choice.move for choice in search.decision("one").choices if choice.visits]
    lucky = [move for move in tried if move.startswith("say 7")]
    assert len(tried) < 90
    assert len(lucky) >= 8


def test_noting_plays_the_same_game() -> None:
    search = searched("connect3", playouts=5_000, selection=Rave(500), solver=False)
    plain = searched("connect3", playouts=20_000, solver=False)
    assert search.decision(search.players[0]).values[search.players[0]] == pytest.approx(
        plain.decision(plain.players[0]).values[plain.players[0]], abs=0.15
    )
