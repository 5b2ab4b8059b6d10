"""Searches of compiled games, from outside: one player and many, at the same time, chance, and time."""

import random
import threading
import time

import pytest
from support.compiled_trees import COIN, MATRIX, THREE, compiled, never, searched, searching, state_after

from ggtp.search.mcts.compiled.layout import EXPLORATION
from ggtp.search.mcts.compiled.search import CompiledSearch, suitable
from ggtp.search.mcts.options import BOUND, VISITS, Settings, foreseen


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
    assert search.tree is not None
    assert search.tree.size <= 64 << 20


@pytest.mark.parametrize(("left", "learned"), [(1.0, 0.4), (0.02, 0.008), (0.005, None), (None, None)])
def test_also_a_short_move_leaves_time_to_learn(
    monkeypatch: pytest.MonkeyPatch, left: float | None, learned: float | None
) -> None:
    """A game at 50 ms a move has seconds in all, and one that knows nothing of pieces gives them away."""
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
    tree, nodes = search.tree, search.nodes
    search._pace = 1e9
    search.run(never, time.monotonic() + 1e6)
    assert search.tree is tree
    assert search.nodes > nodes
    assert tree.get("FULL")
    assert search.begin(search._state)
    assert search.tree is not tree
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

    search._search = noticed  # type: ignore[assignment]
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


FORCED = {"444412452": "2", "444343343": "7", "4442422": "4", "4444322": "2"}
"""Positions of Connect Four in which one move wins, by who has to fill a column in the end."""


def found(foresight: bool) -> int:
    """In how many of them a search of so many playouts finds it."""
    game = compiled("connectfour")
    kernel = game.foreseeing() if foresight else game.best()
    total = 0
    for columns, best in FORCED.items():
        search = CompiledSearch(game, Settings(seconds=None, playouts=30_000), random.Random(1), kernel)
        search.begin(state_after(game, *(f"(drop {column})" for column in columns)))
        search.run(never)
        total += search.decision(game.roles[len(columns) % 2]).chosen(BOUND).move == f"drop {best}"
    return total


@pytest.mark.slow
def test_where_players_of_random_games_look_ahead_it_is_seen_who_will_have_to_give_way() -> None:
    assert found(foresight=True) >= 3
    assert found(foresight=False) <= 1


def test_less_is_explored_where_players_of_random_games_look_ahead() -> None:
    game = compiled("connect3")
    search = CompiledSearch(game, Settings(playouts=100, heuristic=0.0, exploration=0.5), random.Random(1), game.best())
    search.begin(state_after(game))
    assert search.tree is not None
    assert search.tree._reals[EXPLORATION] == pytest.approx(0.5)
    ahead = game.foreseeing()
    assert ahead is not None
    search.use(ahead)
    search.begin(state_after(game))
    assert foreseen(0.5) < 0.5
    assert search.tree._reals[EXPLORATION] == pytest.approx(foreseen(0.5))
    search.begin(state_after(game), Settings(playouts=100, heuristic=0.0, exploration=0.8))
    assert search.tree._reals[EXPLORATION] == pytest.approx(foreseen(0.8))


def test_what_other_random_games_have_shown_is_forgotten_where_players_look_ahead() -> None:
    game = compiled("connect3")
    search = CompiledSearch(game, Settings(playouts=2000), random.Random(1), game.best())
    search.begin(state_after(game))
    search.run(never)
    assert search.nodes > 20
    search.use(game.playouts("table"))
    search.begin(state_after(game))
    assert search.nodes > 20, "such games are like those before"
    ahead = game.foreseeing()
    assert ahead is not None
    search.use(ahead)
    search.begin(state_after(game))
    assert search.nodes == 1


def test_a_kernel_is_not_changed_under_a_thread_that_begins_late(monkeypatch: pytest.MonkeyPatch) -> None:
    search = searching("connect3", solver=False)
    game, before = search.game, search.kernel
    free, plainly = threading.Event(), search._search

    def late(*args: object) -> None:
        free.wait(60)
        plainly(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(search, "_search", late)
    search.run(lambda: True)
    ahead = game.foreseeing()
    assert ahead is not None
    search.use(ahead)
    assert search.kernel is before
    assert not search.begin(state_after(game), None, time.monotonic()), "a thread is still there"
    free.set()
    monkeypatch.setattr(search, "_search", plainly)
    assert search.begin(state_after(game), None, time.monotonic() + 60)
    assert search.kernel is ahead
    search.run(lambda: search.playouts > 0)
    assert search.playouts > 0


def crowd(number: int) -> str:
    """Two say a number each at the same time, below this one."""
    return (
        "(role ann) (role bob) (init (step 1))"
        + "".join(f"(num {i})" for i in range(number))
        + """
        (<= (legal ?r (say ?n)) (role ?r) (num ?n) (true (step 1)))
        (<= (legal ?r noop) (role ?r) (not (true (step 1))))
        (<= (next (hit ?r)) (does ?r (say 3)))
        (<= (next (step 2)) (true (step 1)))
        (<= terminal (true (step 2)))
        (<= (goal ?r 100) (true (hit ?r))) (<= (goal ?r 0) (role ?r) (not (true (hit ?r))))
        """
    )


@pytest.mark.slow
@pytest.mark.parametrize(("number", "megabytes"), [(200, 1), (1100, 16)])
def test_where_the_joint_moves_of_one_state_are_too_many_there_is_nothing_to_search(
    number: int, megabytes: int
) -> None:
    """They don't fit into memory, or would not fit into any."""
    game = compiled(crowd(number))
    settings = Settings(seconds=None, playouts=500, megabytes=megabytes)
    search = CompiledSearch(game, settings, random.Random(1), game.at_once)
    assert not search.begin(state_after(game))
    search.run(never)
    assert search.playouts == 0


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
