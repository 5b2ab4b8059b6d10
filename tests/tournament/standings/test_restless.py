"""Engines that use a processor while others are to move are warned of, and no others."""

from __future__ import annotations

import pytest

from ggtp.tournament.results import Game, GamePlan, Idle
from ggtp.tournament.standings.restless import BURNING, WATCHED_SECONDS, Idleness, idleness, warnings

SEATS = {"Cross": "A", "Circle": "B"}


def game(**idle: Idle) -> Game:
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


@pytest.mark.parametrize(
    ("waited", "used", "share", "burning"),
    [
        (9.0, 0.1, 0.1, False),  # woken now and then on a busy machine, and kept waiting each time
        (9.0, 1.0, 1.0, True),  # spins, and is given a tenth of what it wants
        (5.0, 5.0, 1.0, True),
        (9.0, 4.0, 4.0, True),  # four threads that spin
        (9.9, 0.1, 1.0, False),  # nothing can be told
        (10.0, 0.0, 0.0, False),
    ],
)
def test_a_busy_machine_makes_no_difference(waited: float, used: float, share: float, burning: bool) -> None:
    found = Idleness(10.0, used, waited)
    assert found.share == pytest.approx(share)
    assert found.burning is burning


def test_a_quarter_of_a_processor_is_warned_of() -> None:
    assert BURNING == 0.25


def test_games_are_added_up_by_player() -> None:
    swapped = Game(GamePlan(1, 1, 1, 0, 0, 5, {"Cross": "B", "Circle": "A"}), idle={"Circle": Idle(2.0, 2.0, 0.0)})
    found = idleness([game(Cross=Idle(2.0, 1.0, 0.0), Circle=Idle(3.0, 0.0, 1.0)), swapped, game()])
    assert found == {"A": Idleness(4.0, 3.0), "B": Idleness(3.0, 0.0, 1.0)}
    assert warnings(found) == [
        "A used 75 % of a processor while it was not its turn, over 4.0 s: it ponders or waits busily, and takes "
        "that from whoever thinks."
    ]


def test_nothing_is_divided_by_nothing() -> None:
    assert Idleness().share == 0.0
