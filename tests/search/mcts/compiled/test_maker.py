"""Searches come from the background; until the best kernel is there another one serves."""

import random
import threading
from dataclasses import replace
from itertools import count

import pytest
from support.compiled_trees import compiled, never, state_after

from ggtp.gdl.kernel import playouts
from ggtp.gdl.kernel.playouts import Cancelled
from ggtp.search.mcts.compiled import maker as mcts_maker
from ggtp.search.mcts.compiled.maker import SearchMaker
from ggtp.search.mcts.compiled.search import CompiledSearch
from ggtp.search.mcts.options import Settings

FEW = Settings(seconds=None, playouts=500)


def test_a_small_game_has_its_best_kernel_at_once() -> None:
    game = compiled("connect3")
    maker = SearchMaker(lambda should_stop: game, FEW, random.Random(1))
    search = maker.search(None)
    assert search is not None
    assert search.begin(state_after(game))
    search.run(never)
    assert search.playouts >= 500
    assert maker.wait_for_best(None)
    assert maker.search() is search


@pytest.mark.parametrize("share", [0.5, 0.0])
def test_minimax_is_there_when_all_is_where_it_is_wanted(share: float) -> None:
    game = compiled("connect3")
    maker = SearchMaker(lambda should_stop: game, replace(FEW, minimax=share), random.Random(1))
    assert maker.wait_for_best(None)
    search = maker.search()
    assert search is not None
    assert search.begin(state_after(game))
    search.deepen(search.players[0], None, most_nodes=500)
    assert (search.decision(search.players[0]).sounded > 0) == (share > 0)


def test_what_there_is_to_learn_is_learned_in_the_background() -> None:
    game = compiled("connect3")
    maker = SearchMaker(lambda should_stop: game, FEW, random.Random(1))
    assert maker.wait_for_best(None)
    search = maker.search()
    assert search is not None
    assert search._lessons is not None
    assert search._lessons.over


def test_until_the_best_one_is_there_another_one_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    game, free = compiled("connect3"), threading.Event()
    monkeypatch.setattr(playouts, "SOON", 0)
    monkeypatch.setattr(game, "best", lambda should_stop: free.wait(60) and game.playouts("chunks"))
    maker = SearchMaker(lambda should_stop: game, FEW, random.Random(1))
    search = maker.search(None)
    assert search is not None
    assert search.kernel is game.at_once
    assert not maker.wait_for_best(0)
    free.set()
    assert maker.wait_for_best(None)
    assert maker.search() is search
    assert search.kernel is not game.at_once
    assert search.begin(state_after(game))


@pytest.mark.parametrize("wanted", [True, False])
def test_players_of_its_games_look_ahead_where_that_is_wanted(wanted: bool) -> None:
    game = compiled("connect3")
    maker = SearchMaker(lambda should_stop: game, replace(FEW, foresight=wanted), random.Random(1))
    maker.wait_for_kernel()
    search = maker.search(None)
    assert search is not None
    assert search.kernel.program.foresight == wanted
    # Other games are preferred by whoever has made some.
    other = game.best()
    maker.prefer(other)
    assert maker.search() is search
    assert search.kernel is other
    maker.prefer(None)
    assert maker.search() is search
    assert search.kernel.program.foresight == wanted


def test_games_with_foresight_come_before_all_that_takes_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first move of the first play of all is to be made by them, too."""
    game = compiled("connect3")
    had: list[str | bool] = []
    monkeypatch.setattr(playouts, "SOON", 0)
    monkeypatch.setattr(game, "best", lambda *_: had.append("best"))
    load = CompiledSearch.load_scouts

    def loading(search: CompiledSearch) -> None:
        had.append(maker.search().kernel.program.foresight)
        load(search)

    monkeypatch.setattr(CompiledSearch, "load_scouts", loading)
    begun = threading.Event()
    maker = SearchMaker(lambda should_stop: (begun.wait(60) and game) or None, FEW, random.Random(1))
    begun.set()
    assert maker.wait_for_best(None)
    assert had == [True]


def test_unless_they_take_longer_than_minimax(monkeypatch: pytest.MonkeyPatch) -> None:
    game = compiled("connect3")
    had: list[str | bool] = []
    monkeypatch.setattr(mcts_maker, "AHEAD_FIRST", 100)
    load, ahead = CompiledSearch.load_scouts, game.foreseeing
    monkeypatch.setattr(CompiledSearch, "load_scouts", lambda search: [had.append("minimax"), load(search)])
    monkeypatch.setattr(game, "foreseeing", lambda *stop: [had.append("ahead"), ahead(*stop)][1])
    maker = SearchMaker(lambda should_stop: game, FEW, random.Random(1))
    assert maker.wait_for_best(None)
    assert had[:2] == ["minimax", "ahead"]
    assert maker.search().kernel.program.foresight


def test_where_nobody_can_look_ahead_other_games_are_played() -> None:
    game = compiled("rockpaperscissors")
    maker = SearchMaker(lambda should_stop: game, FEW, random.Random(1))
    maker.wait_for_kernel()
    search = maker.search(None)
    assert search is not None
    assert not search.kernel.program.foresight


def test_it_can_be_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    game, asked = compiled("connect3"), threading.Event()
    monkeypatch.setattr(playouts, "SOON", 0)

    def slow(should_stop):
        while not should_stop():
            asked.wait(0.001)
        raise Cancelled

    monkeypatch.setattr(game, "best", slow)
    maker = SearchMaker(lambda should_stop: game, FEW, random.Random(1))
    maker.stop()
    assert maker.wait_for_best(None)


def test_where_nothing_is_compiled_there_is_no_search() -> None:
    maker = SearchMaker(lambda should_stop: None, FEW, random.Random(1))
    maker.wait_for_kernel()
    assert maker.search(None) is None


def test_nobody_waits_longer_than_they_want_to() -> None:
    """To compile may take half a minute, in which a move can be withdrawn."""
    free, asked = threading.Event(), count()
    maker = SearchMaker(lambda should_stop: (free.wait(60), None)[1], FEW, random.Random(1))
    maker.wait_for_kernel(lambda: next(asked) > 1)
    assert maker.search(None, lambda: next(asked) > 3) is None
    assert maker.search(600, lambda: next(asked) > 5) is None
    assert maker.search(0.01) is None
    assert next(asked) == 7
    assert not maker.wait_for_best(0)
    free.set()
    assert maker.wait_for_best(None)
