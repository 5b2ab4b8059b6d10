"""Which poker it is, and deals of private cards as text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ggtp.game.building.betting import Stakes
from ggtp.game.building.cards import Deck
from ggtp.game.model import HIDDEN, Move, Player

Cards: TypeAlias = tuple[int, ...]

NOBODY = "-"
"""What is dealt to a player who has no chips left."""
LISTED = 400
"""Outcomes of chance are listed where there are at most so many."""


@dataclass(frozen=True, slots=True)
class PokerGame:
    """Which poker it is."""

    players: tuple[Player, ...]
    deck: Deck
    private: int
    """How many cards everybody is dealt."""
    board: tuple[int, ...]
    """How many cards are put on the board before each round."""
    stakes: Stakes
    strength: Callable[[Cards, Cards], Any]
    """How good private cards are with those on the board: any value that can be compared."""
    describe: Callable[[Cards, Cards], str]
    """The same in words."""
    stack: int
    """What everybody has at first."""
    ante: int = 0
    blinds: tuple[int, int] = (0, 0)
    hands: int = 1
    whole: bool = False
    """Whether chips are not divided: of a pot that can't be shared, who is left of the button gets more."""

    def sorted(self, cards: Sequence[int]) -> Cards:
        """Cards as they are written: the highest first."""
        deck = self.deck
        return tuple(sorted(cards, key=lambda card: (deck.rank_of[card], deck.suit_of[card]), reverse=True))

    def deal_text(self, hands: Sequence[Cards], stacks: Sequence[Any]) -> Move:
        """The cards of everybody who has chips, in seating order; `hands` are theirs alone."""
        left = iter(hands)
        return " ".join(self.deck.text(next(left), "") if stack > 0 else NOBODY for stack in stacks)

    def read_deal(self, text: str, stacks: Sequence[Any]) -> list[Cards] | None:
        """Everybody's cards in a deal; None where it is none."""
        words = text.split()
        if len(words) != len(stacks):
            return None
        left = set(self.deck.cards)
        hands: list[Cards] = []
        for word, stack in zip(words, stacks, strict=True):
            cards = self.deck.read_all(word) if word != NOBODY else []
            if cards is None or not dealable(cards, self.private if stack > 0 else 0, left):
                return None
            left -= set(cards)
            hands.append(self.sorted(cards))
        return hands

    def fill(self, text: Move, later: Sequence[Move]) -> Move:
        """A whole deal that looks like the text to one player.

        Args:
            later: what chance did after it. Cards that are shown are where they are shown, and none is on the board.
        """
        words = text.split(" ")
        board: set[int] = set()
        for outcome in later:
            parts = outcome.split(" ")
            if HIDDEN in parts or (len(parts) == len(words) and NOBODY in parts):
                break  # the next deal
            if parts[0] in self.players:
                for name, cards in zip(parts[::2], parts[1::2], strict=True):
                    words[self.players.index(name)] = cards
                break
            board |= set(self.deck.read_all(outcome) or ())
        used = board.union(*(self.deck.read_all(word) or () for word in words if word not in (HIDDEN, NOBODY)))
        left = [card for card in self.deck.cards if card not in used]
        return " ".join(
            self.deck.text(self.sorted([left.pop() for _ in range(self.private)]), "") if word == HIDDEN else word
            for word in words
        )


def dealable(cards: Sequence[int], count: int, left: Collection[int]) -> bool:
    """Whether these can be dealt: so many, none twice, and all of them left."""
    return len(cards) == count == len(set(cards)) and all(card in left for card in cards)
