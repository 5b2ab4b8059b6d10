"""A game written as functions over states is a position and a searcher that agree."""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping, Sequence

import pytest

from ggtp.errors import AmbiguousMove, IllegalMove, MalformedMove
from ggtp.game import OVER, Note, Picture, Position, Result, Rules, advice, result_by_scores
from ggtp.game.building.turns import TurnGame, TurnPosition
from ggtp.game.checks.contract import check_rules

State = tuple[int, int]


class Countdown(TurnGame[State]):
    """Two players take one to three from a heap; a state is the heap and who moves."""

    players = ("Ann", "Bob")

    def to_move(self, state: State) -> int:
        return state[1] if state[0] else -1

    def legal(self, state: State) -> Sequence[int]:
        return range(1, min(3, state[0]) + 1)

    def after(self, state: State, move: int) -> State:
        return (state[0] - move, 1 - state[1])

    def name(self, state: State, move: int) -> str:
        return f"take {move}"

    def read(self, state: State, text: str, moves: Mapping[str, int]) -> Sequence[str]:
        return [name for name in moves if text and text in name]

    def result(self, state: State) -> Result | None:
        return None if state[0] else result_by_scores({"Ann": 100 * state[1], "Bob": 100 - 100 * state[1]}, "empty")

    def key(self, state: State) -> Hashable:
        return state

    def view(self, state: State) -> str:
        return f"{state[0]} left {state[1]}"

    def picture(self, state: State) -> Picture:
        return Picture((Note(self.view(state)),))


class CountdownRules(Rules):
    name = "Countdown"

    def players(self, options: Mapping[str, str]) -> tuple[str, ...]:
        return Countdown.players

    def begin(self, options: Mapping[str, str]) -> Position:
        return TurnPosition(Countdown(), (21, 0))


def position(heap: int) -> Position:
    return TurnPosition(Countdown(), (heap, 0))


def test_the_contract_holds() -> None:
    assert check_rules(CountdownRules(), rng=random.Random(1), games=10) == []


def test_moves_are_their_names() -> None:
    assert position(2).moves("Ann") == ("take 1", "take 2")
    assert position(2).moves("Bob") == ()
    assert position(2).play({"Ann": "take 2"}).position.turn() is OVER


def test_who_may_not_move_is_told_so() -> None:
    with pytest.raises(IllegalMove, match="not Bob's turn"):
        position(2).parse("Bob", "take 1")
    with pytest.raises(IllegalMove):
        position(2).play({"Bob": "take 1"})


@pytest.mark.parametrize("text", ["take 2", " TAKE  2", "2"])
def test_texts_that_mean_a_move(text: str) -> None:
    assert position(3).parse("Ann", text) == "take 2"


def test_a_text_that_means_several_names_them() -> None:
    with pytest.raises(AmbiguousMove, match="take 1 or take 2"):
        position(2).parse("Ann", "take")


def test_a_text_that_means_nothing_is_told_how_to_write_moves() -> None:
    with pytest.raises(MalformedMove, match="write it as in take 1"):
        position(2).parse("Ann", "give")


def test_the_searcher_goes_there_and_back() -> None:
    searcher = advice.searcher(position(3))
    assert searcher is not None
    searcher.play(searcher.number("take 3"))
    assert (searcher.to_move(), list(searcher.legal()), searcher.scores()) == (-1, [], [100.0, 0.0])
    searcher.undo()
    assert (searcher.to_move(), [searcher.text(move) for move in searcher.legal()]) == (
        0,
        ["take 1", "take 2", "take 3"],
    )
