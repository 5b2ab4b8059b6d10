"""Skat by the International Skat Order: what cards mean, what can be bid and announced, what a game is worth.

The play itself is in the rule; here are the tables and the arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

from ggtp.errors import MalformedMove
from ggtp.game.building.boards import bits
from ggtp.game.building.cards import SUIT_NAMES, Deck
from ggtp.game.building.tricks import Order, mask_of

PLAYERS = ("Forehand", "Middlehand", "Rearhand")
FOREHAND, MIDDLEHAND, REARHAND = range(3)
DECK = Deck("789QKTAJ", "DHSC", suit_first=True)
"""Ranks in the order of the suit games, the jacks apart; suits in ascending value."""
JACK = DECK.ranks.index("J")
POINTS = tuple((0, 0, 0, 3, 4, 10, 11, 2)[rank] for rank in DECK.rank_of)
NULL_POWER = tuple("789TJQKA".index(DECK.ranks[rank]) for rank in DECK.rank_of)
ALL = (1 << DECK.size) - 1
HAND_SIZE, SKAT_SIZE = 10, 2

GRAND, NULL = 4, 5
TRUMP = 4
"""The suit that jacks, and with them the trump suit, belong to."""
KINDS = (*(SUIT_NAMES[suit] for suit in DECK.suits), "grand", "null")
BASE = (9, 10, 11, 12, 24)
NULL_VALUES = {(False, False): 23, (True, False): 35, (False, True): 46, (True, True): 59}
"""By whether it is played from the hand, and whether it is open."""

PASS, HOLD, LOOK, DISCARD = "pass", "hold", "skat", "discard"
ANNOUNCED = ("", " schneider", " schwarz", " ouvert")


def _bids() -> tuple[int, ...]:
    """Every value that a game can have: with 1 to 11 matadors, or 4 in grand, and up to seven levels."""
    suits = {base * times for base in BASE[:GRAND] for times in range(2, 19)}
    grand = {BASE[GRAND] * times for times in range(2, 12)}
    return tuple(sorted(suits | grand | set(NULL_VALUES.values())))


BIDS = _bids()


@cache
def order_of(kind: int) -> tuple[Order, tuple[int, ...]]:
    """What the cards mean in a game, and all cards of each of its suits."""
    if kind == NULL:
        order = Order(DECK.suit_of, NULL_POWER)
    else:
        trumps = [rank == JACK or suit == kind for suit, rank in zip(DECK.suit_of, DECK.rank_of, strict=True)]
        suits = tuple(TRUMP if trump else suit for trump, suit in zip(trumps, DECK.suit_of, strict=True))
        power = tuple(
            10 + suit if rank == JACK else rank for suit, rank in zip(DECK.suit_of, DECK.rank_of, strict=True)
        )
        order = Order(suits, power, TRUMP)
    return order, tuple(order.followers(suit) for suit in range(5))


@dataclass(frozen=True, slots=True)
class Contract:
    """The game that the declarer has announced."""

    kind: int
    hand: bool = False
    announced: int = 0
    """0 nothing, 1 schneider, 2 schwarz, 3 that and open cards; in null, 3 for open cards."""

    @property
    def ouvert(self) -> bool:
        """Whether the declarer's cards lie open."""
        return self.announced == 3

    @property
    def text(self) -> str:
        """Its name: `clubs`, `grand hand schneider`, `null ouvert hand`."""
        if self.kind == NULL:
            return f"null{' ouvert' if self.ouvert else ''}{' hand' if self.hand else ''}"
        return f"{KINDS[self.kind]}{' hand' if self.hand else ''}{ANNOUNCED[self.announced]}"


def _contracts(hand: bool) -> dict[str, Contract]:
    found = [Contract(kind, hand, level) for kind in range(NULL) for level in (range(4) if hand else (0,))]
    found += [Contract(NULL, hand, level) for level in (0, 3)]
    return {contract.text: contract for contract in found}


WITH_SKAT, FROM_HAND = _contracts(False), _contracts(True)


HIGHEST = DECK.numbers["CJ"]
"""Who has it plays with so many of the highest trumps, else without."""


