"""How good a poker hand is: the best five of up to seven cards, as a value that can be compared, and in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from ggtp.game.building.cards import Deck

DECK = Deck("23456789TJQKA")
"""The whole pack, with cards written as poker players do: `As`, `Td`."""

Strength: TypeAlias = tuple[int, tuple[int, ...]]
"""The kind of hand, and the ranks that decide between hands of the same kind."""

(HIGH, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH) = range(9)
ACE, FIVE = 12, 3
RANKS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
_SUIT = DECK.suit_of
_RANK = DECK.rank_of


def _straight_top(mask: int) -> int:
    """The highest rank of the best straight among ranks, a bit each; -1 where there is none."""
    # An ace is also below the two.
    wide = mask << 1 | mask >> ACE & 1
    runs = wide & wide >> 1 & wide >> 2 & wide >> 3 & wide >> 4
    return runs.bit_length() + 2 if runs else -1


STRAIGHTS = tuple(_straight_top(mask) for mask in range(1 << 13))


def _top(mask: int, count: int) -> tuple[int, ...]:
    """The highest ranks of a set of bits."""
    ranks: list[int] = []
    while mask and len(ranks) < count:
        rank = mask.bit_length() - 1
        ranks.append(rank)
        mask ^= 1 << rank
    return tuple(ranks)


def strength(cards: Sequence[int]) -> Strength:
    """How good the best five of the cards are; of fewer than five, how good they are so far."""
    suits = [0, 0, 0, 0]
    once = twice = thrice = four = 0
    for card in cards:
        bit = 1 << _RANK[card]
        suits[_SUIT[card]] |= bit
        four |= thrice & bit
        thrice |= twice & bit
        twice |= once & bit
        once |= bit
    flush = next((mask for mask in suits if mask.bit_count() >= 5), 0)
    if flush and STRAIGHTS[flush] >= 0:
        return STRAIGHT_FLUSH, (STRAIGHTS[flush],)
    if four:
        rank = four.bit_length() - 1
        return FOUR, (rank, *_top(once ^ 1 << rank, 1))
    if thrice:
        rank = thrice.bit_length() - 1
        pair = twice ^ 1 << rank
        if pair:
            return FULL_HOUSE, (rank, pair.bit_length() - 1)
    if flush:
        return FLUSH, _top(flush, 5)
    if STRAIGHTS[once] >= 0:
        return STRAIGHT, (STRAIGHTS[once],)
    if thrice:
        rank = thrice.bit_length() - 1
        return THREE, (rank, *_top(once ^ 1 << rank, 2))
    pairs = _top(twice, 2)
    rest = once
    for rank in pairs:
        rest ^= 1 << rank
    if len(pairs) == 2:
        return TWO_PAIR, (*pairs, *_top(rest, 1))
    if pairs:
        return PAIR, (*pairs, *_top(rest, 3))
    return HIGH, _top(once, 5)


def describe(cards: Sequence[int]) -> str:
    """The same in words: `two pair, aces and tens`."""
    kind, ranks = strength(cards)
    first = RANKS[ranks[0]]
    match kind:
        case 8:
            return "a royal flush" if ranks[0] == ACE else f"a straight flush to the {first}"
        case 7:
            return f"four {plural(ranks[0])}"
        case 6:
            return f"a full house, {plural(ranks[0])} over {plural(ranks[1])}"
        case 5:
            return f"a flush, {first} high"
        case 4:
            return f"a straight to the {first}"
        case 3:
            return f"three {plural(ranks[0])}"
        case 2:
            return f"two pair, {plural(ranks[0])} and {plural(ranks[1])}"
        case 1:
            return f"a pair of {plural(ranks[0])}"
    return f"{first} high"


def plural(rank: int) -> str:
    """`sixes`, `aces`."""
    name = RANKS[rank]
    return f"{name}es" if name == "six" else f"{name}s"
