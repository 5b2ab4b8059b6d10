"""Bridge's tables: boards, auctions, declarers, and scores by Law 77."""

from __future__ import annotations

import pytest
from ggtp.rules.bridge.contract import (
    BIDS,
    DENOMINATIONS,
    PLAYERS,
    Auction,
    Contract,
    deal_text,
    dealer_of,
    hand_text,
    read_call,
    read_deal,
    read_hand,
    score,
    vulnerable_on,
)

from ggtp.errors import MalformedMove

DEAL = "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"


def test_boards_as_they_are_printed() -> None:
    printed = {(False, False): "none", (True, False): "NS", (False, True): "EW", (True, True): "all"}
    words = [printed[vulnerable_on(board)] for board in range(1, 17)]
    assert words == [
        "none",
        "NS",
        "EW",
        "all",
        "NS",
        "EW",
        "all",
        "none",
        "EW",
        "all",
        "none",
        "NS",
        "all",
        "none",
        "NS",
        "EW",
    ]
    assert [PLAYERS[dealer_of(board)] for board in range(1, 6)] == ["North", "East", "South", "West", "North"]


def auction(text: str, dealer: int = 0) -> Auction:
    made = Auction(dealer)
    for word in text.split():
        assert not made.over()
        assert word in made.legal(), word
        made = Auction(dealer, (*made.calls, word))
    return made


@pytest.mark.parametrize(
    ("calls", "contract"),
    [
        ("1NT Pass 3NT Pass Pass Pass", Contract(3, 4, 0)),
        ("1H Pass 2S Pass 4H Pass Pass Pass", Contract(4, 2, 0)),
        ("Pass 1S Pass 2D Pass 4S X Pass Pass Pass", Contract(4, 3, 1, 1)),
        ("1C X XX Pass Pass Pass", Contract(1, 0, 0, 2)),
        ("1S X 2H X Pass 3H Pass Pass Pass", Contract(3, 2, 1)),
        ("1D 1S Pass 2S 2NT Pass 3D Pass Pass Pass", Contract(3, 1, 0)),
    ],
)
def test_what_an_auction_comes_to(calls: str, contract: Contract) -> None:
    made = auction(calls)
    assert made.over()
    assert made.contract() == contract


def test_four_passes_are_no_contract() -> None:
    assert auction("Pass Pass Pass").over() is False
    assert auction("Pass Pass Pass Pass").over()
    assert auction("Pass Pass Pass Pass").contract() is None


@pytest.mark.parametrize(
    ("calls", "double", "redouble"),
    [
        ("", False, False),
        ("1C", True, False),
        ("1C Pass", False, False),
        ("1C Pass Pass", True, False),
        ("1C X", False, True),
        ("1C X Pass", False, False),
        ("1C X Pass Pass", False, True),
        ("1C X XX", False, False),
        ("1C X 1D", True, False),
    ],
)
def test_who_may_double(calls: str, double: bool, redouble: bool) -> None:
    legal = auction(calls).legal()
    assert ("X" in legal, "XX" in legal) == (double, redouble)


def test_a_bid_is_higher_than_the_last() -> None:
    assert auction("").legal()[1:] == list(BIDS)
    assert auction("7S").legal() == ["Pass", "X", "7NT"]
    assert len(BIDS) == 35


@pytest.mark.parametrize(
    ("text", "tricks", "vulnerable", "points"),
    [
        ("1C", 7, False, 70),
        ("1NT", 7, False, 90),
        ("2S", 9, False, 140),
        ("3NT", 9, False, 400),
        ("3NT", 10, True, 630),
        ("4S", 10, False, 420),
        ("4H", 11, True, 650),
        ("5C", 11, False, 400),
        ("5D", 11, True, 600),
        ("6S", 12, False, 980),
        ("6NT", 12, True, 1440),
        ("7NT", 13, False, 1520),
        ("7S", 13, True, 2210),
        ("1CX", 7, False, 140),
        ("2HX", 8, False, 470),
        ("2HX", 9, True, 870),
        ("1NTXX", 7, False, 560),
        ("1NTXX", 8, True, 1160),
        ("7NTXX", 13, True, 2980),
        ("4S", 9, False, -50),
        ("4S", 7, True, -300),
        ("4SX", 9, False, -100),
        ("4SX", 8, False, -300),
        ("4SX", 7, False, -500),
        ("4SX", 6, False, -800),
        ("4SX", 9, True, -200),
        ("4SX", 8, True, -500),
        ("4SX", 7, True, -800),
        ("4SXX", 8, False, -600),
        ("7NTXX", 0, True, -7600),
    ],
)
def test_scores(text: str, tricks: int, vulnerable: bool, points: int) -> None:
    bid = text.rstrip("X")
    contract = Contract(int(bid[0]), DENOMINATIONS.index(bid[1:]), 0, len(text) - len(bid))
    assert contract.text == text
    assert score(contract, tricks, vulnerable) == points


def test_hands_and_deals_are_in_portable_bridge_notation() -> None:
    hands = read_deal(DEAL)
    assert deal_text(hands) == DEAL
    assert hand_text(hands[2]) == "K5.T83.KQ9.A7652"
    assert read_deal("S:" + " ".join(DEAL[2:].split()[2:] + DEAL[2:].split()[:2])) == hands
    assert read_hand("AKQJT98765432...") == read_hand("akqj1098765432...")


@pytest.mark.parametrize(
    "text", ["", "N:", DEAL[2:], DEAL[:-1], DEAL.replace("QJ6", "QJ7"), DEAL.replace("K5", "K1"), "X" + DEAL[1:]]
)
def test_what_is_no_deal(text: str) -> None:
    with pytest.raises(MalformedMove):
        read_deal(text)


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("p", "Pass"),
        ("PASS", "Pass"),
        ("dbl", "X"),
        ("Redouble", "XX"),
        ("1c", "1C"),
        ("1♠", "1S"),
        ("3n", "3NT"),
        ("3 no trump", "3NT"),
        ("1 heart", "1H"),
        ("2 spades", "2S"),
        ("8S", "8S"),
        ("", ""),
    ],
)
def test_calls_as_people_write_them(text: str, call: str) -> None:
    assert read_call(text) == call
