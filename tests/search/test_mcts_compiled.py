"""Searches of compiled games, from outside: one player and many, at the same time, chance, and time."""

import random
import threading
import time

import pytest
from support.compiled_trees import COIN, MATRIX, THREE, compiled, never, searched, searching, state_after

from ggtp.search.mcts_compiled import CompiledSearch, suitable
from ggtp.search.mcts_options import VISITS, Settings


def test_a_move_that_wins_at_once_is_found_without_a_search() -> None:
    won = ("(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)")
    assert searching("tictactoe", *won).winning("cross") == "mark 1 3"
    assert searching("tictactoe", *won[:2]).winning("cross") is None
    assert searching(MATRIX).winning("row") is None  # the other has a say in it


def test_a_tree_is_as_large_as_its_time_is_long() -> None:
    assert suitable(3072, 1, None) == 3072
    assert suitable(3072, 1, 60.0) == 3072
    assert suitable(3072, 1, 0.02) == suitable(3072, 1, 0.0) == 64
    assert suitable(3072, 2, 0.1) == 2 * suitable(3072, 1, 0.1)
    assert suitable(16, 1, 0.02) == 16, "and never larger than it may be"
    search = CompiledSearch(compiled("connect3"), Settings(megabytes=512), random.Random(1))
    state = state_after(search.game)
    search.begin(state, deadline=time.monotonic() + 0.02)
    assert search._tree is not None
    assert search._tree.size <= 64 << 20


@pytest.mark.parametrize(("left", "learned"), [(1.0, 0.4), (0.02, 0.008), (0.005, None), (None, None)])
def test_also_a_short_move_leaves_time_to_learn(
    monkeypatch: pytest.MonkeyPatch, left: float | None, learned: float | None
) -> None:
    """A game at 50 ms a move has seconds in all, and one that knows nothing of men gives them away."""
    search = searching("connect3")
    asked: list[float] = []

    class Taught:
        lesson, over = None, False

        def learn(self, should_stop: object, seconds: float) -> None:
            asked.append(seconds)

    search._lessons = Taught()  # type: ignore[assignment]
    monkeypatch.setattr(time, "monotonic", lambda: 100.0)
    search.learn(None if left is None else 100.0 + left)
    assert asked == ([] if learned is None else [pytest.approx(learned)])


def test_a_full_tree_is_given_up_where_there_is_no_time_to_tidy_it() -> None:
    """The move is not late for it; the next search begins a new tree, and has the whole time."""
    search = searching("connectfour", megabytes=1)
    tree, nodes = search._tree, search.nodes
    search._pace = 1e9
    search.run(never, time.monotonic() + 1e6)
    assert search._tree is tree
    assert search.nodes > nodes
    assert tree.get("FULL")
    assert search.begin(search._state)
    assert search._tree is not tree
    assert search.nodes == 1


def test_where_time_is_short_it_searches_in_the_thread_that_asks() -> None:
    """As soon as it is known that a batch is quick."""
    search = searching("connect3", solver=False)
    here = threading.get_ident()
    searching_in = set()
    real = search._search

    def noticed(*args: object) -> None:
        searching_in.add(threading.get_ident())
        real(*args)  # type: ignore[arg-type]

    search._search = noticed  # type: ignore[method-assign]
    search.run(never, time.monotonic() + 0.05)
    assert here not in searching_in, "nothing is known yet"
    for batch, expected in ((0.0001, True), (0.01, False)):
        assert search.begin(search._state)
        search._round = batch
        searching_in.clear()
        search.run(never, time.monotonic() + 0.1)
        assert (here in searching_in) is expected


def test_chance_is_averaged() -> None:
    decision = searched(COIN, playouts=6_000).decision("hero")
    values = {choice.move: choice.value for choice in decision.choices}
    assert decision.chosen(VISITS).move == "good"
    assert values["good"] == pytest.approx(0.75, abs=0.03)
    assert values["safe"] == pytest.approx(0.6, abs=0.001)


def test_three_players() -> None:
    assert searched(THREE, playouts=500).decision("ann").chosen(VISITS).move == "y"


def test_the_kernel_that_is_there_at_once_serves_too() -> None:
    game = compiled("connect3")
    search = CompiledSearch(game, Settings(playouts=5_000), random.Random(1), game.at_once)
    search.begin(state_after(game))
    search.run(never)
    assert search.playouts >= 5_000
    search.use(game.best())
    assert search.begin(state_after(game))
    search.run(never)
    assert search.playouts >= 5_000
