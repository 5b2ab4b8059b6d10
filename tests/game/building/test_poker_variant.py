"""Deals of private cards: written, read, and made whole from what one player saw."""

from __future__ import annotations

import pytest

from ggtp.game.building.betting import Stakes
from ggtp.game.building.cards import Deck
from ggtp.game.building.poker_variant import Cards, PokerGame, dealable

DECK = Deck("6789TJQKA", "HS")


def strength(private: Cards, board: Cards) -> int:
    return max(DECK.rank_of[card] for card in private)


GAME = PokerGame(
    ("Ann", "Bob", "Cid"), DECK, 2, (0, 1), Stakes("no-limit", (2, 2)), strength, lambda private, board: "", stack=20
)


def cards(text: str) -> Cards:
    found = DECK.read_all(text)
    assert found is not None
    return tuple(found)


def test_cards_are_written_from_the_highest() -> None:
    assert GAME.sorted(cards("6h As Ah")) == cards("As Ah 6h")


def test_who_has_no_chips_is_dealt_nothing() -> None:
    text = GAME.deal_text([cards("AhKh"), cards("Ts9s")], (20, 0, 40))
    assert text == "AhKh - Ts9s"
    assert GAME.read_deal(text, (20, 0, 40)) == [cards("AhKh"), (), cards("Ts9s")]
    assert GAME.read_deal(text, (20, 20, 40)) is None


@pytest.mark.parametrize("text", ["", "AhKh QhJh", "AhKh QhJh AhKs", "AhKh QhJh Ts", "AhKh QhJh T", "AhKh ? Ts9s"])
def test_what_is_no_deal(text: str) -> None:
    assert GAME.read_deal(text, (20, 20, 20)) is None


def test_what_can_be_dealt() -> None:
    assert dealable([1, 2], 2, {1, 2, 3})
    assert not dealable([1, 1], 2, {1, 2, 3})
    assert not dealable([1, 4], 2, {1, 2, 3})
    assert not dealable([1], 2, {1, 2, 3})


def test_a_deal_is_made_whole() -> None:
    """What is shown later was dealt, what is on the board was not, and the next deal is another."""
    later = ["8h", "Bob QhJh Cid Ts9s", "? ? AhAs"]
    assert GAME.fill("AhKh ? ?", later) == "AhKh QhJh Ts9s"
    whole = GAME.fill("AhKh ? -", ["8h", "? As6s -"])
    assert whole.startswith("AhKh ")
    assert whole.endswith(" -")
    assert "8h" not in whole
    assert GAME.read_deal(whole, (20, 20, 0)) is not None
