"""The sequential test looks at blocks in their order."""

from __future__ import annotations

import random

import pytest

from ggtp.stats.elo import elo, los, nelo
from ggtp.stats.sample import from_games, from_pairs
from ggtp.stats.sprt import Model
from ggtp.stats.sprt import Sprt as Gsprt
from ggtp.tournament.plan.plan import Sprt
from ggtp.tournament.standings.sequential import SequentialTest

PAIR = (1.0, 0.5)
"""The games of a block, where it does not matter how they ended."""


def test_a_clear_difference_is_decided() -> None:
    test = SequentialTest(Sprt(0, 50))
    number = 0
    while not test.verdict:
        number += 1
        test.block(number, 1.0 if number % 3 else 0.5, PAIR)
    assert test.verdict == "H1"
    assert test.ratio >= test.bounds[1]
    assert number < 60
    decided = test.ratio
    test.block(number + 1, 0.0, PAIR)
    assert (test.verdict, test.ratio) == ("H1", decided)


@pytest.mark.slow
def test_the_order_in_which_blocks_end_does_not_matter() -> None:
    rng = random.Random(4)
    scores = [rng.choice([0.25, 0.5, 0.5, 0.75]) for _ in range(200)]
    verdicts = set()
    for seed in range(5):
        numbers = list(range(1, 201))
        for begin in range(0, 200, 10):  # some are faster than others
            part = numbers[begin : begin + 10]
            random.Random(seed).shuffle(part)
            numbers[begin : begin + 10] = part
        test = SequentialTest(Sprt(-20, 20))
        for number in numbers:
            test.block(number, scores[number - 1], PAIR)
        verdicts.add((test.verdict, round(test.ratio, 6), test.sample.units))
    assert len(verdicts) == 1


def test_it_tells_what_is_left() -> None:
    test = SequentialTest(Sprt(0, 10))
    assert test.games_left() is None
    for number in range(1, 20):
        test.block(number, 0.75 if number % 2 else 0.5, PAIR)
    left = test.games_left()
    assert left is not None
    assert left > 0


def test_a_block_that_never_comes_is_passed_over() -> None:
    test = SequentialTest(Sprt(0, 50))
    test.block(1, 0.75, PAIR)
    test.block(3, 0.75, PAIR)
    assert test.sample.units == 1
    test.left_out(2)
    assert test.sample.units == 2


def test_the_same_game_again_and_again_decides_nothing() -> None:
    test, fresh = SequentialTest(Sprt(0, 50)), SequentialTest(Sprt(0, 50))
    for number in range(1, 100):
        test.block(number, 1.0, PAIR, "the same")
        fresh.block(number, 1.0, PAIR, f"another {number}")
    assert (test.verdict, test.distinct, test.sample.units) == ("", 1, 1.0)
    assert fresh.verdict == "H1"


def test_repetitions_count_in_the_order_of_blocks() -> None:
    ratios = set()
    for order in ((1, 2, 3, 4), (4, 3, 2, 1), (2, 4, 1, 3)):
        test = SequentialTest(Sprt(0, 50))
        for number in order:
            test.block(number, 0.75 if number % 2 else 0.5, PAIR, "ab"[number % 2])
        ratios.add((test.ratio, test.distinct))
    assert len(ratios) == 1


def test_repeats_of_one_rule_take_nothing_from_another() -> None:
    test = SequentialTest(Sprt(0, 50))
    for number in range(1, 21):
        repeats = number % 2
        test.block(number, 1.0 if repeats else 0.5, PAIR, "the same" if repeats else f"another {number}", repeats)
    assert test.distinct == 11
    assert dict(zip(test.sample.scores, test.sample.counts, strict=True)) == {0.5: 10.0, 1.0: 1.0}


def test_where_only_repeats_are_played_no_end_is_promised() -> None:
    test = SequentialTest(Sprt(0, 50))
    test.block(1, 1.0, PAIR, "the same")
    assert test.games_left()
    for number in range(2, 6):
        test.block(number, 1.0, PAIR, "the same")
    assert test.games_left() is None
    assert test.fresh == 0.0


def made(*blocks: tuple[float, float], model: Model = "normalised", **elo: float) -> SequentialTest:
    """A test after pairs of games, given by the first player's scores."""
    test = SequentialTest(Sprt(elo.get("elo0", 0.0), elo.get("elo1", 5.0), model=model))
    for number, singles in enumerate(blocks, 1):
        test.block(number, sum(singles) / 2, singles)
    return test


PAIRS = [(0.0, 0.0)] + [(0.0, 0.5)] * 2 + [(1.0, 0.0)] * 2 + [(0.5, 0.5)] * 3 + [(0.5, 1.0)] * 3 + [(1.0, 1.0)] * 2


def test_blocks_of_two_games_have_pentanomial_counts() -> None:
    test = made(*PAIRS)
    assert test.counts == (1, 2, 5, 3, 2)
    assert test.sample == from_pairs(1, 2, 2, 3, 3, 2)
    assert test.ratio == pytest.approx(Gsprt(0.0, 5.0).ratio(from_pairs(1, 2, 2, 3, 3, 2)))
    assert (test.elo, test.nelo, test.los) == (elo(test.sample), nelo(test.sample), los(test.sample))


def test_the_logistic_model_is_of_blocks_too() -> None:
    assert made(*PAIRS, model="logistic").ratio == pytest.approx(
        Gsprt(0.0, 5.0, model="logistic").ratio(from_pairs(1, 2, 2, 3, 3, 2))
    )


def test_the_bayesian_model_is_of_games() -> None:
    test = made(*PAIRS, model="bayesian")
    won, drawn, lost = 2 + 3 + 4, 2 + 6 + 3, 2 + 2 + 2
    assert test.sample == from_games(won, lost, drawn)
    assert test.ratio == pytest.approx(Gsprt(0.0, 5.0, model="bayesian").ratio(from_games(won, lost, drawn)))
    assert test.counts == (1, 2, 5, 3, 2)


def test_blocks_of_different_sizes_have_no_counts_in_common() -> None:
    test = made(*PAIRS)
    test.block(len(PAIRS) + 1, 0.5, (0.5,))
    assert test.counts == ()
    assert SequentialTest(Sprt()).counts == ()
