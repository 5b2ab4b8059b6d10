"""Choosing in time, and what is said about it."""

import itertools
import random
import threading
import time

import pytest
from support.small_secrets import COIN, ME, Coin

from ggtp.game import CHANCE
from ggtp.search.hidden.choice import Chooser
from ggtp.search.hidden.options import Settings
from ggtp.search.hidden.search import LOOK, Trees


class Known:  # stands for what the session knows of the game
    """The play of a coin that has fallen, as one who did not see it knows it."""

    player = ME
    rules = COIN
    rule_options: dict[str, str] = {}
    settings: dict[str, str] = {}

    def __init__(self, position=None):
        self.position = position or Coin(((CHANCE, "heads"),))
        self.rng = random.Random(1)
        self.suggested = []

    def suggest(self, move):
        self.suggested.append(move)

    def moves(self):
        return self.position.moves(ME)

    def tables(self, count, should_stop):
        return iter([Coin(((CHANCE, "tails"),))] * (count - 1))


class Budget:
    def __init__(self, seconds=None):
        self.deadline = None if seconds is None else time.monotonic() + seconds

    def limit(self, seconds):
        self.deadline = time.monotonic() + seconds

    def should_stop(self):
        return self.deadline is not None and time.monotonic() >= self.deadline


def test_it_says_what_it_has_found() -> None:
    move, facts = Chooser().choose(Known(), Budget(), Trees.MULTIPLE, Settings(seconds=None, playouts=500, tables=4))  # type: ignore[arg-type]
    assert move == facts["move"] == "take"
    assert facts["playouts"] == 500
    assert facts["tables"] == 4
    assert {"value", "depth", "nodes", "moves", "line", "drawn"} <= facts.keys()


def test_it_suggests_the_move_that_it_has_tried_most() -> None:
    game = Known()
    settings = Settings(seconds=None, playouts=500, tables=4)
    move, _ = Chooser().choose(game, Budget(), Trees.MULTIPLE, settings)  # type: ignore[arg-type]
    assert len(game.suggested) == 500 // LOOK
    assert game.suggested[-1] == move


def test_the_only_move_needs_no_search() -> None:
    game = Known()
    game.moves = lambda: ("take",)
    assert Chooser().choose(game, Budget(), Trees.OPEN, Settings()) == ("take", {"move": "take"})  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("early", [True, False])
def test_it_answers_early_where_it_may(early, monkeypatch):
    # A clock that goes on by a millisecond whenever it is read, so that nothing depends on the machine.
    clock = itertools.count()
    monkeypatch.setattr(time, "monotonic", lambda: next(clock) / 1000)
    chooser = Chooser()
    monkeypatch.setattr(chooser._watch, "over", lambda end: True)
    monkeypatch.setattr(chooser._watch, "run", lambda work, end, should_stop: work())
    budget = Budget(100.0)
    move, _ = chooser.choose(Known(), budget, Trees.MULTIPLE, Settings(seconds=None, early=early))  # type: ignore[arg-type]
    assert move == "take"
    assert (time.monotonic() < budget.deadline) is early


def test_where_time_is_over_any_move_will_do() -> None:
    move, facts = Chooser().choose(Known(), Budget(0.0), Trees.OPEN, Settings(seconds=None))  # type: ignore[arg-type]
    assert move in ("take", "guess")
    assert facts["playouts"] == 0


def test_nobody_waits_for_a_step_of_slow_rules() -> None:
    release = threading.Event()

    class Slow(Coin):
        def play(self, moves):
            release.wait(60)
            return super().play(moves)

        def determinize(self, player, rng):
            return None

    game = Known(Slow(((CHANCE, "heads"),)))
    chooser = Chooser()
    move, facts = chooser.choose(game, Budget(0.05), Trees.OPEN, Settings(seconds=None, tables=1))  # type: ignore[arg-type]
    assert move in ("take", "guess")
    assert facts["playouts"] == 0
    assert chooser.facts() == {}
    release.set()


def test_it_tells_while_it_thinks() -> None:
    chooser, told = Chooser(), []

    class Asking(Budget):
        def should_stop(self):
            told.append(chooser.facts())
            return len(told) > 200

    chooser.choose(Known(), Asking(), Trees.SINGLE, Settings(seconds=None))  # type: ignore[arg-type]
    assert any(facts and facts["playouts"] for facts in told)
