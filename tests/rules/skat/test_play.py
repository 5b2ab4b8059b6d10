"""Cards that a Skat player would play: trumps are drawn, points go to partners, and null stays below."""

from __future__ import annotations

import random

import pytest
from ggtp.rules.skat.contract import DECK, GRAND, HAND_SIZE, NULL, POINTS, order_of
from ggtp.rules.skat.play import sensible

from ggtp.game.building.boards import bits
from ggtp.game.building.tricks import Tricks, mask_of

DIAMONDS, CLUBS = 0, 3
FOREHAND, MIDDLEHAND, REARHAND = range(3)


def cards(text: str) -> int:
    found = DECK.read_all(text)
    assert found is not None
    return mask_of(found)


def played(kind: int, declarer: int, hand: str, *table: str, leader: int = FOREHAND) -> str:
    """What is played with a hand after the cards on the table."""
    order, followers = order_of(kind)
    tricks = Tricks(3, leader)
    for card in table:
        tricks = tricks.after(DECK.numbers[card], order)
    held = cards(hand)
    return DECK.names[sensible(kind, declarer, held, tricks.legal(held, order, followers), tricks)]


@pytest.mark.parametrize(
    ("kind", "declarer", "hand", "table", "card"),
    [
        (CLUBS, FOREHAND, "CJ SJ CA CT HA H7", "", "CJ"),
        (CLUBS, FOREHAND, "HA HT S7", "", "HA"),
        (CLUBS, REARHAND, "C9 HA HT D9 D8 D7", "", "HA"),
        (CLUBS, REARHAND, "C9 HT D9 D8 D7", "", "D7"),
        (CLUBS, MIDDLEHAND, "D7 DT S9", "HA H7", "DT"),
        (CLUBS, MIDDLEHAND, "DT ST S9", "HA C7", "S9"),
        (CLUBS, REARHAND, "S7 DT S9", "HA H7", "S7"),
        (CLUBS, MIDDLEHAND, "HT HK H9", "HA H7", "HT"),
        (CLUBS, MIDDLEHAND, "HA HK H9", "HT", "HA"),
        (CLUBS, REARHAND, "CJ CT C7 S7", "HA HK", "CT"),
        (CLUBS, REARHAND, "CJ CT C7 S7", "H8 H7", "S7"),
        (NULL, REARHAND, "H9 HQ HA", "HJ H8", "H9"),
        (NULL, REARHAND, "S9 SQ DA", "HJ H8", "DA"),
        (NULL, FOREHAND, "H8 HA", "H9", "H8"),
    ],
)
def test_a_card_that_a_player_would_play(kind: int, declarer: int, hand: str, table: str, card: str) -> None:
    assert played(kind, declarer, hand, *table.split()) == card


def total(kind: int, hands: list[int], rng: random.Random, good: set[int]) -> int:
    """The points that forehand makes as the declarer, where some play with sense and the others at random."""
    order, followers = order_of(kind)
    hands, tricks = list(hands), Tricks(3, FOREHAND)
    while len(tricks.done) < HAND_SIZE:
        player = tricks.to_play()
        legal = tricks.legal(hands[player], order, followers)
        if player in good:
            card = sensible(kind, FOREHAND, hands[player], legal, tricks)
        else:
            card = rng.choice(list(bits(legal)))
        assert legal >> card & 1
        hands[player] &= ~(1 << card)
        tricks = tricks.after(card, order)
    return sum(POINTS[card] for trick in tricks.done if trick.winner == FOREHAND for card in trick.cards)


@pytest.mark.parametrize("kind", [DIAMONDS, GRAND])
def test_sense_makes_more_points_than_chance(kind: int) -> None:
    rng = random.Random(kind)
    alone = against = neither = 0
    for _ in range(150):
        dealt = rng.sample(DECK.cards, DECK.size)
        hands = [mask_of(dealt[start : start + HAND_SIZE]) for start in (0, 10, 20)]
        neither += total(kind, hands, rng, set())
        alone += total(kind, hands, rng, {FOREHAND})
        against += total(kind, hands, rng, {MIDDLEHAND, REARHAND})
    assert alone > 1.1 * neither
    assert against < 0.9 * neither
