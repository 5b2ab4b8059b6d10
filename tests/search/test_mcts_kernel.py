"""The best kernel comes from the background; until then another one serves."""

import threading

import pytest
from support.compiled_trees import compiled

from ggtp.gdl.kernel import Cancelled
from ggtp.search.mcts_kernel import BestKernel


def test_the_best_one_is_there_in_the_end() -> None:
    game = compiled("connect3")
    best = BestKernel(game)
    assert best.wait(None)
    assert best.better_than(game.at_once)
    assert not best.better_than(best.ready())


def test_until_then_another_one_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    game, free = compiled("connect3"), threading.Event()
    monkeypatch.setattr(game, "best", lambda should_stop: free.wait(60) and compiled("connect3").playouts("chunks"))
    best = BestKernel(game)
    assert best.ready() is game.at_once
    assert not best.wait(0)
    assert not best.better_than(game.at_once)
    free.set()
    assert best.wait(None)


def test_it_can_be_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    game = compiled("connect3")
    asked = threading.Event()

    def slow(should_stop):  # type: ignore[no-untyped-def]
        while not should_stop():
            asked.wait(0.001)
        raise Cancelled

    monkeypatch.setattr(game, "best", slow)
    best = BestKernel(game)
    best.stop()
    assert not best.wait(None)
    assert best.ready() is game.at_once
