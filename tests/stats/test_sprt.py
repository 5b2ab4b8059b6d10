"""Sequential tests: ratios that others have computed, error rates that hold, and no NaN for any counts."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggtp.stats.elo import score_of_elo
from ggtp.stats.sample import Sample, from_blocks, from_games, from_pairs, from_scores
from ggtp.stats.sprt import MODELS, Decision, Model, Sprt


@pytest.mark.parametrize(
    ("sample", "elo0", "elo1", "model", "expected"),
    [
        (from_games(36433, 36027, 68692), 0.0, 2.0, "normalised", 0.923),
        (from_games(21404, 21184, 40708), 0.5, 2.5, "logistic", -1.572),
        (from_games(68965, 68526, 128429), 0.0, 2.0, "bayesian", -1.262),
        (from_pairs(365, 16618, 36029, 200, 16974, 390), 0.0, 2.0, "normalised", 2.250),
        (from_pairs(223, 9863, 20279, 1000, 10037, 246), 0.5, 2.5, "logistic", -3.074),
        (from_pairs(0, 0, 0, 0, 0, 5550), 0.0, 5.0, "normalised", 111.80),
        (from_pairs(39, 8843, 26675, 0, 9240, 44), 0.5, 2.5, "normalised", 2.942),
    ],
)
def test_the_ratios_of_other_tools(sample: Sample, elo0: float, elo1: float, model: Model, expected: float) -> None:
    assert Sprt(elo0, elo1, model=model).ratio(sample) == pytest.approx(expected, abs=0.006)


def test_the_tilted_distribution_is_what_a_maximiser_finds() -> None:
    """The ratio from scratch: scipy maximises the likelihood under each mean."""
    optimize = pytest.importorskip("scipy.optimize", reason="scipy, the judge, is not installed")
    scores, counts = (0.0, 1 / 3, 0.5, 2 / 3, 1.0), (12.0, 30.0, 25.0, 33.0, 20.0)
    test = Sprt(0.0, 30.0, model="logistic")

    def best(mean: float) -> float:
        def loss(p: list[float]) -> float:
            return -sum(c * math.log(max(x, 1e-12)) for c, x in zip(counts, p, strict=True))

        limits = (
            {"type": "eq", "fun": lambda p: sum(p) - 1.0},
            {"type": "eq", "fun": lambda p: sum(a * x for a, x in zip(scores, p, strict=True)) - mean},
        )
        found = optimize.minimize(loss, [0.2] * 5, bounds=[(1e-6, 1)] * 5, constraints=limits, options={"ftol": 1e-13})
        return -float(found.fun)

    expected = best(score_of_elo(30.0)) - best(score_of_elo(0.0))
    assert test.ratio(Sample(scores, counts, games=6.0)) == pytest.approx(expected, abs=1e-5)


def test_bounds_and_decisions() -> None:
    test = Sprt(0.0, 5.0)
    assert (test.lower, test.upper) == pytest.approx((-2.944, 2.944), abs=0.001)
    assert Sprt(0.0, 5.0, alpha=0.01, beta=0.1).upper == pytest.approx(math.log(0.9 / 0.01))
    assert test.decide(test.upper) is Decision.ACCEPT_H1
    assert test.decide(test.lower) is Decision.ACCEPT_H0
    assert test.decision(from_games(0, 0)) is test.decision(from_games(10, 10)) is Decision.GO_ON
    assert test.decision(from_games(900, 600)) is Decision.ACCEPT_H1
    assert test.decision(from_games(600, 900)) is Decision.ACCEPT_H0


def test_how_long_it_will_take() -> None:
    test = Sprt(0.0, 20.0)
    half = from_pairs(20, 0, 30, 30, 0, 26)
    left = test.games_left(half)
    assert left is not None
    assert left == pytest.approx((test.upper / test.ratio(half) - 1) * 106 * 2)
    assert test.games_left(from_games(0, 0)) is None
    assert test.games_left(from_games(9000, 1000)) == 0.0


@pytest.mark.parametrize(
    ("elo0", "elo1", "alpha", "beta", "model"),
    [
        (5.0, 5.0, 0.05, 0.05, "logistic"),
        (0.0, math.nan, 0.05, 0.05, "logistic"),
        (0.0, 5.0, 0.0, 0.05, "logistic"),
        (0.0, 5.0, 0.05, 0.6, "logistic"),
        (0.0, 5.0, 0.05, 0.05, "guess"),
    ],
)
def test_what_is_no_test_is_refused(elo0: float, elo1: float, alpha: float, beta: float, model: Model) -> None:
    with pytest.raises(ValueError, match=r"elo0|alpha|model"):
        Sprt(elo0, elo1, alpha, beta, model)


def test_the_bayesian_model_is_for_games() -> None:
    with pytest.raises(ValueError, match="single games"):
        Sprt(0.0, 2.0, model="bayesian").ratio(from_pairs(1, 2, 3, 4, 5, 6))


@pytest.mark.parametrize(("true_elo", "wrong"), [(0.0, Decision.ACCEPT_H1), (60.0, Decision.ACCEPT_H0)])
def test_it_errs_as_rarely_as_it_says(true_elo: float, wrong: Decision) -> None:
    test = Sprt(0.0, 60.0, alpha=0.1, beta=0.1, model="logistic")
    rng = random.Random(7)
    score = score_of_elo(true_elo)
    chances = (1.0 - score - 0.15, 0.3, score - 0.15)
    runs, errors = 120, 0
    for _ in range(runs):
        results: list[float] = []
        decision = Decision.GO_ON
        while decision is Decision.GO_ON:
            results += rng.choices((0.0, 0.5, 1.0), chances, k=10)
            decision = test.decision(from_scores(results))
        errors += decision is wrong
    assert errors / runs <= 0.1 + 2.5 * math.sqrt(0.1 * 0.9 / runs)


@given(
    numbers=st.tuples(*[st.integers(0, 10**12)] * 3),
    elos=st.tuples(st.floats(-1e4, 1e4), st.floats(-1e4, 1e4)).filter(lambda pair: pair[0] < pair[1]),
    model=st.sampled_from(MODELS),
)
def test_no_counts_break_it(numbers: tuple[int, int, int], elos: tuple[float, float], model: Model) -> None:
    test = Sprt(*elos, model=model)
    sample = from_games(*numbers)
    ratio = test.ratio(sample)
    assert math.isfinite(ratio)
    left = test.games_left(sample)
    assert left is None or (math.isfinite(left) and left >= 0.0)


@pytest.mark.slow
@given(st.lists(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=6, max_size=6), max_size=30))
def test_blocks_of_any_size_are_units(blocks: list[list[float]]) -> None:
    sample = from_blocks(blocks)
    for model in ("logistic", "normalised"):
        forward = Sprt(-10.0, 10.0, model=model).ratio(sample)
        backward = Sprt(-10.0, 10.0, model=model).ratio(from_blocks([[1.0 - x for x in block] for block in blocks]))
        assert forward == pytest.approx(-backward, abs=1e-3)
