"""What all games of poker have in common: deals, the show of cards, several hands."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from ggtp.errors import IllegalMove, MoveError
from ggtp.game import CHANCE, OpenMoves, Player, TurnKind
from ggtp.game.building.betting import Stakes
from ggtp.game.building.cards import Deck
from ggtp.game.building.poker import PokerPosition, PokerRules
from ggtp.game.building.poker_variant import Cards, PokerGame
from ggtp.game.checks.contract import check_rules
from ggtp.game.model import Traits
from ggtp.game.options import number

DECK = Deck("6789TJQKA", "HS")


def strength(private: Cards, board: Cards) -> int:
    return max(DECK.rank_of[card] for card in private)


def describe(private: Cards, board: Cards) -> str:
    return f"high {DECK.ranks[strength(private, board)]}"


class TwoCards(PokerRules):
    """Two cards each, one round with blinds, one card on the board that counts for nothing, and another round."""

    name = "TwoCards"
    title = "two cards each"
    traits = Traits(2, 4, chance=True, hidden=True)
    own_options = (
        number("players", 3, 2, 4, "how many"),
        number("hands", 2, 1, 9, "hands"),
        number("stack", 20, 1, 99, "chips"),
    )

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return ("Ann", "Bob", "Cid", "Dee")[: int(options["players"])]

    def game(self, options: Mapping[str, str]) -> PokerGame:
        stakes = Stakes("no-limit", (2, 2))
        hands, stack = int(options["hands"]), int(options["stack"])
        return PokerGame(
            self.players(options), DECK, 2, (0, 1), stakes, strength, describe,
            stack=stack, blinds=(1, 2), hands=hands, whole=True,
        )  # fmt: skip


rules = TwoCards()


def after(*moves: str, **values: str) -> PokerPosition:
    position = rules.start(values)
    for move in moves:
        position = position.play({position.turn().players[0]: move}).position
    assert isinstance(position, PokerPosition)
    return position


DEAL = "AhKh QhJh Ts9s"


def test_the_contract() -> None:
    assert check_rules(rules, rng=random.Random(1), games=8) == []


def test_deals_that_cannot_be_are_refused() -> None:
    for deal in ("AhKh QhJh AhKs", "AhKh QhJh", "AhKh QhJh Ts", "KhAh QhJh Ts9s", "AhKh QhJh -"):
        with pytest.raises(IllegalMove):
            after(deal)
    assert after().parse(CHANCE, "khah jhqh 10s 9s".replace("10s 9s", "10s9s")) == DEAL


def test_the_board_has_no_card_twice() -> None:
    position = after(DEAL, "call", "call", "check")
    assert position.turn().kind is TurnKind.CHANCE
    with pytest.raises(MoveError):
        position.parse(CHANCE, "Ah")
    assert len(position.moves(CHANCE)) == 12


def test_many_amounts_are_open_moves() -> None:
    moves = after(DEAL).moves("Ann")
    assert isinstance(moves, OpenMoves)
    assert list(moves) == ["fold", "call", "raise 4", "raise 7", "raise 20"]
    assert moves.patterns == ("raise 4..20",)
    assert after(DEAL).parse("Ann", "raise to 13") == "raise 13"
    assert after(DEAL).parse("Ann", "all in") == "raise 20"
    with pytest.raises(IllegalMove, match=r"4\.\.20"):
        after(DEAL).parse("Ann", "raise 3")
    for move in ("raise 3", "raise 21", "raise 04", "raise", "bet 4", "check", "raise 4 4"):
        with pytest.raises(IllegalMove):
            after(DEAL).play({"Ann": move})


def test_the_next_hand_has_the_next_button_and_the_stacks_that_were_won() -> None:
    position = after(DEAL, "raise 6", "fold", "fold")
    assert position.view(None) == "hand 2 of 2; button Bob; Ann 23; Bob 19; Cid 18; the cards are to be dealt"
    # Bob has the button, so Cid and Ann the blinds.
    assert position.play({CHANCE: DEAL}).position.turn().players == ("Bob",)


def test_who_has_no_chips_is_dealt_no_cards() -> None:
    position = after(DEAL, "raise 20", "call", "call", "8h", "Ann AhKh Bob QhJh Cid Ts9s", hands="3")
    assert position.turn().kind is TurnKind.OVER  # Ann has them all
    position = after(DEAL, "raise 20", "call", "fold", "8h", "Ann AhKh Bob QhJh", hands="3")
    assert position.play({CHANCE: "AhKh - 7s6s"}).position.view("Cid").endswith("7s6s; Cid to act, 1 to call")


def test_cards_that_are_shown_are_imagined_as_they_were() -> None:
    told = [(CHANCE, "? QhJh ?"), ("Ann", "call"), ("Bob", "call"), ("Cid", "check"), (CHANCE, "8h")]
    told += [("Bob", "check"), ("Cid", "check"), ("Ann", "check"), (CHANCE, "Ann AhKh Bob QhJh Cid Ts9s")]
    told += [(CHANCE, "? KsKh ?")]
    first = rules.start()
    assert isinstance(first, PokerPosition)
    position = first.follow(told)
    assert position.view("Bob") == (
        "hand 2 of 2; button Bob; Ann 22 paid 2 ????; Bob 18 paid 0 KsKh; Cid 17 paid 1 ????; Bob to act, 2 to call"
    )


def test_the_umpire_says_who_takes_what() -> None:
    position = after(DEAL, "call", "call", "check", "8h", "check", "check", "check")
    (show,) = position.moves(CHANCE)
    assert [words.text for words in position.play({CHANCE: show}).announcements] == ["Ann takes 6 with high A."]
