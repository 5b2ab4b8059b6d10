"""KuhnPoker: Harold Kuhn's poker of three cards and one bet, and the same for more players."""

from __future__ import annotations

from collections.abc import Mapping

from ggtp.game import Player, Traits, number
from ggtp.game.building.betting import Stakes
from ggtp.game.building.cards import PEOPLE, Deck
from ggtp.game.building.poker import PokerRules
from ggtp.game.building.poker_variant import Cards, PokerGame

RANKS = "3456789TJQK"
NAMES = dict(zip("TJQK", ("ten", "jack", "queen", "king"), strict=True))


class KuhnPoker(PokerRules):
    """Two players, `Ann` and `Bob`, with a card each; moves are `check`, `bet`, `call` and `fold`."""

    name = "KuhnPoker"
    title = "poker with one card each and one bet"
    traits = Traits(min_players=2, max_players=10, chance=True, hidden=True)
    own_options = (number("players", 2, 2, 10, "how many play; the deck has one card more"),)

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PEOPLE[: int(options["players"])]

    def game(self, options: Mapping[str, str]) -> PokerGame:
        players = self.players(options)
        deck = Deck(RANKS[-len(players) - 1 :], "S")

        def strength(private: Cards, board: Cards) -> int:
            return private[0]

        def describe(private: Cards, board: Cards) -> str:
            rank = deck.ranks[private[0]]
            return f"the {NAMES.get(rank, rank)}"

        stakes = Stakes("limit", (1,), cap=1)
        return PokerGame(players, deck, 1, (0,), stakes, strength, describe, stack=2, ante=1)


RULES = KuhnPoker()
