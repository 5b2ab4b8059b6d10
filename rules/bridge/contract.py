"""Contract bridge by the laws of duplicate: boards, calls, what a contract is and what it scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from ggtp.errors import MalformedMove
from ggtp.game.building.boards import bits
from ggtp.game.building.cards import SUIT_NAMES, Deck
from ggtp.game.building.tricks import Order, mask_of

PLAYERS = ("North", "East", "South", "West")
DECK = Deck("23456789TJQKA", suit_first=True)
HAND_SIZE = 13
ALL = (1 << DECK.size) - 1
NO_TRUMP = 4
DENOMINATIONS = (*DECK.suits, "NT")
PASS, DOUBLE, REDOUBLE = "Pass", "X", "XX"
BIDS = tuple(f"{level}{denomination}" for level in range(1, 8) for denomination in DENOMINATIONS)
"""All bids, ascending: `1C`, `1D`, ..., `7NT`."""
UNKNOWN = "-"
"""A hand that is not told, as in Portable Bridge Notation."""

_VULNERABLE = ("", "NS", "EW", "NSEW")
_BOARDS = (0, 1, 2, 3, 1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2)


def dealer_of(board: int) -> int:
    """Who deals a board: boards go round, from North on board 1."""
    return (board - 1) % 4


def vulnerable_on(board: int) -> tuple[bool, bool]:
    """Whether North and South are vulnerable on a board, and whether East and West are."""
    sides = _VULNERABLE[_BOARDS[(board - 1) % 16]]
    return "NS" in sides, "EW" in sides


@cache
def order_of(denomination: int) -> tuple[Order, tuple[int, ...]]:
    """What the cards mean with that trump suit, or none, and all cards of each suit."""
    order = Order(DECK.suit_of, DECK.rank_of, denomination if denomination < NO_TRUMP else -1)
    return order, tuple(order.followers(suit) for suit in range(4))


# Hands in the notation of PBN: spades, hearts, diamonds and clubs, with dots between them.


def hand_text(hand: int) -> str:
    """`AKQ.JT9.87.65432`."""
    suits = []
    for suit in (3, 2, 1, 0):
        ranks = [DECK.ranks[DECK.rank_of[card]] for card in bits(hand) if DECK.suit_of[card] == suit]
        suits.append("".join(reversed(ranks)))
    return ".".join(suits)


def read_hand(text: str) -> int:
    """The hand of such a text.

    Raises:
        MalformedMove: it is none.
    """
    suits = text.upper().replace("10", "T").split(".")
    cards = []
    for suit, ranks in zip("SHDC", suits, strict=False):
        for rank in ranks:
            card = DECK.read(f"{suit}{rank}")
            if card is None:
                raise MalformedMove(f"{text[:40]} is no hand: write it as AKQ.JT9.87.65432.")
            cards.append(card)
    if len(suits) != 4 or len(set(cards)) != len(cards):
        raise MalformedMove(f"{text[:40]} is no hand: write it as AKQ.JT9.87.65432.")
    return mask_of(cards)


def deal_text(hands: Sequence[int]) -> str:
    """All four hands, beginning with North's: `N:... ... ... ...`."""
    return "N:" + " ".join(hand_text(hand) for hand in hands)


def read_deal(text: str) -> list[int]:
    """The hands of a deal, North's first, whoever it begins with.

    Raises:
        MalformedMove: it is none.
    """
    first, _, rest = text.strip().partition(":")
    hands = [read_hand(word) for word in rest.split()]
    begins = "NESW".find(first.upper()) if len(first) == 1 else -1
    sizes = [hand.bit_count() for hand in hands]
    if begins < 0 or sizes != [HAND_SIZE] * 4 or sum(hands) != ALL:
        raise MalformedMove(f"Chance cannot deal {text[:60]}: write it as in Portable Bridge Notation.")
    return [hands[(player - begins) % 4] for player in range(4)]


# The auction.


@dataclass(frozen=True, slots=True)
class Contract:
    """What is to be made, and by whom."""

    level: int
    denomination: int
    declarer: int
    doubled: int = 0
    """0, 1 for doubled, 2 for redoubled."""

    @property
    def text(self) -> str:
        """`4S`, `3NTX`, `1CXX`."""
        return f"{self.level}{DENOMINATIONS[self.denomination]}{'X' * self.doubled}"


