"""LeducPoker: two suits of three ranks, one private card and one on the board, two rounds of betting."""

from __future__ import annotations

from collections.abc import Mapping

from ggtp.game import Player, Traits, number
from ggtp.game.building.betting import Stakes
from ggtp.game.building.cards import PEOPLE, Deck
from ggtp.game.building.poker import PokerRules
from ggtp.game.building.poker_variant import Cards, PokerGame

RANKS = "3456789TJQK"
NAMES = dict(zip("TJQK", ("ten", "jack", "queen", "king"), strict=True))


class LeducPoker(PokerRules):
    """Players `Ann` and `Bob` with a card each; moves are `check`, `bet`, `call`, `raise` and `fold`."""

    name = "LeducPoker"
    title = "poker with one card each, one on the board and two rounds"
    traits = Traits(min_players=2, max_players=10, chance=True, hidden=True)
    own_options = (number("players", 2, 2, 10, "how many play; each suit has one card more"),)

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PEOPLE[: int(options["players"])]

    def game(self, options: Mapping[str, str]) -> PokerGame:
        players = self.players(options)
        deck = Deck(RANKS[-len(players) - 1 :], "HS")

        def strength(private: Cards, board: Cards) -> tuple[bool, int]:
            rank = deck.rank_of[private[0]]
            return any(deck.rank_of[card] == rank for card in board), rank

        def describe(private: Cards, board: Cards) -> str:
            paired, rank = strength(private, board)
            name = NAMES.get(deck.ranks[rank], deck.ranks[rank])
            return f"a pair of {name}s" if paired else f"a {name}"

        # One ante, and in each round a bet and a raise: of 2 each, then of 4.
        stakes = Stakes("limit", (2, 4), cap=2)
        return PokerGame(players, deck, 1, (0, 1), stakes, strength, describe, stack=13, ante=1)


RULES = LeducPoker()
