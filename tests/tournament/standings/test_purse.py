"""Points a game, and how sure they are."""

from __future__ import annotations

import math
import random
import statistics

import pytest
from scipy import stats as scipy_stats

from ggtp.tournament.results import Game, GamePlan
from ggtp.tournament.standings.purse import Purse, block_points, player_points, telling


def game(points: dict[str, str], standings: dict[str, str] | None = None, end: str = "rules") -> Game:
    seats = {"Ann": "A", "Bob": "B", "Cid": "A"}
    return Game(GamePlan(1, 0, 1, 0, 0, 1, seats), {}, standings or {}, points, end=end)


def purse(points: list[float]) -> Purse:
    made = Purse()
    for own in points:
        made.add(own)
    return made


def test_the_interval_is_that_of_students_test() -> None:
    rng = random.Random(1)
    points = [1000 + rng.gauss(20, 60) for _ in range(30)]
    made = purse(points)
    assert made.mean == pytest.approx(statistics.fmean(points))
    low, high = scipy_stats.t.interval(0.95, 29, made.mean, statistics.stdev(points) / math.sqrt(30))
    assert made.error == pytest.approx((high - low) / 2)


def test_nineteen_of_twenty_intervals_hold_the_truth() -> None:
    # Mostly small pots and a few great ones: as lopsided as points at poker are.
    rng = random.Random(3)
    held = 0
    for _ in range(1000):
        made = purse([rng.choice([-200, 200]) if rng.random() < 0.2 else rng.choice([-1, 2]) for _ in range(80)])
        assert made.error is not None
        held += abs(made.mean - 0.4) <= made.error
    assert 0.93 <= held / 1000 <= 0.97


def test_one_block_tells_nothing_of_its_error() -> None:
    assert purse([3.0]).error is None
    assert purse([3.0]).text() == "+3.00"
    assert purse([3.0, 4.0]).text() == "+3.50 ± 6.35"


def test_a_block_that_repeats_another_is_no_new_evidence() -> None:
    made = purse([1.0, 2.0, 4.0])
    first = made.error
    for own in (1.0, 2.0, 4.0):
        made.add(own, repeated=True)
    assert (made.blocks, made.distinct) == (6, 3)
    assert first is not None
    assert made.error is not None
    assert made.error == pytest.approx(first * math.sqrt(4 / 5))  # the deviation alone is known better


def test_several_seats_of_a_player_are_one() -> None:
    assert player_points(game({"Ann": "3", "Bob": "-7/2", "Cid": "1/2"})) == {"A": 1.75, "B": -3.5}


def test_points_that_are_missing_are_not_made_up() -> None:
    assert player_points(game({"Ann": "3", "Bob": "-3"})) == {}
    assert player_points(game({"Ann": "3", "Bob": "-3", "Cid": "0"}, end="void")) == {}
    assert block_points([{"A": 1.0, "B": -1.0}, {}]) == {}
    assert block_points([{"A": 1.0, "B": -1.0}, {"A": 4.0, "B": -4.0}]) == {"A": 2.5, "B": -2.5}


def test_points_tell_something_where_they_are_not_just_the_standings() -> None:
    standings = {"Ann": "win", "Bob": "loss", "Cid": "draw"}
    assert not telling(game({"Ann": "100", "Bob": "0", "Cid": "50"}, standings))
    assert telling(game({"Ann": "7", "Bob": "-7", "Cid": "0"}, standings))
    assert not telling(game({}, standings))
