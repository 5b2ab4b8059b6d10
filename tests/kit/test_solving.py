"""Searches that an engine begins: from anywhere, with or without a network, and on to where the play goes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from support.puzzles import SWITCHES, built, outcome, sheet

from ggtp.catalogue.solve.solver import Solving
from ggtp.gdl.play.compiled import CompiledGame
from ggtp.gdl.play.rules import GdlRules
from ggtp.kit.engine import Game
from ggtp.kit.following.play import Play
from ggtp.kit.solving import Search, begin_search

LONG = 60.0


def compilation(over: bool, *, made: bool = False) -> Any:
    return SimpleNamespace(over=over, game=CompiledGame(built(SWITCHES)) if made else None)


class Table:
    """A play that goes on."""

    def __init__(self, compiling: Any) -> None:
        rules = GdlRules("lamps", sheet(SWITCHES))
        self.play = Play(rules, {}, random.Random(1), lambda text: None)
        self.play.compilation = compiling

    def game(self, *moves: str) -> Game:
        for move in moves:
            self.play.made("r", move)
        position = self.play.table(0, "r", to_move=True)
        assert position is not None
        return Game(self.play, "r", position, random.Random(1), {})


@pytest.fixture(name="begin")
def begin_and_end() -> Iterator[Any]:
    begun: list[Solving] = []

    def begin(game: Game, *methods: Any) -> Search:
        search = begin_search(game, methods or ("steps",), 512, 1)
        assert search is not None
        begun.append(search.solving)
        return search

    yield begin
    for solving in begun:
        solving.close(LONG)


def solved(search: Search) -> tuple[str, ...]:
    assert search.solving.wait(LONG)
    assert search.solving.best is not None
    return search.solving.best.moves


READY, FAILED, WORKING = (True, True), (True, False), (False, False)


@pytest.mark.process
@pytest.mark.parametrize("state", [READY, FAILED, WORKING])
def test_from_the_beginning(begin: Any, state: tuple[bool, bool]) -> None:
    search = begin(Table(compilation(state[0], made=state[1])).game())
    assert outcome(SWITCHES, solved(search)) == 100
    assert search.solving.found_by.by_text is (state == FAILED)
    assert search.solving.found_by.builds is (state == WORKING)


@pytest.mark.process
@pytest.mark.parametrize("state", [READY, FAILED, WORKING])
def test_from_the_middle_and_on(begin: Any, state: tuple[bool, bool]) -> None:
    table = Table(compilation(state[0], made=state[1]))
    search = begin(table.game("switch b"))
    assert search.path == ("switch b",)
    assert sorted(solved(search)) == ["(switch a)", "(switch c)"]
    assert search.move_on(table.game("switch c"))
    assert search.path == ("switch b", "switch c")
    assert solved(search) == ("(switch a)",)


@pytest.mark.process
def test_who_has_a_network_joins_when_it_is_there(begin: Any) -> None:
    working = compilation(False)
    table = Table(working)
    search = begin(table.game(), "explore")
    search.look(table.game())
    assert not search.solving.wait(0)
    working.over, working.game = True, CompiledGame(built(SWITCHES))
    search.look(table.game())
    assert outcome(SWITCHES, solved(search)) == 100
    assert search.solving.found_by.method == "explore"


@pytest.mark.process
def test_nobody_joins_a_search_that_is_over_before_the_play_goes_elsewhere(begin: Any) -> None:
    working = compilation(False)
    table = Table(working)
    search = begin(table.game())
    assert outcome(SWITCHES, solved(search)) == 100
    working.over, working.game = True, CompiledGame(built(SWITCHES))
    search.look(table.game())
    assert len(search.solving._members) == 1
    assert search.move_on(table.game("switch a"))
    search.look(table.game())
    assert len(solved(search)) == 2


@pytest.mark.process
def test_who_joins_later_searches_from_where_the_play_stands_by_then(begin: Any) -> None:
    working = compilation(False)
    table = Table(working)
    search = begin(table.game(), "explore")
    assert search.move_on(table.game("switch b", "switch a"))
    working.over, working.game = True, CompiledGame(built(SWITCHES))
    search.look(table.game())
    assert solved(search) == ("(switch c)",)


@pytest.mark.process
def test_where_there_will_be_no_network_the_text_does(begin: Any) -> None:
    working = compilation(False)
    table = Table(working)
    search = begin(table.game(), "explore")
    working.over = True
    search.look(table.game())
    assert outcome(SWITCHES, solved(search)) == 100
    assert search.solving.found_by.by_text


@pytest.mark.process
def test_another_rule_is_another_search(begin: Any) -> None:
    search = begin(Table(compilation(True)).game())
    assert not search.move_on(Table(compilation(True)).game())


def test_not_for_two() -> None:
    rules = GdlRules("two", sheet("tictactoe"))
    play = Play(rules, {}, random.Random(1), lambda text: None)
    game = Game(play, "x", rules.start(), random.Random(1), {})
    assert begin_search(game, ("steps",), 512, 1) is None
