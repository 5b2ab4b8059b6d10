"""Bets are won where there is a difference, and seldom where there is none, however often one looks."""

from __future__ import annotations

import random

import pytest

from ggtp.stats.betting import MOST_STAKE, Bet


def rounds_to(wealth: float, differences: list[float]) -> int | None:
    """After how many rounds the bet is worth so much; None: never."""
    bet = Bet()
    for number, difference in enumerate(differences, 1):
        bet.settle(difference)
        if bet.wealth >= wealth:
            return number
    return None


@pytest.mark.slow
@pytest.mark.parametrize("draws", [0.0, 0.5])
def test_equal_players_are_seldom_told_apart(draws: float) -> None:
    rng = random.Random(7)
    alarms = 0
    for _ in range(2000):
        row = [0.0 if rng.random() < draws else rng.choice((-1.0, 1.0)) for _ in range(300)]
        alarms += rounds_to(20, row) is not None
    assert alarms <= 2000 * 0.05  # Ville's bound for 1 / 20


def test_a_worse_player_is_hardly_ever_called_better() -> None:
    rng = random.Random(8)
    rows = ([1.0 if rng.random() < 0.4 else -1.0 for _ in range(300)] for _ in range(500))
    assert sum(rounds_to(20, row) is not None for row in rows) <= 5


def test_who_always_wins_is_known_soon() -> None:
    found = rounds_to(20, [1.0] * 50)
    assert found is not None
    assert found <= 8


def test_a_small_difference_is_found_in_the_end() -> None:
    rng = random.Random(9)
    rows = [[1.0 if rng.random() < 0.6 else -1.0 for _ in range(1000)] for _ in range(100)]
    assert sum(rounds_to(20, row) is not None for row in rows) >= 95


def test_the_stake_knows_only_what_was() -> None:
    bet = Bet()
    assert bet.stake == 0  # nothing was seen: nothing is risked
    bet.settle(1.0)
    assert bet.wealth == 1
    assert 0 < bet.stake <= MOST_STAKE
    for _ in range(5):
        bet.settle(-1.0)
    assert bet.stake == 0
    assert bet.wealth > 0
