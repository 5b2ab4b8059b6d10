"""Guesses prefer what they say they prefer."""

from __future__ import annotations

import numpy as np
import pytest
from support.puzzles import SWITCHES, compiled

from ggtp.asp import worth as module
from ggtp.asp.space import Space, Words
from ggtp.asp.worth import Worths
from ggtp.gdl.kernel.single import pack, rows
from ggtp.gdl.play.compiled import CompiledGame

FORK = """
(role r) (init (at start)) (legal r quit)
(<= (legal r (go ?x)) (true (at start)) (place ?x))
(<= (legal r (take ?i)) (true (at wide)) (item ?i))
(<= (legal r (take one)) (true (at narrow)))
(place wide) (place narrow) (item one) (item two) (item three)
(<= (next (at ?x)) (does r (go ?x)))
(<= (next over) (does r quit))
(<= (next (at start)) (does r (take ?i)))
(<= terminal (true over))
(<= (goal r 30) (true (at wide)))
(<= (goal r 100) (true (at narrow)))
(<= (goal r 0) (not (true (at wide))) (not (true (at narrow))))
"""


def guesses(name: str, goal: int = 100) -> tuple[Worths, Space, CompiledGame]:
    game = compiled(name)
    space = Space(game.network, game.state_kernel(compiled=False))
    return Worths(space, goal, np.random.default_rng(1)), space, game


def some(space: Space, *states: set[str]) -> Words:
    number = {fact: index for index, fact in enumerate(space.network.facts)}
    return rows([pack(space.network, [number[fact] for fact in state]) for state in states])


@pytest.mark.parametrize(
    ("name", "better"),
    [("points", 1), ("few moves", 1), ("many moves", 0), ("few ways on", 1), ("many ways on", 0), ("near the goal", 1)],
)
def test_a_wide_and_a_narrow_place(name: str, better: int) -> None:
    worths, space, _ = guesses(FORK)
    states = some(space, {"(at wide)"}, {"(at narrow)"})
    found = worths.by_looks()[name](states, space.look(states))
    assert int(np.argmax(found)) == better


def test_what_is_much_changed() -> None:
    worths, space, _ = guesses(SWITCHES)
    states = some(space, {"(done 0)"}, {"(done 2)", "(on c)"}, {"(done 1)"})
    assert int(np.argmax(worths.changed(states, space.look(states)))) == 1


def test_random_plays_tell_points_and_lengths() -> None:
    worths, space, game = guesses(SWITCHES)
    found = worths.by_plays(game.at_once)
    states = some(space, {"(done 0)"}, {"(done 3)"}, {"(done 3)", "(on a)", "(on b)"})
    look = space.look(states)
    scores = found["high scores"](states, look)
    assert scores[2] > scores[1]
    assert int(np.argmax(found["long plays"](states, look))) == 0


def test_a_goal_of_too_many_conditions_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WIDEST", 0)
    assert "near the goal" not in guesses(SWITCHES)[0].by_looks()
