"""What beats what, and every hand's words; compared with pokerkit over random cards."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from ggtp.rules.texasholdem.hands import DECK, describe, strength
from pokerkit import StandardHighHand
from support.oracles import games, report


def cards(text: str) -> list[int]:
    found = DECK.read_all(text)
    assert found is not None
    return found


WORDS = [
    ("7h 5d 4c 3s 2h", "seven high"),
    ("2h 2d 5c 4s 3h", "a pair of twos"),
    ("Ah Ad 5c 4s 3h", "a pair of aces"),
    ("3h 3d 2c 2s Ah", "two pair, threes and twos"),
    ("6h 6d 6c 2s 3h", "three sixes"),
    ("Ah 2d 3c 4s 5h", "a straight to the five"),
    ("Ah Kd Qc Js Th", "a straight to the ace"),
    ("7h 5h 4h 3h 2h", "a flush, seven high"),
    ("2h 2d 2c 3s 3h", "a full house, twos over threes"),
    ("2h 2d 2c 2s 3h", "four twos"),
    ("Ah 2h 3h 4h 5h", "a straight flush to the five"),
    ("Ah Kh Qh Jh Th", "a royal flush"),
]


def test_each_kind_beats_the_one_before() -> None:
    values = [strength(cards(text)) for text, _ in WORDS]
    assert values == sorted(values)
    assert len(set(values)) == len(values)


@pytest.mark.parametrize(("text", "words"), WORDS)
def test_words(text: str, words: str) -> None:
    assert describe(cards(text)) == words


def test_fewer_cards_are_worth_something_too() -> None:
    assert describe(cards("Ah Kd")) == "ace high"
    assert describe(cards("6h 6d")) == "a pair of sixes"
    assert describe(cards("Ah Kh Qh Jh")) == "ace high"


def test_three_pairs_are_two_and_two_threes_a_full_house() -> None:
    assert strength(cards("Ah Ad Kh Kd Qh Qd 2c")) == strength(cards("Ah Ad Kh Kd Qh"))
    assert describe(cards("Ah Ad Ac Kh Kd Ks 2c")) == "a full house, aces over kings"


@pytest.mark.slow
def test_hands_compare_as_in_pokerkit() -> None:
    rng = random.Random(11)
    drawn = [rng.sample(range(52), 7) for _ in games(1200)]
    # Few ranks make the rare hands frequent.
    narrow = [card for card in range(52) if card % 13 >= 7 and card // 13 < 3]
    drawn += [rng.sample(narrow, 7) for _ in games(600)]
    ours = [strength(hand) for hand in drawn]
    theirs = [StandardHighHand.from_game(DECK.text(hand[:2], ""), DECK.text(hand[2:], "")) for hand in drawn]
    order = sorted(range(len(drawn)), key=lambda index: ours[index])
    for one, two in pairwise(order):
        assert (ours[one] == ours[two]) == (theirs[one] == theirs[two])
        assert theirs[one] <= theirs[two]
    assert len({kind for kind, _ in ours}) == 9
    report("hands of poker with pokerkit", len(drawn))
