"""Samples: means, intervals that hold what they promise, and no nonsense at the ends."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggtp.stats.sample import Sample, from_blocks, from_games, from_pairs, from_scores

counts = st.integers(0, 10**12)


def test_games_pairs_and_blocks_are_samples() -> None:
    assert from_games(2, 1, 4) == Sample((0.0, 0.5, 1.0), (1, 4, 2))
    assert from_pairs(1, 2, 3, 4, 5, 6) == Sample((0.0, 0.25, 0.5, 0.75, 1.0), (1, 2, 7, 5, 6), games=2.0)
    blocks = from_blocks([[1.0, 0.0], [0.5, 0.5], [1.0, 1.0], []])
    assert blocks == Sample((0.5, 1.0), (2, 1), games=2.0)
    assert from_scores([0.1 + 0.2, 0.3]).counts == (2.0,), "what differs by rounding only is the same"


@pytest.mark.parametrize(
    ("scores", "numbers", "games"),
    [
        ((0.0,), (1.0, 2.0), 1.0),
        ((0.0, 2.0), (1.0, 2.0), 1.0),
        ((0.5, 0.0), (1.0, 2.0), 1.0),
        ((0.5, 0.5), (1.0, 2.0), 1.0),
        ((0.5,), (-1.0,), 1.0),
        ((0.5,), (float("nan"),), 1.0),
        ((0.5,), (float("inf"),), 1.0),
        ((0.5,), (1.0,), 0.0),
    ],
)
def test_what_is_no_sample_is_refused(scores: tuple[float, ...], numbers: tuple[float, ...], games: float) -> None:
    with pytest.raises(ValueError, match=r"score|count|unit"):
        Sample(scores, numbers, games)


def test_with_wins_and_losses_only_the_cautious_interval_is_that_of_wilson() -> None:
    scipy_stats = pytest.importorskip("scipy.stats", reason="scipy, the judge, is not installed")
    for wins, losses in [(10, 0), (0, 10), (1, 0), (7, 3), (1, 28)]:
        expected = scipy_stats.binomtest(wins, wins + losses).proportion_ci(0.95, "wilson")
        interval = from_games(wins, losses).interval()
        assert interval.cautious
        assert interval.low == pytest.approx(float(expected.low), abs=1e-12)
        assert interval.high == pytest.approx(float(expected.high), abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("units", [6, 12, 25, 60, 120, 400])
@pytest.mark.parametrize("chances", [(0.3, 0.4, 0.3), (0.05, 0.15, 0.8), (0.45, 0.1, 0.45), (0.1, 0.8, 0.1)])
def test_the_interval_holds_the_truth_as_often_as_it_says(units: int, chances: tuple[float, float, float]) -> None:
    rng = random.Random(units)
    truth = chances[1] / 2 + chances[2]
    rounds, inside = 800, 0
    for _ in range(rounds):
        interval = from_scores(rng.choices((0.0, 0.5, 1.0), chances, k=units)).interval()
        inside += interval.low <= truth <= interval.high
    assert inside / rounds >= 0.92


@given(st.lists(counts, min_size=5, max_size=5), st.integers(1, 24))
def test_an_interval_lies_within_0_and_1_around_the_mean(numbers: list[int], games: int) -> None:
    sample = Sample((0.0, 0.25, 0.5, 0.75, 1.0), tuple(map(float, numbers)), float(games))
    interval = sample.interval()
    assert 0.0 <= interval.low <= interval.value <= interval.high <= 1.0
    assert interval.low < interval.high, "nothing is ever known exactly"
    assert 0.0 < sample.spread() <= 1.0
    assert 0.0 <= sample.variance <= 0.25 + 1e-12


@given(st.lists(st.floats(0.0, 1.0), max_size=60))
def test_seen_from_the_other_side_an_interval_is_its_mirror_image(scores: list[float]) -> None:
    mine, theirs = from_scores(scores).interval(), from_scores(1.0 - score for score in scores).interval()
    assert mine.low == pytest.approx(1.0 - theirs.high, abs=1e-6)
    assert mine.high == pytest.approx(1.0 - theirs.low, abs=1e-6)


def test_without_units_nothing_is_known() -> None:
    empty = from_games(0, 0)
    assert (empty.mean, empty.variance, empty.spread()) == (0.5, 0.0, 1.0)
    assert (empty.interval().low, empty.interval().high) == (0.0, 1.0)