def matadors(cards: int, kind: int) -> int:
    """How many of the highest trumps, without a gap, are among the cards; or how many of them are not."""
    jacks = [DECK.numbers[f"{suit}J"] for suit in "CSHD"]
    rest = [] if kind == GRAND else [DECK.numbers[f"{DECK.suits[kind]}{rank}"] for rank in "ATKQ987"]
    held = [bool(cards >> card & 1) for card in (*jacks, *rest)]
    return next((index for index, one in enumerate(held) if one != held[0]), len(held))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a game was worth to its declarer."""

    won: bool
    value: int
    reason: str

    @property
    def score(self) -> int:
        """The value, or twice of it lost."""
        return self.value if self.won else -2 * self.value


def outcome(contract: Contract, bid: int, cards: int, points: int, tricks: int) -> Outcome:
    """How a game ended: the declarer's cards with the skat, points and tricks, and the highest bid."""
    if contract.kind == NULL:
        value = NULL_VALUES[contract.hand, contract.ouvert]
        return Outcome(tricks == 0, value, f"{contract.text} {'made' if tricks == 0 else 'lost'}")
    schneider = points >= 90 or points <= 30
    schwarz = tricks in (0, HAND_SIZE)
    least = contract.announced
    levels = 1 + contract.hand + (schneider or schwarz or least >= 1) + (schwarz or least >= 2) + least
    base = BASE[contract.kind]
    tops = matadors(cards, contract.kind)
    value = base * (tops + levels)
    made = tricks == HAND_SIZE if least >= 2 else points >= 90 if least else points >= 61
    words = f"{contract.text} with {points} points"
    if value < bid:
        # Overbid: lost, at the least value of this game that would have been enough.
        return Outcome(False, base * -(-bid // base), f"{words}, overbid: worth {value}, {bid} was bid")
    have = "with" if cards >> HIGHEST & 1 else "without"
    count = f"{have} {tops}, {tops + levels} times {base} is {value}"
    return Outcome(made, value, f"{words} made: {count}" if made else f"{words} lost: {count}, which counts twice")


@dataclass(frozen=True, slots=True)
class Bidding:
    """Who bids to whom: middlehand to forehand, then rearhand to the one who is left."""

    bid: int = 0
    speaker: int = MIDDLEHAND
    """Who names values."""
    listener: int = FOREHAND
    answering: bool = False
    """Whether the listener has to hold or pass."""

    def to_speak(self) -> int:
        """Whose turn it is."""
        return self.listener if self.answering else self.speaker

    def leader(self) -> int | None:
        """Who plays if nothing more is said: who has named the bid, or holds it; None where there is none."""
        if not self.bid:
            return None
        return self.speaker if self.answering else self.listener

    def moves(self) -> list[str]:
        """What can be said."""
        if self.answering:
            return [PASS, HOLD]
        if self.speaker == FOREHAND:
            return [PASS, str(BIDS[0])]
        return [PASS, *(str(bid) for bid in BIDS if bid > self.bid)]

    def after(self, word: str) -> Bidding | int | None:
        """The bidding after a word; who plays, when it is over; None when nobody does."""
        if word == HOLD:
            return Bidding(self.bid, self.speaker, self.listener)
        if word != PASS:
            if self.speaker == FOREHAND:
                return FOREHAND
            return Bidding(int(word), self.speaker, self.listener, answering=True)
        if self.speaker == FOREHAND:
            return None
        left = self.speaker if self.answering else self.listener
        if REARHAND not in (self.speaker, self.listener):
            return Bidding(self.bid, REARHAND, left)
        if self.bid:
            return left
        # Nobody has bid anything: forehand may play for the least.
        return Bidding(0, FOREHAND, FOREHAND)


def deal_text(hands: Sequence[int], skat: int) -> str:
    return " ".join(DECK.text(list(bits(cards))[::-1], "") for cards in (*hands, skat))


def read_deal(text: str) -> tuple[list[int], int]:
    """Everybody's cards and the skat's."""
    groups = [DECK.read_all(word) or [] for word in text.split()]
    masks = [mask_of(group) for group in groups]
    sizes = [mask.bit_count() for mask in masks]
    if sizes != [HAND_SIZE] * 3 + [SKAT_SIZE] or sum(map(len, groups)) != DECK.size or sum(masks) != ALL:
        raise MalformedMove(f"Chance cannot deal {text[:60]}: write three hands of ten cards and the skat.")
    return masks[:3], masks[3]


def cards_seen(player: str, told: Sequence[tuple[str, str]]) -> int:
    """The cards that a player has been seen with: played, or laid open."""
    seen = 0
    for actor, text in told:
        if actor == player:
            words = text.split(" ")
            if text in DECK.numbers:
                seen |= 1 << DECK.numbers[text]
            elif "ouvert" in words:
                seen |= mask_of(DECK.read_all(words[-1]) or ())
    return seen


def fill(player: str, words: Sequence[str], later: Sequence[tuple[str, str]]) -> str:
    """A whole deal in which a player has the cards of its own, and the others those that they are seen with later."""
    hands = [
        mask_of(DECK.read_all(words[index]) or ()) if name == player else cards_seen(name, later)
        for index, name in enumerate(PLAYERS)
    ]
    skat = 0
    for actor, text in later:
        if actor == player and text.startswith(f"{LOOK} "):
            skat = mask_of(DECK.read_all(text[len(LOOK) :]) or ())
    free = ALL & ~skat
    for hand in hands:
        free &= ~hand
    left = bits(free)
    hands = [hand | mask_of(islice(left, HAND_SIZE - hand.bit_count())) for hand in hands]
    return deal_text(hands, skat or mask_of(left))
