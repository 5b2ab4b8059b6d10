"""Hands at Uno that agree with what was shown."""

from __future__ import annotations

import random
from collections import Counter

from ggtp.rules.uno.hands import Sign, draw_hands, mask_of, shares

GOT, LAID, LACKS = Sign.GOT, Sign.LAID, Sign.LACKS


def test_what_came_later_may_be_what_was_lacking_before() -> None:
    events = ((GOT, 7), (LACKS, mask_of([1, 2])), (GOT, 2))
    assert shares(events, random.Random(0)) == [(7, 6), (2, 0)]


def test_a_card_that_was_lacking_has_come_later() -> None:
    events = ((GOT, 7), (LACKS, mask_of([1, 2])), (GOT, 1), (LAID, 2))
    assert shares(events, random.Random(0)) == [(7, 6)]


def test_any_other_card_may_have_come_at_any_time() -> None:
    events = ((GOT, 3), (LACKS, mask_of([1])), (GOT, 1), (LAID, 5))
    found = Counter(tuple(shares(events, random.Random(seed)) or ()) for seed in range(200))
    assert set(found) == {((2, 2), (1, 0)), ((3, 2),)}
    assert found[(2, 2), (1, 0)] > found[(3, 2),]


def test_what_cannot_be_is_none() -> None:
    assert shares(((GOT, 1), (LACKS, mask_of([4])), (LAID, 4)), random.Random(0)) is None
    assert draw_hands([1, 1, 1], {0: ((GOT, 2), (LACKS, mask_of([1])))}, random.Random(0)) is None
    assert draw_hands([1], {0: ((GOT, 2),)}, random.Random(0)) is None


def test_hands_have_what_they_may_and_all_of_it_in_the_end() -> None:
    cards = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    known = {1: ((GOT, 3), (LACKS, mask_of([0, 1])), (GOT, 1)), 2: ((GOT, 2), (LACKS, mask_of([4])))}
    rng = random.Random(3)
    met: set[tuple[int, tuple[int, ...]]] = set()
    for _ in range(300):
        hands = draw_hands(cards, known, rng)
        assert hands is not None
        (old, new), (other,) = hands[1], hands[2]
        assert (len(old), len(new), len(other)) == (3, 1, 2)
        assert not {0, 1} & set(old)
        assert 4 not in other
        assert not Counter([*old, *new, *other]) - Counter(cards)
        met.add((2, tuple(sorted(other))))
    # Four kinds in two places: all ten pairs.
    assert len(met) == 10


def test_draws_are_even() -> None:
    cards = list(range(6))
    rng = random.Random(4)
    found: Counter[int] = Counter()
    for _ in range(1200):
        hands = draw_hands(cards, {0: ((GOT, 2), (LACKS, mask_of([0]))), 1: ((GOT, 1),)}, rng)
        assert hands is not None
        found[hands[1][0][0]] += 1
    # Of the six cards, one can only be there or left over: it comes a third of the time, the others less often.
    assert found[0] / 1200 > 0.2
    assert all(abs(found[card] / 1200 - 0.15) < 0.05 for card in range(1, 6))
