"""TexasHoldem: two private cards, five on the board, four rounds; no-limit, pot-limit and limit."""

from __future__ import annotations

from collections.abc import Mapping

from ggtp.game import Option, Player, Traits, number
from ggtp.game.building.betting import Kind, Stakes
from ggtp.game.building.cards import PEOPLE
from ggtp.game.building.poker import PokerRules
from ggtp.game.building.poker_variant import Cards, PokerGame

from .hands import DECK, Strength, describe, strength

BOARD = (0, 3, 1, 1)
CAP = 4
"""In a limit game: how many bets a round has, the big blind included."""
KINDS: dict[str, Kind] = {"no-limit": "no-limit", "pot-limit": "pot-limit", "limit": "limit"}


def _strength(private: Cards, board: Cards) -> Strength:
    return strength((*private, *board))


def _describe(private: Cards, board: Cards) -> str:
    return describe((*private, *board))


class TexasHoldem(PokerRules):
    """Two to ten players; moves are `fold`, `check`, `call`, `bet 40`, and `raise 120` for raising to 120."""

    name = "TexasHoldem"
    title = "Texas hold'em poker, with side pots"
    traits = Traits(min_players=2, max_players=10, chance=True, hidden=True)
    own_options = (
        number("players", 2, 2, 10, "how many play"),
        Option("betting", "no-limit", "how much may be bet", choices=tuple(KINDS)),
        number("stack", 200, 1, 1_000_000, "chips that everybody has at first"),
        number("big_blind", 2, 2, 10_000, "the big blind; the small one is half of it"),
        number("ante", 0, 0, 1000, "what everybody pays before the deal"),
        number("hands", 1, 1, 30, "how many hands are played, as long as two have chips"),
    )

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PEOPLE[: int(options["players"])]

    def game(self, options: Mapping[str, str]) -> PokerGame:
        kind, big = KINDS[options["betting"]], int(options["big_blind"])
        limit = kind == "limit"
        sizes = (big, big, 2 * big, 2 * big) if limit else (big,) * len(BOARD)
        return PokerGame(
            self.players(options),
            DECK,
            2,
            BOARD,
            Stakes(kind, sizes, CAP if limit else 0),
            _strength,
            _describe,
            stack=int(options["stack"]),
            ante=int(options["ante"]),
            blinds=(big // 2, big),
            hands=int(options["hands"]),
            whole=True,
        )


RULES = TexasHoldem()
