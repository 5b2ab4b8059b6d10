"""The pack of Uno: 108 cards, what they count, how they are written and drawn."""

from __future__ import annotations

import pytest
from ggtp.rules.uno.cards import (
    BY_NAME,
    CODES,
    DECK,
    NAMES,
    POINTS,
    SIZE,
    WILD,
    card_cell,
    codes,
    read_play,
    spellings,
)


def test_the_pack() -> None:
    assert SIZE == sum(DECK.values()) == 108
    assert DECK[BY_NAME["red 0"]] == 1
    assert DECK[BY_NAME["blue +2"]] == 2
    assert DECK[BY_NAME["wild +4"]] == 4
    assert len(set(NAMES)) == len(set(CODES)) == 54


def test_what_cards_count() -> None:
    worth = {name: POINTS[BY_NAME[name]] for name in ("red 0", "green 9", "blue skip", "red reverse", "red +2", "wild")}
    assert worth == {"red 0": 0, "green 9": 9, "blue skip": 20, "red reverse": 20, "red +2": 20, "wild": 50}


@pytest.mark.parametrize(
    ("move", "texts"),
    [
        ("red 5", ["red5", "r5"]),
        ("blue skip", ["blueskip", "bs", "bskip"]),
        ("green reverse", ["greenreverse", "gv", "gr"]),
        ("yellow +2", ["yellow+2", "y+2"]),
        ("wild green", ["wildgreen", "wg", "wgreen"]),
        ("wild +4 blue", ["wild+4blue", "wild4blue", "w4b", "w+4b"]),
        ("draw", ["draw", "d"]),
    ],
)
def test_how_people_write_moves(move: str, texts: list[str]) -> None:
    assert set(texts) <= spellings(move)


def test_no_two_cards_are_written_alike() -> None:
    plays = list(NAMES[:52]) + [f"{name} {colour}" for name in NAMES[52:] for colour in ("red", "blue")]
    found = [text for move in plays for text in spellings(move)]
    assert len(found) == len(set(found))


def test_plays_are_read() -> None:
    assert read_play("blue 5") == (BY_NAME["blue 5"], 3)
    assert read_play("wild +4 green") == (BY_NAME["wild +4"], 2)


def test_cards_are_drawn() -> None:
    assert codes([BY_NAME["red 5"], BY_NAME["blue +2"], BY_NAME["wild"]]) == "R5.B+2.W"
    cell = card_cell(BY_NAME["green reverse"])
    assert (cell.text, cell.ascii, cell.tone) == ("G⇄", "Grev", "third")
    assert card_cell(BY_NAME["wild +4"]).text == "W+4"


def test_a_card_can_be_typed_as_it_is_drawn() -> None:
    for card, name in enumerate(NAMES[:WILD]):
        assert card_cell(card).ascii.casefold() in spellings(name)
