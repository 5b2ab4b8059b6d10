"""Decks, how cards are read and written, and deals of unknown cards."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest

from ggtp.game.building.cards import Deck, deal_unknown, rows

POKER = Deck("23456789TJQKA")
BRIDGE = Deck("23456789TJQKA", suit_first=True)


def test_every_card_is_there_once() -> None:
    assert POKER.size == 52
    assert len(set(POKER.names)) == 52
    assert POKER.names[0] == "2c"
    assert BRIDGE.names[51] == "SA"


@pytest.mark.parametrize("text", ["Th", "th", "10h", "HT", "h10", "10♥", "♥10", "♥T", "T♡", "10♥️"])
def test_cards_are_read_however_they_are_written(text: str) -> None:
    for deck in (POKER, BRIDGE):
        card = deck.read(text)
        assert card is not None
        assert deck.names[card] in ("Th", "HT")


@pytest.mark.parametrize("text", ["", "T", "1h", "ThTh", "xx", "🂡", "10", "é"])
def test_what_is_no_card_is_none(text: str) -> None:
    assert POKER.read(text) is None


def test_several_cards_are_read_with_and_without_blanks() -> None:
    wanted = [POKER.numbers["Ah"], POKER.numbers["Td"]]
    for text in ("AhTd", "Ah Td", "ah 10d", "A♥ 10♦", "A♥10♦"):
        assert POKER.read_all(text) == wanted
    assert POKER.read_all("Ah T") is None


def test_pictures_have_symbols_and_letters() -> None:
    grid = rows([("Ann", [POKER.cells[POKER.numbers["Td"]], POKER.cells[POKER.numbers["As"]]])])
    assert grid.row_labels == ("Ann",)
    assert [cell.text for cell in grid.rows[0]] == ["10♦", "A♠"]
    assert [cell.ascii for cell in grid.rows[0]] == ["Td", "As"]
    assert [cell.tone for cell in grid.rows[0]] == ["bad", "plain"]


def test_a_free_deal_gives_every_place_its_number() -> None:
    hands = deal_unknown(range(10), [3, 0, 5, 2], random.Random(1))
    assert hands is not None
    assert [len(hand) for hand in hands] == [3, 0, 5, 2]
    assert sorted(card for hand in hands for card in hand) == list(range(10))


def test_a_deal_that_cannot_be_is_none() -> None:
    assert deal_unknown(range(3), [1, 1], random.Random(1)) is None
    assert deal_unknown(range(4), [2, 2], random.Random(1), lambda place, card: place == 0 or card == 0) is None
    assert deal_unknown([7], [1, 0], random.Random(1), lambda place, card: False) is None


def test_every_allowed_deal_is_as_likely_as_any_other() -> None:
    """Six cards to places of three, two and one, of which some must not have some cards."""
    cards, sizes = list(range(6)), (3, 2, 1)

    def allowed(place: int, card: int) -> bool:
        return not (place == 0 and card >= 4) and not (place == 1 and card == 0)

    worlds = set()
    for first in combinations(cards, 3):
        for second in combinations([card for card in cards if card not in first], 2):
            third = tuple(card for card in cards if card not in first and card not in second)
            hands = (first, second, third)
            if all(allowed(place, card) for place, hand in enumerate(hands) for card in hand):
                worlds.add(hands)
    rng = random.Random(5)
    draws = 200 * len(worlds)
    found: Counter[tuple[tuple[int, ...], ...]] = Counter()
    for _ in range(draws):
        dealt = deal_unknown(cards, sizes, rng, allowed)
        assert dealt is not None
        found[tuple(tuple(sorted(hand)) for hand in dealt)] += 1
    assert set(found) == worlds
    # Of 200 expected each, with a standard deviation of 14.
    assert all(130 < count < 270 for count in found.values())
