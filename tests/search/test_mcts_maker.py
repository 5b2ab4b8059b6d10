"""Searches come from the background; until the best kernel is there another one serves."""

import random
import threading
from dataclasses import replace

import pytest
from support.compiled_trees import compiled, never, state_after

from ggtp.gdl import kernel
from ggtp.gdl.kernel import Cancelled
from ggtp.search.mcts_maker import SearchMaker
from ggtp.search.mcts_options import Settings

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
    search.sound(search.players[0], None, most_nodes=500)
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
    monkeypatch.setattr(kernel, "SOON", 0)
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


def test_it_can_be_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    game, asked = compiled("connect3"), threading.Event()
    monkeypatch.setattr(kernel, "SOON", 0)

    def slow(should_stop):  # type: ignore[no-untyped-def]
        while not should_stop():
            asked.wait(0.001)
        raise Cancelled

    monkeypatch.setattr(game, "best", slow)
    maker = SearchMaker(lambda should_stop: game, FEW, random.Random(1))
    maker.stop()
    assert maker.wait_for_best(None)


def test_where_nothing_is_compiled_there_is_no_search() -> None:
    maker = SearchMaker(lambda should_stop: None, FEW, random.Random(1))
    assert maker.search(None) is None
