"""Tricks: following suit, winners, what is shown, and deals that agree with it."""

from __future__ import annotations

import random

import pytest

from ggtp.game.building.boards import bits
from ggtp.game.building.cards import Deck
from ggtp.game.building.tricks import Order, Trick, Tricks, mask_of, redeal, why_not

DECK = Deck("23456789TJQKA", suit_first=True)
PLAIN = Order(DECK.suit_of, DECK.rank_of)
HEARTS = Order(DECK.suit_of, DECK.rank_of, 2)


def cards(text: str) -> list[int]:
    found = DECK.read_all(text)
    assert found is not None
    return found


def followers(order: Order) -> list[int]:
    return [order.followers(suit) for suit in range(4)]


def test_sets_of_cards() -> None:
    assert list(bits(mask_of([3, 7, 51]))) == [3, 7, 51]
    assert mask_of([]) == 0


@pytest.mark.parametrize(
    ("text", "order", "winner"),
    [
        ("S2 S9 SA SK", PLAIN, 2),
        ("S2 HA DA CA", PLAIN, 0),
        ("S2 H2 DA CA", HEARTS, 1),
        ("S2 H2 HA H3", HEARTS, 2),
        ("H2 SA HA H3", HEARTS, 2),
        ("C9 CT C8 SA", HEARTS, 1),
    ],
)
def test_who_wins_a_trick(text: str, order: Order, winner: int) -> None:
    assert order.best(cards(text)) == winner


def test_who_can_follow_has_to() -> None:
    tricks = Tricks(4, 0).after(*cards("S2"), PLAIN)  # type: ignore[call-arg, arg-type]
    hand = mask_of(cards("S3 HA"))
    assert tricks.to_play() == 1
    assert tricks.legal(hand, PLAIN, followers(PLAIN)) == mask_of(cards("S3"))
    assert tricks.legal(mask_of(cards("HA CA")), PLAIN, followers(PLAIN)) == mask_of(cards("HA CA"))
    assert Tricks(4, 0).legal(hand, PLAIN, followers(PLAIN)) == hand


def test_a_card_that_may_not_be_played_has_a_reason() -> None:
    assert why_not("SA", True, "West", ["CJ", "C9"]) == "West has to follow suit: CJ / C9."
    assert why_not("SA", False, "West", ["CJ"]) == "West does not have SA: there is CJ."
    assert why_not("SA", False, "West", list("123456789")).endswith("there is 1 / 2 / 3 / 4 / 5 / 6 / and so on.")


def test_the_winner_leads_and_what_is_not_followed_is_remembered() -> None:
    tricks = Tricks(4, 3)
    for card in cards("S2 HA S9 SA"):
        tricks = tricks.after(card, PLAIN)
    assert tricks.done == (Trick(3, tuple(cards("S2 HA S9 SA")), 2),)
    assert tricks.to_play() == 2
    assert tricks.voids == (1 << 3, 0, 0, 0)
    assert tricks.played_by(0) == mask_of(cards("HA"))
    assert list(tricks.after(*cards("D2"), PLAIN).played())[-1] == (2, cards("D2")[0])  # type: ignore[call-arg, arg-type]


def test_nobody_is_dealt_what_he_has_shown_not_to_have() -> None:
    tricks = Tricks(4, 0)
    for card in cards("S2 HA S9 SA"):
        tricks = tricks.after(card, PLAIN)
    hidden = mask_of(cards("SK SQ SJ D2 D3 D4"))
    rng = random.Random(2)
    for _ in range(50):
        dealt = redeal(hidden, {1: 2, 2: 3, -1: 1}, tricks, PLAIN, rng)
        assert dealt[1] & PLAIN.followers(3) == 0
        assert dealt[1] | dealt[2] | dealt[-1] == hidden
        assert [dealt[place].bit_count() for place in (1, 2, -1)] == [2, 3, 1]


def test_what_nothing_explains_is_an_error() -> None:
    tricks = Tricks(2, 0).after(*cards("S2"), PLAIN).after(*cards("HA"), PLAIN)  # type: ignore[call-arg, arg-type]
    with pytest.raises(ValueError, match="no deal explains"):
        redeal(mask_of(cards("SK")), {1: 1}, tricks, PLAIN, random.Random(0))
