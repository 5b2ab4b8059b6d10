"""Ratings of a running table, against the joint ratings of a report and against what is known."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from ggtp.stats.elo import elo, elo_of_score, score_of_elo
from ggtp.stats.ratings import rate
from ggtp.stats.results import GameResult, level_scores
from ggtp.stats.sample import from_games
from ggtp.stats.scale import FEW, Met, bounded_ratings, on_one_scale
from ggtp.stats.summary import summarise


def test_two_players_share_their_difference() -> None:
    sample = from_games(60, 30, 10)
    found = on_one_scale("ab", {("a", "b"): Met(sample)})
    difference = elo(sample)
    assert found["a"].value == pytest.approx((difference.value or 0) / 2)
    assert found["a"].error == pytest.approx((difference.error or 0) / 2)
    assert found["b"].value == pytest.approx(-(found["a"].value or 0))
    assert found["b"].error == pytest.approx(found["a"].error)


def test_of_who_has_won_everything_only_a_bound_is_known() -> None:
    found = on_one_scale("ab", {("a", "b"): Met(from_games(20, 0))})
    assert found["a"].value is found["a"].high is found["b"].value is found["b"].low is None
    assert (found["a"].low or 0) > 0
    assert found["b"].high == -(found["a"].low or 0)
    numbers = bounded_ratings("ab", {("a", "b"): Met(from_games(20, 0))})
    assert numbers["a"] == pytest.approx((elo_of_score(20.5 / 21) or 0) / 2)
    assert numbers["b"] == -numbers["a"]


def test_who_met_nobody_is_unknown_and_groups_have_means_of_their_own() -> None:
    pairs = {("a", "b"): Met(from_games(3, 1)), ("c", "d"): Met(from_games(1, 1))}
    found = on_one_scale("abcde", pairs)
    assert found["e"].value is None
    assert found["a"].value == pytest.approx(-(found["b"].value or 0))
    assert found["c"].value == 0.0
    assert bounded_ratings("abcde", pairs)["e"] == 0.0


def test_exact_pairs_give_the_ratings_that_made_them() -> None:
    true = {"a": 120.0, "b": 20.0, "c": -40.0, "d": -100.0}
    games = 1e9
    met = {}
    for one, other in (("a", "b"), ("b", "c"), ("c", "d"), ("a", "d")):  # not all have met
        score = score_of_elo(true[one] - true[other])
        met[one, other] = Met(from_games(games * score, games * (1 - score)))
    found = on_one_scale("abcd", met)
    assert {player: estimate.value for player, estimate in found.items()} == pytest.approx(true, abs=1e-3)


@pytest.mark.parametrize("table", [2, 3])
def test_the_scale_is_that_of_the_joint_ratings(table: int) -> None:
    rng = random.Random(5)
    strength = {"a": 100.0, "b": 0.0, "c": -20.0, "d": -80.0}
    games = []
    for _ in range(2000):
        seated = rng.sample(sorted(strength), table)
        points = [strength[player] + 170 * rng.gauss(0, 1) for player in seated]
        games.append(GameResult(tuple(seated), level_scores(points)))
    summary, joint = summarise(games, tuple(strength)), rate(games)
    pairs = {pair: Met(row.sample, float(table)) for pair, row in summary.pairs.items()}
    found = on_one_scale(tuple(strength), pairs)
    for player in strength:
        reference = joint.estimate(player)
        assert found[player].value == pytest.approx(reference.value, abs=0.5 * (reference.error or 0))
        assert found[player].error == pytest.approx(reference.error, rel=0.25)


def test_many_players_are_rated_as_few_are(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"player {number}" for number in range(FEW + 4)]
    pairs = {pair: Met(from_games(3 + index % 5, 2 + index % 3)) for index, pair in enumerate(combinations(names, 2))}
    many = on_one_scale(names, pairs)
    monkeypatch.setattr("ggtp.stats.scale.FEW", len(names))
    few = on_one_scale(names, pairs)
    for name in names:
        assert many[name].value == pytest.approx(few[name].value)
        assert many[name].error == pytest.approx(few[name].error)
    assert sum(estimate.value or 0 for estimate in many.values()) == pytest.approx(0, abs=1e-6)
