"""Heuristic values: more choice, more change and more points are better, and no heuristic value is a result."""

import pytest

from ggtp.search.evaluation.heuristics import EVEN, LEAST, MOST, Novelty, blend, distance, mobility, proximity, size


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        (0b1010, 0b0110, 2),
        ("X..", "XO.", 1),
        ("X.", "X.O", 1),
        (frozenset("abc"), frozenset("abd"), 2),
        (b"\x01\x00", b"\x00\x80", 2),
        (("X..", 0b1), ("X.O", 0b10), 3),
        (("a",), ("a", "b"), 1),
        ("a", 7, 1),
        (("same", 1), ("same", 1), 0),
    ],
)
def test_distance_counts_what_differs(one, other, apart):
    assert distance(one, other) == distance(other, one) == apart


@pytest.mark.parametrize(
    ("key", "much"), [(0b1011, 3), ("X..", 3), (frozenset("ab"), 2), (b"\x03", 2), ((1, "ab"), 3), (None, 1)]
)
def test_size(key, much):
    assert size(key) == much


def test_novelty_grows_with_the_distance() -> None:
    novelty = Novelty("." * 9)
    values = [novelty("X" * stones + "." * (9 - stones)) for stones in range(10)]
    assert values[0] == 40
    assert values == sorted(values)
    assert values[-1] == 50  # as much has changed as there was


def test_novelty_of_a_game_that_begins_with_nothing() -> None:
    novelty = Novelty(0)
    assert 40 == novelty(0) < novelty(1) < novelty(0xFFFF) < 60


def test_mobility_is_a_share() -> None:
    assert mobility([6, 2], 0, 9) == 75
    assert mobility([6, 2], 1, 9) == 25
    assert mobility([4, 4, 4], 2, 9) == EVEN
    assert mobility([3], 0, 9) == 25, "alone, against what is usual"
    assert mobility([0, 0], 0, 0) == EVEN


def test_proximity() -> None:
    assert proximity([80, 20], 0, opposed=True) == 80
    assert proximity([80, 20], 1, opposed=True) == 20
    assert proximity([30, 30, 90], 1, opposed=False) == 30


def test_mobility_and_novelty_are_averaged_and_proximity_counts_as_much_as_both() -> None:
    assert blend(80, 40, None) == 60
    assert blend(80, None, None) == 80
    assert blend(None, 40, None) == 40
    assert blend(80, 40, 20) == 40
    assert blend(None, None, 20) == 20
    assert blend(None, None, None) == EVEN


def test_a_heuristic_is_never_a_win_or_a_loss() -> None:
    assert blend(100, 100, 100) == MOST < 100
    assert blend(0, 0, 0) == LEAST > 0
