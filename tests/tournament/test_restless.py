"""Engines that use a processor while others are to move are warned of, and no others."""

from __future__ import annotations

import pytest

from ggtp.tournament.restless import BURNING, WATCHED_SECONDS, Idleness, idleness, warnings
from ggtp.tournament.results import Game, GamePlan

SEATS = {"Cross": "A", "Circle": "B"}


def game(**idle: tuple[float, float]) -> Game:
    return Game(GamePlan(1, 0, 1, 0, 0, 5, SEATS), idle=idle)


@pytest.mark.parametrize(
    ("watched", "used", "burning"),
    [
        (0.0, 0.0, False),
        (WATCHED_SECONDS / 2, WATCHED_SECONDS / 2, False),
        (10.0, 10.0 * BURNING * 0.9, False),
        (10.0, 10.0 * BURNING, True),
        (10.0, 40.0, True),
    ],
)
def test_what_is_worth_a_warning(watched: float, used: float, burning: bool) -> None:
    assert Idleness(watched, used).burning is burning


def test_games_are_added_up_by_player() -> None:
    swapped = Game(GamePlan(1, 1, 1, 0, 0, 5, {"Cross": "B", "Circle": "A"}), idle={"Circle": (2.0, 2.0)})
    found = idleness([game(Cross=(2.0, 1.0), Circle=(3.0, 0.0)), swapped, game()])
    assert found == {"A": Idleness(4.0, 3.0), "B": Idleness(3.0, 0.0)}
    assert warnings(found) == [
        "A wanted 75 % of a processor while it was not its turn, over 4.0 s: it ponders or waits busily, and takes "
        "that from whoever thinks."
    ]


def test_nothing_is_divided_by_nothing() -> None:
    assert Idleness().share == 0.0
