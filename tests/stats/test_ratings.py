"""Joint ratings: against choix, scipy and openskill, against simulations, and for every strange set of games."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ggtp.stats.elo import ELO_SCALE, Estimate, elo
from ggtp.stats.ratings import Ratings, rate
from ggtp.stats.results import GameResult, level_scores
from ggtp.stats.sample import from_games

FLAT = 1e5
"""A prior that says nothing."""


def game(*players: str, points: Sequence[float], rule: str = "", block: int | None = None) -> GameResult:
    return GameResult(players, level_scores(points), rule, block)


def numbers(ratings: Ratings) -> list[float]:
    found = [*ratings.values, *(x for row in ratings.covariance for x in row)]
    return [*found, *(x for row in (*ratings.seats.values(), *ratings.seat_errors.values()) for x in row)]


def decided_games(count: int, seed: int) -> list[GameResult]:
    rng = random.Random(seed)
    strength = {"a": 0.0, "b": 0.5, "c": 1.1, "d": 1.3}
    games = []
    for _ in range(count):
        first, second = rng.sample(sorted(strength), 2)
        wins = rng.random() < 1 / (1 + math.exp(strength[second] - strength[first]))
        games.append(game(first, second, points=[wins, not wins]))
    return games


def test_without_draws_and_seats_it_is_bradley_terry_as_choix_has_it() -> None:
    choix = pytest.importorskip("choix", reason="choix, the judge, is not installed")
    games = decided_games(300, 1)
    data = [tuple("abcd".index(p) for p in (g.players if g.scores[0] else g.players[::-1])) for g in games]
    expected = choix.ilsr_pairwise(4, data)
    found = rate(games, FLAT, seats=False)
    mean = sum(expected) / 4
    for player, value in zip(found.players, found.values, strict=True):
        assert value == pytest.approx((float(expected["abcd".index(player)]) - mean) * ELO_SCALE, abs=0.01)


def test_rankings_of_several_are_plackett_luce_as_choix_has_it() -> None:
    choix = pytest.importorskip("choix", reason="choix, the judge, is not installed")
    rng = random.Random(4)
    strength = (0.0, 0.7, 1.5, 0.2, 1.0)
    games, data = [], []
    for _ in range(200):
        seated = rng.sample(range(5), 4)
        order = sorted(seated, key=lambda i: -(strength[i] - math.log(-math.log(rng.random()))))
        data.append(tuple(order))
        games.append(game(*(str(i) for i in seated), points=[-order.index(i) for i in seated]))
    expected = choix.ilsr_rankings(5, data)
    mean = sum(expected) / 5
    found = rate(games, FLAT, seats=False)
    for player, value in zip(found.players, found.values, strict=True):
        assert value == pytest.approx((float(expected[int(player)]) - mean) * ELO_SCALE, abs=0.01)


def test_openskill_puts_them_in_the_same_order() -> None:
    models = pytest.importorskip("openskill.models", reason="openskill, the judge, is not installed")
    rng = random.Random(8)
    judge = models.PlackettLuce()
    rated = {name: judge.rating(name=name) for name in "abcd"}
    games = []
    for _ in range(400):
        seated = rng.sample("abcd", 3)
        points = ["abcd".index(name) * 0.8 + rng.gauss(0, 1) for name in seated]
        games.append(game(*seated, points=points))
        after = judge.rate([[rated[name]] for name in seated], ranks=[-x for x in points])
        rated |= {name: team[0] for name, team in zip(seated, after, strict=True)}
    assert list(rate(games).players) == sorted(rated, key=lambda name: -rated[name].mu) == list("dcba")


def test_draws_and_seats_are_what_scipy_finds() -> None:
    """Davidson's model with a seat effect, its likelihood written out and maximised by somebody else."""
    optimize = pytest.importorskip("scipy.optimize", reason="scipy, the judge, is not installed")
    rng = random.Random(2)
    games = []
    for _ in range(500):
        first, second = rng.sample("abc", 2)
        shift = {"a": 0.0, "b": 0.6, "c": 0.9}
        edge = shift[first] - shift[second] + 0.4 + rng.gauss(0, 1)
        games.append(game(first, second, points=[edge, 0.0] if abs(edge) > 0.3 else [1, 1]))

    def loss(x: Sequence[float]) -> float:
        total = 0.0
        for g in games:
            own, other = (x["abc".index(p)] for p in g.players)
            own, other = own + x[3], other + x[4]
            tie = x[5] + (own + other) / 2
            chosen = own if g.scores[0] == 1 else other if g.scores[0] == 0 else tie
            total -= chosen - math.log(math.exp(own) + math.exp(other) + math.exp(tie))
        flat = (ELO_SCALE / FLAT) ** 2
        prior = flat * sum(r * r for r in x[:3]) + (ELO_SCALE / 300) ** 2 * (x[3] ** 2 + x[4] ** 2) + x[5] ** 2 / 25
        return total + prior / 2

    expected = optimize.minimize(loss, [0.0] * 6, tol=1e-9).x.tolist()
    found = rate(games, FLAT)
    mean = sum(expected[:3]) / 3
    nu = math.exp(expected[5])
    assert found.tie_rate == pytest.approx(nu / (2 + nu), abs=1e-4)
    scale = ELO_SCALE * 2 / (2 + nu)
    for player, value in zip(found.players, found.values, strict=True):
        assert value == pytest.approx((expected["abc".index(player)] - mean) * scale, abs=0.05)
    ahead, behind = found.seats[""]
    assert ahead - behind == pytest.approx((expected[3] - expected[4]) * scale, abs=0.05)


