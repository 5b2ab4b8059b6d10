"""A card that a Skat player would play without much thought, from what that player knows.

Playouts play so: a declarer who draws trumps and defenders who give their points to each other tell more of a game
than cards at random do.
"""

from __future__ import annotations

from collections.abc import Sequence

from ggtp.game.building.boards import bits
from ggtp.game.building.tricks import Order, Tricks

from .contract import ALL, DECK, NULL, POINTS, TRUMP, order_of

WORTH_A_TRUMP = 3
"""How many points must lie on the table before a trump is spent on them."""


def sensible(kind: int, declarer: int, hand: int, legal: int, tricks: Tricks) -> int:
    """The card to play, of those that are legal, for the player at turn."""
    if not legal & (legal - 1):
        return legal.bit_length() - 1
    order, followers = order_of(kind)
    out = ALL & ~hand
    for trick in tricks.done:
        for card in trick.cards:
            out &= ~(1 << card)
    for card in tricks.table:
        out &= ~(1 << card)
    cards = list(bits(legal))
    declares = tricks.to_play() == declarer
    if kind == NULL:
        return _null(cards, declares, declarer, tricks, order, out & ~legal)
    if not tricks.table:
        return _declarers_lead(cards, order, followers, out) if declares else _defenders_lead(cards, order, out)
    return _follow(cards, declares, declarer, tricks, order, followers, out)


def _low(cards: Sequence[int], order: Order) -> int:
    """The card that is missed least: few points, no trump, low."""
    return min(cards, key=lambda card: (POINTS[card] + 3 * (order.suit_of[card] == TRUMP), order.power[card]))


def _is_top(card: int, order: Order, followers: Sequence[int], out: int) -> bool:
    """Whether no card of the same suit that is still out is higher."""
    above = out & followers[order.suit_of[card]]
    return all(order.power[other] < order.power[card] for other in bits(above))


def _declarers_lead(cards: Sequence[int], order: Order, followers: Sequence[int], out: int) -> int:
    """Trumps while the others have some, then what wins, then what costs little."""
    trumps = [card for card in cards if order.suit_of[card] == TRUMP]
    theirs = (out & followers[TRUMP]).bit_count()
    if trumps and theirs:
        best = max(trumps, key=lambda card: order.power[card])
        if _is_top(best, order, followers, out):
            return best
        if len(trumps) >= theirs:
            return min(trumps, key=lambda card: (POINTS[card], order.power[card]))
    tops = [card for card in cards if order.suit_of[card] != TRUMP and _is_top(card, order, followers, out)]
    if tops:
        return max(tops, key=lambda card: POINTS[card])
    return _low(cards, order)


def _defenders_lead(cards: Sequence[int], order: Order, out: int) -> int:
    """A suit that the declarer may have to follow with points to be beaten: the ace of a short one, or low."""
    sides = [card for card in cards if order.suit_of[card] != TRUMP]
    if not sides:
        return _low(cards, order)
    lengths = [0] * (TRUMP + 1)
    for card in sides:
        lengths[order.suit_of[card]] += 1
    aces = [card for card in sides if DECK.ranks[DECK.rank_of[card]] == "A"]
    if aces:
        return min(aces, key=lambda card: lengths[order.suit_of[card]])
    return min(sides, key=lambda card: (POINTS[card], -lengths[order.suit_of[card]]))


def _follow(
    cards: Sequence[int],
    declares: bool,
    declarer: int,
    tricks: Tricks,
    order: Order,
    followers: Sequence[int],
    out: int,
) -> int:
    table = tricks.table
    place = order.best(table)
    best, last = table[place], len(table) == tricks.players - 1
    if not declares and (tricks.leader + place) % tricks.players != declarer:
        # A partner has it: give points to what is safe.
        if last or _is_top(best, order, followers, out):
            return max(cards, key=lambda card: (order.suit_of[card] != TRUMP, POINTS[card], -order.power[card]))
        return _low(cards, order)
    winning = [card for card in cards if order.best((best, card))]
    if not winning:
        return _low(cards, order)
    lying = sum(POINTS[card] for card in table)
    plain = [card for card in winning if order.suit_of[card] != TRUMP]
    if plain:
        if not last:
            plain = [card for card in plain if _is_top(card, order, followers, out)]
        return max(plain, key=lambda card: POINTS[card]) if plain else _low(cards, order)
    if lying < WORTH_A_TRUMP and order.suit_of[table[0]] != TRUMP and len(winning) < len(cards):
        return _low(cards, order)
    if last:
        # The ten and the ace of trumps are safe now, and count; jacks are kept.
        return max(winning, key=lambda card: (POINTS[card], -order.power[card]))
    tops = [card for card in winning if _is_top(card, order, followers, out)]
    return min(tops or winning, key=lambda card: order.power[card])


def _null(cards: Sequence[int], declares: bool, declarer: int, tricks: Tricks, order: Order, out: int) -> int:
    """In null the declarer stays below; the others stay below the declarer and keep what is low."""
    table, power = tricks.table, order.power
    if not table:
        return min(cards, key=lambda card: power[card])
    led = order.suit_of[table[0]]
    if order.suit_of[cards[0]] != led:
        return max(cards, key=lambda card: power[card])
    high = max(power[card] for card in table if order.suit_of[card] == led)
    below = [card for card in cards if power[card] < high]
    if declares:
        return max(below, key=lambda card: power[card]) if below else min(cards, key=lambda card: power[card])
    place = order.best(table)
    theirs = (tricks.leader + place) % tricks.players == declarer
    if theirs:
        return max(below, key=lambda card: power[card]) if below else max(cards, key=lambda card: power[card])
    played = len(table) == 2 or tricks.leader == declarer
    return max(cards, key=lambda card: power[card]) if played else min(cards, key=lambda card: power[card])
