"""Skat's values: every bid of the Skat Order's table, games with and without matadors, announcements, overbids."""

from __future__ import annotations

import pytest
from ggtp.rules.skat.contract import (
    BIDS,
    DECK,
    FROM_HAND,
    GRAND,
    WITH_SKAT,
    Bidding,
    deal_text,
    matadors,
    order_of,
    outcome,
    read_deal,
)

from ggtp.errors import MalformedMove
from ggtp.game.building.tricks import mask_of

EVERY_BID = """18 20 22 23 24 27 30 33 35 36 40 44 45 46 48 50 54 55 59 60 63 66 70 72 77 80 81 84 88 90 96 99
100 108 110 117 120 121 126 130 132 135 140 143 144 150 153 154 156 160 162 165 168 170 176 180 187 192 198 204
216 240 264"""


def cards(text: str) -> int:
    found = DECK.read_all(text)
    assert found is not None
    return mask_of(found)


def test_every_value_that_can_be_bid() -> None:
    assert list(BIDS) == [int(word) for word in EVERY_BID.split()]


@pytest.mark.parametrize(
    ("held", "game", "count"),
    [
        ("CJ", "clubs", 1),
        ("CJ SJ", "grand", 2),
        ("CJ SJ HJ DJ", "grand", 4),
        ("SJ HJ DJ", "hearts", 1),
        ("HJ DJ HA", "hearts", 2),
        ("DJ CA", "clubs", 3),
        ("CA CT", "clubs", 4),
        ("CT", "clubs", 5),
        ("", "grand", 4),
        ("", "spades", 11),
        ("CJ SJ HJ DJ SA ST SK SQ S9 S8 S7", "spades", 11),
        ("CJ SJ HJ DJ SA SK", "spades", 5),
    ],
)
def test_matadors_with_and_without(held: str, game: str, count: int) -> None:
    assert matadors(cards(held), WITH_SKAT[game].kind) == count


@pytest.mark.parametrize(
    ("game", "held", "points", "tricks", "bid", "score"),
    [
        # With one, game two: twice the base.
        ("diamonds", "CJ", 61, 5, 18, 18),
        ("clubs", "CJ", 61, 5, 18, 24),
        ("clubs", "CJ", 60, 5, 18, -48),
        # Schneider, schwarz, and losing like that.
        ("spades", "CJ", 90, 8, 18, 33),
        ("spades", "CJ", 89, 8, 18, 22),
        ("spades", "CJ", 120, 10, 18, 44),
        ("spades", "CJ", 30, 2, 18, -66),
        ("spades", "CJ", 31, 2, 18, -44),
        ("spades", "CJ", 0, 0, 18, -88),
        # Hand games and announcements.
        ("hearts hand", "SJ", 61, 5, 18, 30),
        ("grand hand", "CJ SJ", 61, 5, 18, 96),
        ("grand hand schneider", "CJ SJ", 90, 9, 18, 144),
        ("grand hand schneider", "CJ SJ", 89, 9, 18, -288),
        ("grand hand schwarz", "CJ SJ", 120, 10, 18, 192),
        ("grand hand schwarz", "CJ SJ", 118, 9, 18, -384),
        ("grand hand ouvert", "CJ SJ HJ DJ", 120, 10, 18, 264),
        # Null has values of its own, whatever the cards.
        ("null", "CJ", 0, 0, 18, 23),
        ("null", "CJ", 11, 1, 18, -46),
        ("null hand", "", 0, 0, 18, 35),
        ("null ouvert", "", 0, 0, 18, 46),
        ("null ouvert hand", "", 0, 0, 18, 59),
        ("null ouvert hand", "", 4, 1, 18, -118),
        # Bid as without two, but the club jack lay in the skat: overbid, and lost at the next multiple.
        ("hearts", "CJ", 80, 7, 30, -60),
        ("hearts", "CJ", 80, 7, 33, -80),
        # Schneider saves the bid.
        ("hearts", "CJ", 90, 8, 30, 30),
        ("grand", "CJ", 70, 6, 59, -144),
    ],
)
def test_what_a_game_is_worth(game: str, held: str, points: int, tricks: int, bid: int, score: int) -> None:
    contract = {**WITH_SKAT, **FROM_HAND}[game]
    assert outcome(contract, bid, cards(held), points, tricks).score == score


def test_there_are_as_many_games_as_the_order_knows() -> None:
    assert len(WITH_SKAT) == 7
    assert len(FROM_HAND) == 22


@pytest.mark.parametrize(
    ("words", "end"),
    [
        (["pass", "pass", "pass"], None),
        (["pass", "pass", "18"], 0),
        (["18", "pass", "pass"], 1),
        (["18", "hold", "pass", "pass"], 0),
        (["18", "hold", "20", "pass", "22", "pass"], 2),
        (["18", "hold", "20", "pass", "22", "hold", "pass"], 1),
        (["pass", "18", "pass"], 2),
        (["pass", "18", "hold", "pass"], 0),
        (["264", "pass", "pass"], 1),
    ],
)
def test_who_plays_after_the_bidding(words: list[str], end: int | None) -> None:
    bidding = Bidding()
    for word in words[:-1]:
        assert word in bidding.moves()
        following = bidding.after(word)
        assert isinstance(following, Bidding)
        bidding = following
    assert words[-1] in bidding.moves()
    assert bidding.after(words[-1]) == end


def test_a_bid_is_higher_than_the_last_and_any_value_may_be_jumped_to() -> None:
    bidding = Bidding().after("20")
    assert isinstance(bidding, Bidding)
    assert bidding.moves() == ["pass", "hold"]
    again = bidding.after("hold")
    assert isinstance(again, Bidding)
    assert again.moves()[:3] == ["pass", "22", "23"]
    assert len(again.moves()) == 1 + 61


def test_jacks_are_trumps_but_not_in_null() -> None:
    grand, _ = order_of(GRAND)
    assert grand.best([DECK.numbers[name] for name in ("CA", "DJ", "HJ")]) == 2
    null, _ = order_of(5)
    assert null.best([DECK.numbers[name] for name in ("CT", "CJ", "CQ")]) == 2
    clubs, _ = order_of(3)
    assert clubs.best([DECK.numbers[name] for name in ("DA", "C7", "DT")]) == 1
    assert clubs.best([DECK.numbers[name] for name in ("DK", "DT", "DA")]) == 2


def test_deals_are_whole() -> None:
    names = list(DECK.names)
    text = " ".join("".join(names[start:end]) for start, end in ((0, 10), (10, 20), (20, 30), (30, 32)))
    hands, skat = read_deal(text)
    assert deal_text(hands, skat) == " ".join(
        "".join(names[start:end][::-1]) for start, end in ((0, 10), (10, 20), (20, 30), (30, 32))
    )
    for wrong in ("", text[:-2], text.replace("D7", "D8"), text.replace("D7", "xx")):
        with pytest.raises(MalformedMove):
            read_deal(wrong)
