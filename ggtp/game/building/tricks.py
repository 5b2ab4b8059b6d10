"""Games of tricks: what follows suit, who wins a trick, who has shown to have none of a suit.

Hands are sets of cards as bits. What the cards mean is an `Order`; where the play stands is a
`Tricks`, which is all open: it knows no hands.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ggtp.game.building.boards import bits
from ggtp.game.building.cards import deal_unknown
from ggtp.game.building.replies import some_of


def mask_of(cards: Iterable[int]) -> int:
    """The cards as bits."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


@dataclass(frozen=True, slots=True)
class Order:
    """What cards mean in a game: to which suit each belongs, and how high it is in it."""

    suit_of: tuple[int, ...]
    """The suit that each card belongs to; trumps may be one of their own."""
    power: tuple[int, ...]
    """Higher is better, within a suit."""
    trump: int = -1
    """The suit that beats all others, or -1."""

    def followers(self, suit: int) -> int:
        """All cards of a suit, as bits."""
        return mask_of(card for card, other in enumerate(self.suit_of) if other == suit)

    def best(self, cards: Sequence[int]) -> int:
        """Which of the cards of a trick wins it, as its place among them."""
        suit = self.suit_of[cards[0]]
        best = 0
        for place, card in enumerate(cards):
            other = self.suit_of[card]
            if other != suit:
                if other != self.trump:
                    continue
                suit, best = other, place  # the first trump
            elif self.power[card] > self.power[cards[best]]:
                best = place
        return best


def why_not(name: str, held: bool, whose: str, listed: Sequence[str]) -> str:
    """What keeps a card from being played from somebody's hand: it is not there, or a suit has to be followed."""
    some = some_of(listed)
    return f"{whose} has to follow suit: {some}." if held else f"{whose} does not have {name}: there is {some}."


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick that was taken."""

    leader: int
    cards: tuple[int, ...]
    winner: int


@dataclass(frozen=True, slots=True)
class Tricks:
    """The tricks so far, and the cards on the table."""

    players: int
    leader: int
    table: tuple[int, ...] = ()
    done: tuple[Trick, ...] = ()
    voids: tuple[int, ...] = ()
    """For each player, which suits he has shown to have none of, a bit each."""

    def to_play(self) -> int:
        """Whose turn it is."""
        return (self.leader + len(self.table)) % self.players

    def legal(self, hand: int, order: Order, followers: Sequence[int]) -> int:
        """Which cards of a hand may be played; `followers` are all cards of each suit."""
        if not self.table:
            return hand
        return hand & followers[order.suit_of[self.table[0]]] or hand

    def after(self, card: int, order: Order) -> Tricks:
        """The play after the player at turn has put a card on the table."""
        table = (*self.table, card)
        voids = self.voids or (0,) * self.players
        if self.table:
            led = order.suit_of[self.table[0]]
            if order.suit_of[card] != led:
                player = self.to_play()
                voids = (*voids[:player], voids[player] | 1 << led, *voids[player + 1 :])
        if len(table) < self.players:
            return Tricks(self.players, self.leader, table, self.done, voids)
        winner = (self.leader + order.best(table)) % self.players
        return Tricks(self.players, winner, (), (*self.done, Trick(self.leader, table, winner)), voids)

    def played(self) -> Iterator[tuple[int, int]]:
        """Every card that was played, with who did."""
        for trick in self.done:
            for offset, card in enumerate(trick.cards):
                yield (trick.leader + offset) % self.players, card
        for offset, card in enumerate(self.table):
            yield (self.leader + offset) % self.players, card

    def played_by(self, player: int) -> int:
        """The cards that a player has played, as bits."""
        return mask_of(card for other, card in self.played() if other == player)


def redeal(
    hidden: int,
    sizes: Mapping[int, int],
    tricks: Tricks | None,
    order: Order | None,
    rng: random.Random,
) -> dict[int, int]:
    """Hidden cards dealt again at random, so that nobody has a suit that he has shown not to have.

    Args:
        hidden: the cards, as bits.
        sizes: how many each place gets: players by their number, and others that may have anything.
        tricks: the play, where one has begun.
        order: what the cards mean in it.

    Returns:
        The cards of each place.
    """
    places = list(sizes)
    voids = tricks.voids if tricks is not None else ()
    if order is None or not any(voids):
        dealt = deal_unknown(list(bits(hidden)), list(sizes.values()), rng)
    else:
        shown = [voids[place] if 0 <= place < len(voids) else 0 for place in places]
        suit_of = order.suit_of
        dealt = deal_unknown(
            list(bits(hidden)),
            list(sizes.values()),
            rng,
            lambda place, card: not shown[place] >> suit_of[card] & 1,
        )
    if dealt is None:
        raise ValueError("no deal explains what was played")
    return {place: mask_of(hand) for place, hand in zip(places, dealt, strict=True)}
