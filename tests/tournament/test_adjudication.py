"""Adjudication: exact where it claims to be, and agreed by both where it is agreed."""

from __future__ import annotations

import os
import random

import pytest

from ggtp.catalogue import Catalogue
from ggtp.game import Position, Standing
from ggtp.tournament.adjudication import Agreement, solve
from ggtp.tournament.plan.plan import Adjudication

SEATS = ("Cross", "Circle")


def start(rule: str) -> Position:
    return Catalogue.from_environment(os.environ).find_rules(rule).start()


def after(*moves: str) -> Position:
    position = start("TicTacToe")
    for number, move in enumerate(moves):
        position = position.play({SEATS[number % 2]: move}).position
    return position


def plainly(position: Position) -> int:
    """The value for Cross, by looking at everything."""
    result = position.result()
    if result is not None:
        return {Standing.WIN: 1, Standing.DRAW: 0, Standing.LOSS: -1}[result.standings["Cross"]]
    player = position.turn().players[0]
    values = [plainly(position.play({player: move}).position) for move in position.moves(player)]
    return max(values) if player == "Cross" else min(values)


def test_the_value_is_that_of_a_plain_search() -> None:
    rng = random.Random(7)
    for _ in range(60):
        position = start("TicTacToe")
        for number in range(rng.randrange(3, 8)):
            if position.result() is None:
                position = position.play(
                    {SEATS[number % 2]: rng.choice(list(position.moves(SEATS[number % 2])))}
                ).position
        result = solve(position, SEATS, 10_000)
        assert result is not None
        value = {Standing.WIN: 1, Standing.DRAW: 0, Standing.LOSS: -1}[result.standings["Cross"]]
        assert value == plainly(position)


@pytest.mark.parametrize(
    ("moves", "standing", "reason"),
    [
        ((), Standing.DRAW, "adjudicated: a draw with best play"),
        (("A1", "B1"), Standing.WIN, "adjudicated: Cross wins with best play"),
        (("B1", "A3", "C2", "B2", "A2"), Standing.LOSS, "adjudicated: Circle wins with best play"),
    ],
)
def test_known_positions(moves: tuple[str, ...], standing: Standing, reason: str) -> None:
    result = solve(after(*moves), SEATS, 10_000)
    assert result is not None
    assert result.standings["Cross"] is standing
    assert result.reason == reason


def test_where_it_does_not_know_it_says_nothing() -> None:
    assert solve(start("TicTacToe"), SEATS, 20) is None
    assert solve(start("RockPaperScissors"), ("First", "Second"), 1000) is None
    assert solve(start("CantStop"), ("Red", "Green"), 1000) is None
    assert solve(start("TicTacToe"), ("Cross",), 1000) is None


def test_both_must_agree_for_long_enough() -> None:
    agreement = Agreement(Adjudication(resign_score=5, resign_moves=2), SEATS)
    assert agreement.hear("Cross", {"value": "99"}) is None
    assert agreement.hear("Circle", {"value": "1"}) is None
    assert agreement.hear("Cross", {"value": "50"}) is None
    assert agreement.hear("Circle", {"value": "0"}) is None
    assert agreement.hear("Cross", {"value": "100"}) is None
    assert agreement.hear("Circle", {"value": "0"}) is None
    result = agreement.hear("Cross", {"value": "97"})
    assert result is not None
    assert result.standings == {"Cross": Standing.WIN, "Circle": Standing.LOSS}


def test_an_engine_that_does_not_say_agrees_to_nothing() -> None:
    agreement = Agreement(Adjudication(draw_score=2, draw_moves=1), SEATS)
    assert agreement.hear("Cross", {"value": "51"}) is None
    assert agreement.hear("Circle", {}) is None
    assert agreement.hear("Cross", {"value": "50"}) is None
    result = agreement.hear("Circle", {"value": "49"})
    assert result is not None
    assert set(result.standings.values()) == {Standing.DRAW}


def test_more_than_two_agree_to_nothing() -> None:
    agreement = Agreement(Adjudication(resign_score=5, resign_moves=1), ("A", "B", "C"))
    assert agreement.hear("A", {"value": "0"}) is None
