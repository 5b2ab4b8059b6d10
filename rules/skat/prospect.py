"""What a game of Skat promises, at a glance at the declarer's cards.

The weights were fitted by logistic regression to games of 40,000 deals: a suit game of each, and grand and null of
those whose cards were not hopeless for that. The declarer put cards away much as `kept` does, and all played the cards
of `skat_play`. What is expected is compared with what comes about in a test.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import exp

from ggtp.game.building.boards import bits

from .contract import (
    BASE,
    DECK,
    GRAND,
    HAND_SIZE,
    NULL,
    NULL_VALUES,
    POINTS,
    TRUMP,
    matadors,
    order_of,
)

ACES, TENS = (tuple(DECK.numbers[f"{suit}{rank}"] for suit in DECK.suits) for rank in "AT")
BLACK_AND_RED = tuple(DECK.numbers[f"{suit}J"] for suit in "CSHD")

SUIT_WEIGHTS = (-13.53, 1.56, (1.06, 1.03, 0.86, 0.67), 1.82, 0.75, 0.87, 0.91, 0.054, 1.07)
GRAND_WEIGHTS = (-10.52, 1.92, (0.85, 0.45, 0.29, 0.33), 1.99, 1.01, 1.39, 0.64, 0.099, 0.0)
"""To begin with; then for each trump, each jack, ace, ten with its ace, other ten, suit that is missing, point in the
skat, and the ten and the ace of trumps."""
NULL_WEIGHTS = (2.21, -0.75, -0.77, -0.5, -0.28)
"""To begin with; then for how much the worst suit has in it that may win a trick, the second, and so on."""
FEW = 3
"""How many kinds of game a declarer thinks about."""


def _exposed(powers: list[int]) -> int:
    """How high a suit's cards stand above those that always find a higher one, in null; ascending ones are given."""
    return max((power - 2 * index for index, power in enumerate(powers)), default=0)


def kept(cards: int, kind: int, count: int = HAND_SIZE) -> int:
    """The cards that the declarer keeps of more: trumps, aces with their tens, and no short suit."""
    order, followers = order_of(kind)
    while cards.bit_count() > count:
        worst, least = -1, (0.0, 0.0)
        for suit in range(len(followers)):
            held = sorted(bits(cards & followers[suit]), key=order.power.__getitem__)
            guarded = kind == NULL or suit == TRUMP or cards >> ACES[suit] & 1
            for index, card in enumerate(held):
                if kind == NULL:
                    score = (float(order.power[card] - 2 * index), float(order.power[card]))
                elif suit == TRUMP or card == ACES[suit] or (card == TENS[suit] and guarded):
                    score = (-100.0 - 10 * (suit == TRUMP), -float(order.power[card]))
                else:
                    score = (-float(len(held)), float(POINTS[card]))
                if worst < 0 or score > least:
                    worst, least = card, score
        cards &= ~(1 << worst)
    return cards


def spared(cards: int, kind: int) -> int:
    """Four cards of which a declarer would put away two."""
    return cards & ~kept(cards, kind, HAND_SIZE - 2)


@lru_cache(maxsize=1 << 14)
def chance(cards: int, skat: int, kind: int) -> float:
    """How likely a game is won with ten cards and what was put away, as good as players are in playouts."""
    order, followers = order_of(kind)
    if kind == NULL:
        suits = [sorted(order.power[card] for card in bits(cards & followers[suit])) for suit in range(TRUMP)]
        exposed = sorted((_exposed(powers) for powers in suits), reverse=True)
        total = NULL_WEIGHTS[0] + sum(weight * one for weight, one in zip(NULL_WEIGHTS[1:], exposed, strict=True))
        return 1 / (1 + exp(-total))
    begin, trump, jacks, ace, guarded, loose, missing, point, full = GRAND_WEIGHTS if kind == GRAND else SUIT_WEIGHTS
    total = begin + trump * (cards & followers[TRUMP]).bit_count()
    total += sum(weight for weight, card in zip(jacks, BLACK_AND_RED, strict=True) if cards >> card & 1)
    for suit in range(TRUMP):
        has_ace, has_ten = cards >> ACES[suit] & 1, cards >> TENS[suit] & 1
        if suit == kind:
            total += full * (has_ace + has_ten)
        elif not cards & followers[suit]:
            total += missing
        else:
            total += ace * has_ace + (guarded if has_ace else loose) * has_ten
    total += point * sum(POINTS[card] for card in bits(skat))
    return 1 / (1 + exp(-total))


@dataclass(frozen=True, slots=True)
class Prospect:
    """A game that could be played: how likely it is won, and its value."""

    chance: float
    value: int

    def score(self, bonus: int = 0) -> float:
        """What it brings on the whole: the value, or twice of it lost; a bonus counts as much either way."""
        return self.chance * (self.value + bonus) - (1 - self.chance) * (2 * self.value + bonus)


@lru_cache(maxsize=1 << 14)
def prospects(cards: int, skat: int, bid: int) -> tuple[Prospect, ...]:
    """Every game that can be played for a bid.

    Args:
        cards: the declarer's; twelve before two of them were put away.
        skat: what was put away; 0 where nothing was.
        bid: a game that is worth less is lost, and null can't be played then.
    """
    found = []
    for kind in range(NULL + 1):
        ten = kept(cards, kind)
        won = chance(ten, skat | cards & ~ten, kind)
        value = NULL_VALUES[False, False] if kind == NULL else BASE[kind] * (matadors(cards | skat, kind) + 1)
        if value >= bid:
            found.append(Prospect(won, value))
        elif kind != NULL:
            found.append(Prospect(0.0, BASE[kind] * -(-bid // BASE[kind])))
    return tuple(found)


def promising(cards: int, skat: int, least: float = 0.0) -> list[int]:
    """A few kinds of game that are likely won, by what the declarer has and has put away: the likeliest first."""
    found = []
    for kind in range(NULL + 1):
        ten = kept(cards, kind)
        found.append((chance(ten, skat | cards & ~ten, kind), -kind))
    return [-kind for won, kind in sorted(found, reverse=True)[:FEW] if won >= least]
