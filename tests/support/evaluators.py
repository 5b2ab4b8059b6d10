"""Evaluators for tests: they give what they are told to give, and note what they were asked."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from support.compiled_trees import compiled, never, state_after
from support.minimaxes import ignore

from ggtp.catalogue import Catalogue
from ggtp.game import Move, Rules
from ggtp.search.evaluation.evaluator import Evaluator, Leaves, PositionGame, RowGame, position_leaves
from ggtp.search.mcts.compiled.search import CompiledSearch
from ggtp.search.mcts.options import VISITS, Settings
from ggtp.search.mcts.positions.search import PositionSearch
from ggtp.search.minimax.compiled import CompiledMinimax, SearchCode
from ggtp.search.minimax.plan import Plan
from ggtp.search.minimax.root import PositionMinimax


class ToldLeaves(Leaves[Any]):
    """Values that a function gives for a batch."""

    def __init__(self, judge: Callable[[Any], Any], batches: list[int]) -> None:
        self._judge, self._batches = judge, batches

    def values(self, leaves: Sized) -> Any:
        self._batches.append(len(leaves))
        return self._judge(leaves)


@dataclass(frozen=True, slots=True)
class Told(Evaluator):
    """Gives what a function says, for both kinds of leaves."""

    judge: Callable[[Any], Any]
    batches: list[int] = field(default_factory=list, compare=False)
    """How many leaves were in each of the batches."""

    name: ClassVar[str] = "told"
    positions: ClassVar[bool] = True
    rows: ClassVar[bool] = True

    def of_positions(self, game: PositionGame) -> Leaves[Any]:
        return ToldLeaves(self.judge, self.batches)

    def of_rows(self, game: RowGame) -> Leaves[Any]:
        return ToldLeaves(self.judge, self.batches)


class OnlyRows(Told):
    """The same for rows alone."""

    name: ClassVar[str] = "rows only"
    positions: ClassVar[bool] = False

    @classmethod
    def read(cls, values: Mapping[str, str]) -> Evaluator:
        return cls(even)


class OnlyPositions(Told):
    """The same for positions alone."""

    name: ClassVar[str] = "positions only"
    rows: ClassVar[bool] = False

    @classmethod
    def read(cls, values: Mapping[str, str]) -> Evaluator:
        return cls(even)


class Broken(Told):
    """One that raises an exception whatever it is asked."""

    name: ClassVar[str] = "broken"

    @classmethod
    def read(cls, values: Mapping[str, str]) -> Evaluator:
        return cls(divide)


def divide(leaves: Sized) -> Any:
    """Nothing at all."""
    return 1 / 0


def even(leaves: Sized) -> Any:
    """Nobody is ahead."""
    return np.full((len(leaves), 2), 0.5)


SQUARES = [f"{column}{row}" for row in "123" for column in "ABC"]
"""The squares of Tic Tac Toe in the order in which a view has them."""


def tic_tac_toe() -> Rules:
    """Tic Tac Toe in Python."""
    return Catalogue.from_environment({}).find_rules("TicTacToe")


def cross_on(square: str) -> Callable[[Any], Any]:
    """In Tic Tac Toe in Python, all is won for whoever is first, once it has this square."""
    place = SQUARES.index(square)

    def judge(leaves: Sequence[Any]) -> Any:
        marks = [leaf.view(None).replace("/", "")[place] for leaf in leaves]
        return np.array([(0.9, 0.1) if mark == "X" else (0.4, 0.6) for mark in marks])

    return judge


def fact_holds(name: str, fact: str) -> Callable[[Any], Any]:
    """In a compiled game, all is won for whoever is first where a fact holds."""
    number = compiled(name).network.facts.index(fact)

    def judge(rows: Any) -> Any:
        holds = (rows[:, number // 64] >> np.uint64(number % 64)) & np.uint64(1)
        return np.where(holds[:, None] == 1, [[0.9, 0.1]], [[0.4, 0.6]])

    return judge


def mcts_over_positions(evaluator: Evaluator, playouts: int = 300) -> Move:
    """What MCTS chooses at the start of Tic Tac Toe in Python."""
    rules = tic_tac_toe()
    settings = Settings(seconds=None, playouts=playouts, solver=False, minimax=0.0, evaluation=evaluator)
    search = PositionSearch(rules, rules.complete({}), settings, random.Random(1))
    search.begin(rules.begin(rules.complete({})))
    search.study(never, None)
    search.run(never)
    return search.decision("Cross").chosen(VISITS).move


def mcts_over_rows(evaluator: Evaluator, playouts: int = 2_000, threads: int = 1, name: str = "tictactoe") -> Move:
    """What MCTS chooses at the start of a compiled game."""
    search = compiled_search(evaluator, playouts, threads, name)
    search.run(never)
    return search.decision(search.players[0]).chosen(VISITS).move


def compiled_search(evaluator: Evaluator, playouts: int, threads: int = 1, name: str = "tictactoe") -> CompiledSearch:
    """A search that stands at the start of a compiled game."""
    settings = Settings(seconds=None, playouts=playouts, solver=False, threads=threads, evaluation=evaluator)
    search = CompiledSearch(compiled(name), settings, random.Random(1))
    search.study_leaves(never, None)
    assert search.begin(state_after(compiled(name)))
    return search


def minimax_over_positions(evaluator: Evaluator, depth: int = 2, plan: Plan | None = None) -> Move:
    """What minimax chooses at the start of Tic Tac Toe in Python."""
    rules = tic_tac_toe()
    values = rules.complete({})
    first, players = rules.begin(values), rules.players(values)
    plan = plan or Plan(depth=depth, evaluation=evaluator)
    leaves = position_leaves(evaluator, PositionGame(rules, values))
    minimax = PositionMinimax(first, players, players[0], plan, 1 << 24, leaves=leaves)
    minimax.learn(never)
    return minimax.search(first, list(first.moves(players[0])), never, ignore).move


def minimax_over_rows(evaluator: Evaluator, depth: int = 2, name: str = "tictactoe", plan: Plan | None = None) -> Move:
    """What minimax chooses at the start of a compiled game."""
    minimax = CompiledMinimax(SearchCode(compiled(name)), 0, plan or Plan(depth=depth, evaluation=evaluator), 1 << 24)
    minimax.learn(never)
    walk = minimax.walk(minimax.first)
    return minimax.search(minimax.first, [walk.text(move) for move in walk.moves()], never, ignore).move


SEARCHES: Mapping[str, Callable[[Evaluator], Move]] = {
    "MCTS over positions": mcts_over_positions,
    "MCTS over rows": mcts_over_rows,
    "minimax over positions": minimax_over_positions,
    "minimax over rows": minimax_over_rows,
}
"""All searches that ask evaluators."""
