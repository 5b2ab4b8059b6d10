"""Searches that an engine begins: from the beginning by network or text, from the middle by network only."""

from __future__ import annotations

import random

from support.puzzles import SWITCHES, built, outcome, sheet

from ggtp.gdl.compiled import CompiledGame
from ggtp.gdl.rules import GdlRules
from ggtp.kit.engine import Game
from ggtp.kit.play import Play
from ggtp.kit.solving import begin_solving

LONG = 120.0
METHODS = ("steps",)


def table(*moves: str) -> Game:
    rules = GdlRules("lamps", sheet(SWITCHES))
    play = Play(rules, {}, random.Random(1), lambda text: None)
    for move in moves:
        play.made("r", move)
    position = play.table(0, "r", to_move=True)
    assert position is not None
    return Game(play, "r", position, random.Random(1), {})


def test_from_the_beginning_by_network_and_by_text() -> None:
    for compiled in (CompiledGame(built(SWITCHES)), None):
        solving = begin_solving(table(), compiled, METHODS, 512, 1)
        assert solving is not None
        assert solving.wait(LONG)
        assert solving.best is not None
        assert outcome(SWITCHES, solving.best.moves) == 100


def test_from_the_middle() -> None:
    game = table("switch b", "switch a")
    solving = begin_solving(game, CompiledGame(built(SWITCHES)), METHODS, 512, 1)
    assert solving is not None
    assert solving.wait(LONG)
    assert solving.best is not None
    assert solving.best.moves == ("(switch c)",)
    assert begin_solving(game, None, METHODS, 512, 1) is None


def test_not_for_two() -> None:
    rules = GdlRules("two", sheet("tictactoe"))
    play = Play(rules, {}, random.Random(1), lambda text: None)
    game = Game(play, "x", rules.start(), random.Random(1), {})
    assert begin_solving(game, None, METHODS, 512, 1) is None
