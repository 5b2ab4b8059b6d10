"""What games of Skat promise: strong hands win, weak ones lose, and what is expected comes about."""

from __future__ import annotations

import random

from ggtp.rules.skat.contract import DECK, FOREHAND, GRAND, HAND_SIZE, NULL, POINTS, order_of
from ggtp.rules.skat.play import sensible
from ggtp.rules.skat.prospect import Prospect, chance, kept, promising, prospects, spared

from ggtp.game.building.boards import bits
from ggtp.game.building.tricks import Tricks, mask_of

DIAMONDS, HEARTS, SPADES, CLUBS = range(4)


def cards(text: str) -> int:
    found = DECK.read_all(text)
    assert found is not None
    return mask_of(found)


STRONG = cards("CJ SJ HJ CA CT CK C8 SA ST DA")
WEAK = cards("C9 C8 SK S9 S7 HQ H8 H7 DK D9")
LOW = cards("C7 C8 C9 S7 S8 H7 H9 HJ D7 D8")


def test_strong_hands_win_and_weak_ones_lose() -> None:
    assert chance(STRONG, 0, CLUBS) > 0.95
    assert chance(STRONG, 0, GRAND) > 0.95
    assert max(chance(WEAK, 0, kind) for kind in range(NULL)) < 0.2
    assert chance(LOW, 0, NULL) > 0.8
    assert chance(STRONG, 0, NULL) < 0.05


def test_the_skat_puts_away_what_is_not_needed() -> None:
    twelve = STRONG | cards("H9 HT")
    assert kept(twelve, CLUBS) == STRONG
    assert kept(LOW | cards("DA SK"), NULL) == LOW
    assert kept(STRONG, CLUBS) == STRONG
    assert spared(twelve, CLUBS).bit_count() == 4
    assert spared(twelve, CLUBS) & cards("H9 HT") == cards("H9 HT")


def test_a_game_below_the_bid_is_lost_and_null_is_not_played() -> None:
    assert prospects(STRONG, 0, 18)[GRAND].value == 24 * 4
    assert len(prospects(STRONG, 0, 18)) == NULL + 1
    over = prospects(STRONG, 0, 120)
    assert over[GRAND] == Prospect(0.0, 120)
    assert len(over) == NULL


def test_scores() -> None:
    assert Prospect(1.0, 24).score() == 24
    assert Prospect(0.0, 24).score() == -48
    assert Prospect(1.0, 24).score(50) == 74
    assert Prospect(0.0, 24).score(50) == -98


def test_games_to_think_about() -> None:
    assert promising(LOW, 0)[0] == NULL
    assert set(promising(STRONG, 0)[:2]) == {CLUBS, GRAND}
    assert promising(WEAK, 0, least=0.9) == []


def won(kind: int, hands: list[int], skat: int) -> bool:
    """Whether forehand wins when everybody plays sensible cards."""
    order, followers = order_of(kind)
    hands, tricks = list(hands), Tricks(3, FOREHAND)
    while len(tricks.done) < HAND_SIZE:
        player = tricks.to_play()
        card = sensible(kind, FOREHAND, hands[player], tricks.legal(hands[player], order, followers), tricks)
        hands[player] &= ~(1 << card)
        tricks = tricks.after(card, order)
    mine = [trick for trick in tricks.done if trick.winner == FOREHAND]
    if kind == NULL:
        return not mine
    points = sum(POINTS[card] for trick in mine for card in trick.cards) + sum(POINTS[card] for card in bits(skat))
    return points >= 61


def test_what_is_expected_comes_about() -> None:
    rng = random.Random(7)
    expected, made, games = [0.0, 0.0], [0, 0], [0, 0]
    for _ in range(400):
        dealt = rng.sample(DECK.cards, DECK.size)
        hands = [mask_of(dealt[start : start + HAND_SIZE]) for start in (0, 10, 20)]
        twelve = hands[FOREHAND] | mask_of(dealt[30:])
        kind = promising(twelve, 0)[0]
        ten = kept(twelve, kind)
        hands[FOREHAND] = ten
        promised = chance(ten, twelve & ~ten, kind)
        likely = promised > 0.7
        expected[likely] += promised
        made[likely] += won(kind, hands, twelve & ~ten)
        games[likely] += 1
    for side in (0, 1):
        assert games[side] > 50
        assert abs(expected[side] - made[side]) / games[side] < 0.1