@pytest.mark.parametrize("counts", [(136, 96, 111), (30, 20, 400), (500, 450, 10)])
def test_two_players_are_as_far_apart_as_their_scores_tell(counts: tuple[int, int, int]) -> None:
    wins, losses, draws = counts
    games = [game("a", "b", points=p) for p, n in (([1, 0], wins), ([0, 1], losses), ([1, 1], draws)) for _ in range(n)]
    joint, alone = rate(games, FLAT, seats=False).difference("a", "b"), elo(from_games(wins, losses, draws))
    assert joint.value == pytest.approx(alone.value, abs=0.35)
    assert joint.error == pytest.approx(alone.error, rel=0.03)


def simulated(seed: int, blocks: int, shared: float) -> list[GameResult]:
    """Pairs of games with seats swapped; `shared` is how much of the luck both games of a pair have in common."""
    rng = random.Random(seed)
    games = []
    for block in range(blocks):
        luck = rng.gauss(0, 1) * shared
        for seated, sign in ((("a", "b"), 1), (("b", "a"), -1)):
            edge = (0.3 + sign * 0.2 + luck + rng.gauss(0, 1)) * sign
            games.append(game(*seated, points=[edge, 0.0] if abs(edge) > 0.4 else [0, 0], rule="r", block=block))
    return games


def test_errors_by_blocks_follow_what_games_of_a_block_share() -> None:
    alone = rate([GameResult(g.players, g.scores, g.rule) for g in simulated(3, 400, 2.0)])
    together = rate(simulated(3, 400, 2.0))
    assert (alone.errors_from, together.errors_from) == ("blocks", "blocks")
    assert alone.values == together.values
    own, joint = alone.difference("a", "b").error or 0, together.difference("a", "b").error or 0
    assert joint > 1.2 * own, "luck that both games share does not cancel"


@pytest.mark.slow
@pytest.mark.parametrize("shared", [0.0, 2.0])
def test_nineteen_of_twenty_intervals_hold_the_truth(shared: float) -> None:
    truth = rate(simulated(99, 6000, shared)).difference("a", "b").value or 0
    inside = 0
    for seed in range(100):
        found = rate(simulated(seed, 60, shared)).difference("a", "b")
        inside += (found.low or 0) <= truth <= (found.high or 0)
    assert 88 <= inside <= 100


def test_a_difference_has_an_error_of_its_own() -> None:
    games = [game("a", "b", points=[i % 3, 1], block=i) for i in range(60)]
    games += [game("b", "c", points=[i % 3, 1], block=100 + i) for i in range(60)]
    found = rate(games)
    direct, indirect = found.difference("a", "b").error, found.difference("a", "c").error
    assert direct is not None
    assert indirect is not None
    assert indirect > direct
    assert found.superiority("a", "a") == 0.5
    assert found.superiority("a", "b") + found.superiority("b", "a") == pytest.approx(1.0)


def test_the_undefeated_and_those_who_never_met_are_finite() -> None:
    perfect = rate([game("a", "b", points=[1, 0]) for _ in range(10)])
    assert perfect.players == ("a", "b")
    assert 200 < (perfect.difference("a", "b").value or 0) < 1500
    assert (perfect.difference("a", "b").error or 0) > 200
    apart = rate([game("a", "b", points=[1, 0]), game("c", "d", points=[0, 1])])
    assert (apart.difference("a", "c").error or 0) > 900
    assert all(math.isfinite(x) for x in numbers(perfect) + numbers(apart))


