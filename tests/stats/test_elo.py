"""Elo, normalised Elo and the likelihood of superiority: figures that others have, and the ends of the scale."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggtp.stats.elo import (
    Estimate,
    bounded_elo,
    elo,
    elo_of_score,
    games_to_settle,
    los,
    nelo,
    rounded,
    score_of_elo,
    signed,
)
from ggtp.stats.sample import Sample, from_games, from_pairs, from_scores

counts = st.integers(0, 10**9)


@pytest.mark.parametrize(
    ("sample", "elo_value", "elo_error", "nelo_value", "nelo_error"),
    [
        (from_games(136, 96, 111), 40.70, 30.43, 49.77, 36.77),
        (from_pairs(34, 54, 31, 32, 64, 75), 55.58, 27.65, 57.94, 28.28),
        (from_pairs(7895, 8757, 5485, 200, 568, 9999), -21.04, 2.95, -19.01, 2.65),
    ],
)
def test_the_figures_of_other_tools(
    sample: Sample, elo_value: float, elo_error: float, nelo_value: float, nelo_error: float
) -> None:
    assert elo(sample).value == pytest.approx(elo_value, abs=0.006)
    assert elo(sample).error == pytest.approx(elo_error, abs=0.006)
    assert nelo(sample).value == pytest.approx(nelo_value, abs=0.006)
    assert nelo(sample).error == pytest.approx(nelo_error, abs=0.006)


def test_the_likelihood_of_superiority_of_other_tools() -> None:
    assert los(from_games(136, 96, 111)) == pytest.approx(0.9960, abs=5e-5)


def test_scores_and_elo_are_inverse_and_draw_out_no_infinity() -> None:
    for difference in (-3000.0, -400.0, -1.0, 0.0, 17.0, 400.0):
        assert elo_of_score(score_of_elo(difference)) == pytest.approx(difference, abs=1e-6)
    assert score_of_elo(400.0) == pytest.approx(10 / 11)
    assert score_of_elo(-1e9) == 0.0
    assert score_of_elo(1e9) == 1.0
    assert elo_of_score(0.0) is elo_of_score(1.0) is None


def test_a_perfect_score_has_a_bound_on_one_side() -> None:
    won, lost = elo(from_games(10, 0)), elo(from_games(0, 10))
    assert won.value is won.high is won.error is None
    assert won.low == pytest.approx(166.0, abs=0.5)  # Wilson's bound on 10 of 10 is 0.7225
    assert lost.value is lost.low is lost.error is None
    assert lost.high == pytest.approx(-(won.low or 0))
    assert nelo(from_games(10, 0)).low == pytest.approx(-(nelo(from_games(0, 10)).high or 0))
    assert won.text() == "above +166.2"
    assert 0.99 < los(from_games(10, 0)) < 1.0


def test_a_perfect_score_has_a_bounded_estimate_all_the_same() -> None:
    assert bounded_elo(from_games(10, 0)) == pytest.approx(elo_of_score(10.5 / 11))
    assert bounded_elo(from_games(10, 0)) == pytest.approx(-bounded_elo(from_games(0, 10)))
    assert bounded_elo(from_games(0, 0)) == 0.0
    assert bounded_elo(from_games(600, 400)) == pytest.approx(elo(from_games(600, 400)).value, abs=0.1)
    assert math.isfinite(bounded_elo(from_games(1e300, 0)))


def test_draws_alone_say_little_at_first_and_more_later() -> None:
    few, many = elo(from_games(0, 0, 2)), elo(from_games(0, 0, 2000))
    assert few.value == many.value == 0.0
    assert (few.error or 0) > 100
    assert 0 < (many.error or 0) < 2
    assert los(from_games(0, 0, 5)) == 0.5
    assert nelo(from_games(0, 0, 5)).value == 0.0


def test_nothing_played_is_nothing_known() -> None:
    nothing = from_games(0, 0)
    assert elo(nothing) == nelo(nothing) == Estimate(None, None, None)
    assert los(nothing) == 0.5
    assert elo(nothing).text() == "unknown"


def test_texts_say_what_is_known() -> None:
    assert Estimate(40.7, 10.3, 71.1).text() == "+40.7 ± 30.4"
    assert Estimate(-0.01, -2.0, 2.0).text() == "0.0 ± 2.0"
    assert Estimate(301.3, 77.46, None).text() == "+301.3 (above +77.5)"
    assert Estimate(None, None, -77.5).text(0) == "below -78"
    assert Estimate(12.0, None, None).text() == "+12.0 (unknown error)"
    assert Estimate(1.0, None, -0.004).data() == {"value": 1.0, "low": None, "high": 0.0, "error": None}
    assert (signed(-3.14159, 2), signed(-0.0), rounded(None, 1)) == ("-3.14", "0.0", None)


def test_what_would_settle_it() -> None:
    undecided = from_games(55, 45)
    more = games_to_settle(undecided)
    assert more is not None
    assert 200 < more < 400
    settled = from_games(55 * 4.0, 45 * 4.0)
    assert games_to_settle(settled) == 0.0
    assert games_to_settle(from_games(3, 3)) is games_to_settle(from_games(0, 0)) is None
    assert (games_to_settle(from_pairs(20, 0, 0, 0, 0, 22)) or 0) > 0


@given(wins=counts, losses=counts, draws=counts)
def test_no_count_breaks_anything(wins: int, losses: int, draws: int) -> None:
    sample, mirror = from_games(wins, losses, draws), from_games(losses, wins, draws)
    for estimate in (elo(sample), nelo(sample)):
        numbers = [x for x in (estimate.value, estimate.low, estimate.high, estimate.error) if x is not None]
        assert all(math.isfinite(x) for x in numbers)
        known = [x for x in (estimate.low, estimate.value, estimate.high) if x is not None]
        assert known == sorted(known)
        assert "nan" not in estimate.text()
        assert "inf" not in estimate.text()
    assert 0.0 <= los(sample) <= 1.0
    assert los(sample) + los(mirror) == pytest.approx(1.0)
    there, back = elo(sample).value, elo(mirror).value
    assert (there is None) == (back is None)
    if there is not None and back is not None:
        assert there == pytest.approx(-back, rel=1e-6, abs=1e-6)


@given(st.lists(st.sampled_from([0.0, 1 / 3, 0.5, 2 / 3, 1.0]), min_size=1, max_size=40))
def test_a_win_more_never_lowers_what_is_estimated(scores: list[float]) -> None:
    before, after = elo(from_scores(scores)).value, elo(from_scores([*scores, 1.0])).value
    if before is not None and after is not None:
        assert after >= before - 1e-6


@pytest.mark.parametrize("wins", [0, 1, 10**18])
@pytest.mark.parametrize("losses", [0, 1, 10**18])
def test_huge_counts_are_numbers_too(wins: int, losses: int) -> None:
    sample = from_games(wins, losses, 10**18)
    assert all(math.isfinite(x) for x in (elo(sample).value, elo(sample).error, nelo(sample).value) if x is not None)
    assert 0.0 <= los(sample) <= 1.0