@dataclass(frozen=True, slots=True)
class Auction:
    """The calls so far."""

    dealer: int
    calls: tuple[str, ...] = ()

    def to_call(self) -> int:
        """Whose turn it is."""
        return (self.dealer + len(self.calls)) % 4

    def _last_bid(self) -> int:
        """The place of the last bid among the calls, or -1."""
        return next((place for place in reversed(range(len(self.calls))) if self.calls[place][0].isdigit()), -1)

    def over(self) -> bool:
        """Whether three have passed one after the other, or at first all four."""
        return len(self.calls) >= 4 and self.calls[-3:] == (PASS, PASS, PASS)

    def doubled(self) -> int:
        """Whether the last bid was doubled, or redoubled."""
        return sum(call in (DOUBLE, REDOUBLE) for call in self.calls[self._last_bid() + 1 :])

    def legal(self) -> list[str]:
        """The calls that may be made now."""
        last, found = self._last_bid(), [PASS]
        if last < 0:
            return [*found, *BIDS]
        opponents, doubled = (len(self.calls) - last) % 2 == 1, self.doubled()
        if opponents and doubled == 0:
            found.append(DOUBLE)
        if not opponents and doubled == 1:
            found.append(REDOUBLE)
        return [*found, *BIDS[BIDS.index(self.calls[last]) + 1 :]]

    def contract(self) -> Contract | None:
        """What the auction has come to; None where nobody has bid. The first of a side to name the suit plays it."""
        last = self._last_bid()
        if last < 0:
            return None
        level, denomination = int(self.calls[last][0]), DENOMINATIONS.index(self.calls[last][1:])
        first = next(
            place
            for place, call in enumerate(self.calls)
            if call[0].isdigit() and call[1:] == self.calls[last][1:] and place % 2 == last % 2
        )
        return Contract(level, denomination, (self.dealer + first) % 4, self.doubled())


def score(contract: Contract, tricks: int, vulnerable: bool) -> int:
    """What the declarer's side scores with so many tricks, by Law 77."""
    over = tricks - contract.level - 6
    factor = 1 << contract.doubled
    if over < 0:
        return -_penalty(-over, contract.doubled, vulnerable)
    each = 20 if contract.denomination < 2 else 30
    below = (each * contract.level + (10 if contract.denomination == NO_TRUMP else 0)) * factor
    extra = each if not contract.doubled else 100 * contract.doubled * (2 if vulnerable else 1)
    total = below + over * extra + 50 * contract.doubled
    if contract.level == 7:
        total += 1500 if vulnerable else 1000
    elif contract.level == 6:
        total += 750 if vulnerable else 500
    if below < 100:
        return total + 50
    return total + (500 if vulnerable else 300)


def _penalty(down: int, doubled: int, vulnerable: bool) -> int:
    if not doubled:
        return down * (100 if vulnerable else 50)
    steps = [200, *[300] * 12] if vulnerable else [100, 200, 200, *[300] * 10]
    return sum(steps[:down]) * doubled


HIGH_CARDS = {"A": 4, "K": 3, "Q": 2, "J": 1}
STRENGTH = tuple(HIGH_CARDS.get(DECK.ranks[rank], 0) for rank in DECK.rank_of)
SPREAD = ((-2, 0.1), (-1, 0.2), (0, 0.4), (1, 0.2), (2, 0.1))
"""By how many tricks a play ends beside what is expected, and how often."""


def expected_tricks(hands: tuple[int, int], denomination: int) -> float:
    """How many tricks two hands usually take together: by high cards, and with trumps by how many there are."""
    both = hands[0] | hands[1]
    tricks = 6.5 + 0.4 * (sum(STRENGTH[card] for card in bits(both)) - 20)
    if denomination < NO_TRUMP:
        fit = (both & order_of(denomination)[1][denomination]).bit_count()
        tricks += 1 + 0.8 * (fit - 8)
    return min(13.0, max(0.0, tricks))


def expected_score(contract: Contract, hands: tuple[int, int], vulnerable: bool) -> float:
    """What a contract is worth to its side with these two hands, at a glance; one that fails may still be doubled."""
    likely = round(expected_tricks(hands, contract.denomination))
    ends = [(min(13, max(0, likely + more)), share) for more, share in SPREAD]
    worth = sum(share * score(contract, tricks, vulnerable) for tricks, share in ends)
    if worth < 0 and not contract.doubled:
        doubled = replace(contract, doubled=1)
        worth = (worth + sum(share * score(doubled, tricks, vulnerable) for tricks, share in ends)) / 2
    return worth


CALL_WORDS = {
    "p": PASS, "pass": PASS, "-": PASS, "x": DOUBLE, "d": DOUBLE, "dbl": DOUBLE, "double": DOUBLE, "xx": REDOUBLE,
    "r": REDOUBLE, "rd": REDOUBLE, "rdbl": REDOUBLE, "redouble": REDOUBLE,
}  # fmt: skip
_SUIT_WORDS = {
    "♣": "C", "♦": "D", "♥": "H", "♠": "S", "n": "NT", "nt": "NT",
    **{letter.casefold(): letter for letter in DECK.suits},
    **{name[:-1]: letter for letter, name in SUIT_NAMES.items()},
}  # fmt: skip


def read_call(text: str) -> str:
    """The call that a person may mean: `p`, `dbl`, `1♠`, `3 nt`, `1 heart`; the text itself where it means none."""
    plain = text.casefold().strip()
    if plain in CALL_WORDS:
        return CALL_WORDS[plain]
    suit = plain[1:].strip().replace("no trump", "nt").replace("notrump", "nt")
    suit = suit.removesuffix("s") if len(suit) > 1 else suit
    if plain[:1] in "1234567" and plain and suit in _SUIT_WORDS:
        return f"{plain[0]}{_SUIT_WORDS[suit]}"
    return text