def test_nothing_alone_and_oneself() -> None:
    nothing = rate([])
    assert (nothing.players, nothing.values, nothing.seats) == ((), (), {})
    assert rate([game("a", points=[50])]).players == ()
    mirror = rate([game("a", "a", points=[1, 0])])
    assert mirror.values == (0.0,)
    assert mirror.estimate("a").error == 0.0


def test_who_played_alone_has_no_seat() -> None:
    alone = [GameResult(("a", "b"), (1.0, 0.0), seated=False) for _ in range(20)]
    alone += [GameResult(("a", "b"), (0.0, 1.0), seated=False) for _ in range(10)]
    assert rate(alone).seats == {}
    assert (rate(alone).difference("a", "b").value or 0) > 100, "the place in the list is no seat"


def test_a_few_draws_leave_everything_open() -> None:
    few, many = (rate([game("a", "b", points=[1, 1])] * n) for n in (3, 400))
    assert (few.values, many.values) == (pytest.approx((0.0, 0.0), abs=1e-12),) * 2
    assert (few.difference("a", "b").error or 0) > 100
    assert (many.difference("a", "b").error or 0) < 20


def test_each_rule_has_seats_of_its_own() -> None:
    games = [game("a", "b", points=[1, 0], rule="first wins") for _ in range(20)]
    games += [game("b", "a", points=[1, 0], rule="first wins") for _ in range(20)]
    games += [game("b", "a", points=[0, 1], rule="second wins") for _ in range(20)]
    games += [game("a", "b", points=[0, 1], rule="second wins") for _ in range(20)]
    games += [game("a", "b", "c", points=[0, 1, 1], rule="second wins")]
    found = rate(games)
    assert set(found.seats) == {"first wins", "second wins (2 players)", "second wins (3 players)"}
    assert found.seats["first wins"][0] > 100
    assert found.seats["second wins (2 players)"][0] < -100
    assert abs(found.difference("a", "b").value or 0) < 25, "seats, not players, made the difference"


def test_ties_of_very_many_are_several_firsts() -> None:
    crowd = [f"p{i}" for i in range(16)]
    found = rate([game(*crowd, points=[1] * 8 + [0] * 8)])
    assert all(math.isfinite(x) for x in numbers(found))
    assert set(found.players[:8]) == set(crowd[:8])


NAMES = st.sampled_from("abcd")


@pytest.mark.slow
@settings(max_examples=60)
@given(
    st.lists(
        st.integers(1, 4).flatmap(
            lambda n: st.tuples(
                st.lists(NAMES, min_size=n, max_size=n),
                st.lists(st.integers(0, 2), min_size=n, max_size=n),
                st.sampled_from(["r", "s"]),
                st.one_of(st.none(), st.integers(0, 3)),
            )
        ),
        max_size=40,
    )
)
def test_no_games_break_it(drawn: list[tuple[list[str], list[int], str, int | None]]) -> None:
    games = [game(*players, points=points, rule=rule, block=block) for players, points, rule, block in drawn]
    found = rate(games)
    assert all(math.isfinite(x) for x in numbers(found))
    assert sum(found.values) == pytest.approx(0.0, abs=1e-6)
    assert list(found.values) == sorted(found.values, reverse=True)
    for player in found.players:
        assert (found.estimate(player).error or 0.0) >= 0.0


def test_blocks_that_repeat_one_another_are_no_new_evidence() -> None:
    def played(blocks: int, *, again: bool) -> Ratings:
        games = []
        for number in range(blocks):
            mark = "x" if again else f"{number}"
            games.append(GameResult(("a", "b"), (1.0, 0.0), "r", number, 2, fingerprint=f"1{mark}"))
            games.append(GameResult(("b", "a"), (0.5, 0.5), "r", number, 2, fingerprint=f"2{mark}"))
        return rate(games)

    one, repeated = played(1, again=False), played(200, again=True)
    assert numbers(repeated) == pytest.approx(numbers(one))
    assert played(200, again=False).estimate("a").low > repeated.estimate("a").low


def test_nothing_is_known_of_players_without_games() -> None:
    ratings = rate([])
    assert ratings.difference("A", "B") == Estimate(None, None, None)
    assert ratings.superiority("A", "B") == 0.5
