"""Searches of compiled games for tests: the bundled rulesheets, and tiny ones whose values are known."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from typing import Any

from support.lanes import KEPT
from support.paths import ROOT

from ggtp.gdl.ground.grounder import ground
from ggtp.gdl.kernel.single import pack
from ggtp.gdl.language.parse import parse_strictly
from ggtp.gdl.network.build import build
from ggtp.gdl.play.compiled import CompiledGame
from ggtp.search.mcts.compiled.search import CompiledSearch
from ggtp.search.mcts.options import Settings

RULES = ROOT / "rules" / "gdl"

COIN = """
(role hero) (role random) (init (step 1))
(choice safe) (choice good) (choice bad) (coin 1) (coin 2) (coin 3) (coin 4)
(<= (legal hero ?m) (true (step 1)) (choice ?m))
(<= (legal random ?c) (true (step 1)) (coin ?c))
(<= (next (did ?m)) (does hero ?m))
(<= (next (fell ?c)) (does random ?c))
(<= (next (step 2)) (true (step 1)))
(<= terminal (true (step 2)))
(<= (goal hero 60) (true (did safe)))
(<= (goal hero 100) (true (did good)) (not (true (fell 1))))
(<= (goal hero 100) (true (did bad)) (true (fell 1)))
(<= (goal hero 0) (true (did good)) (true (fell 1)))
(<= (goal hero 0) (true (did bad)) (not (true (fell 1))))
(<= (goal random 0) (true (step ?s)))
"""
"""A hero and a coin of four sides: `safe` is worth 60, `good` 75, `bad` 25."""

MATRIX = """
(role row) (role col) (init (step 1))
(<= (legal row up) (true (step 1))) (<= (legal row down) (true (step 1)))
(<= (legal col left) (true (step 1))) (<= (legal col right) (true (step 1)))
(<= (next (did ?r ?m)) (does ?r ?m))
(<= (next (step 2)) (true (step 1)))
(<= terminal (true (step 2)))
(pay up left 100 0) (pay up right 40 60) (pay down left 60 40) (pay down right 55 45)
(<= (goal row ?a) (true (did row ?r)) (true (did col ?c)) (pay ?r ?c ?a ?b))
(<= (goal col ?b) (true (did row ?r)) (true (did col ?c)) (pay ?r ?c ?a ?b))
"""
"""Both at once: on average over the other's moves `up` is better, but a clever other goes `right`, where `down` is."""

THREE = """
(role ann) (role bob) (role cid) (init (step 1))
(<= (legal ann x) (true (step 1))) (<= (legal ann y) (true (step 1))) (<= (legal ann noop) (not (true (step 1))))
(<= (legal bob l) (true (step 2))) (<= (legal bob r) (true (step 2))) (<= (legal bob noop) (not (true (step 2))))
(legal cid noop)
(<= (next (first ?m)) (does ann ?m) (true (step 1)))
(<= (next (first ?m)) (true (first ?m)))
(<= (next (then ?m)) (does bob ?m) (true (step 2)))
(<= (next (step 2)) (true (step 1)))
(<= (next (step 3)) (true (step 2)))
(<= terminal (true (step 3)))
(end x l 10 70 90) (end x r 90 20 10) (end y l 50 60 0) (end y r 90 50 90)
(<= (goal ann ?a) (true (first ?m)) (true (then ?n)) (end ?m ?n ?a ?b ?c))
(<= (goal bob ?b) (true (first ?m)) (true (then ?n)) (end ?m ?n ?a ?b ?c))
(<= (goal cid ?c) (true (first ?m)) (true (then ?n)) (end ?m ?n ?a ?b ?c))
"""
"""Bob follows his own values, not Ann's losses or gains: after `x` she gets 10, after `y` 50."""

WIDE = """
(role one) (role two) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
(digit 0) (digit 1) (digit 2) (digit 3) (digit 4) (digit 5) (digit 6) (digit 7) (digit 8) (digit 9)
(<= (turn one) (true (step 0))) (<= (turn one) (true (step 2)))
(<= (turn two) (true (step 1))) (<= (turn two) (true (step 3)))
(<= (legal ?p (say ?a ?b)) (turn ?p) (digit ?a) (digit ?b))
(<= (legal ?p noop) (role ?p) (not (turn ?p)))
(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
(<= (next (lucky ?p)) (does ?p (say 7 ?b)))
(<= (next (lucky ?p)) (true (lucky ?p)))
(<= terminal (true (step 4)))
(<= (goal ?p 100) (true (lucky ?p)))
(<= (goal ?p 0) (role ?p) (not (true (lucky ?p))))
"""
"""A hundred moves each time, of which ten win: each is good whenever it is made."""


@cache
def compiled(name: str) -> CompiledGame:
    """A bundled rulesheet by its name, or a text."""
    text = name if "(" in name else (RULES / f"{name}.gdl").read_text("utf-8")
    return CompiledGame(build(ground(parse_strictly(text))), KEPT)


def state_after(game: CompiledGame, *moves: str) -> bytes:
    """The state after moves of whoever has a choice, from the start."""
    kernel = game.state_kernel()
    state = pack(game.network, game.network.initial)
    for move in moves:
        joint = []
        for role, legal in enumerate(kernel.legal(state)):
            texts = [game.network.moves[role][number] for number in legal]
            joint.append(legal[texts.index(move)] if move in texts else legal[0])
        state = kernel.next(state, joint)
    return state


def searching(name: str, *moves: str, seed: int = 1, **settings: Any) -> CompiledSearch:
    """A search that stands after these moves: without heuristic values and looks ahead, unless they are wanted."""
    game = compiled(name)
    plain = Settings(seconds=None, exploration=0.7, first_play=1.1, batch=256, expansion=1, ahead=False, heuristic=0.0)
    search = CompiledSearch(game, replace(plain, **settings), random.Random(seed))
    assert search.begin(state_after(game, *moves))
    return search


def never() -> bool:
    return False


def searched(name: str, *moves: str, playouts: int = 20_000, seed: int = 1, **settings: Any) -> CompiledSearch:
    """The same after so many playouts, or when nothing was left to find out."""
    search = searching(name, *moves, seed=seed, playouts=playouts, **settings)
    search.run(never)
    return search
