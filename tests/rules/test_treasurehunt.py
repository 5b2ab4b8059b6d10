"""TreasureHunt: who knows what, who has found what, and who may talk."""

from __future__ import annotations

import random

import pytest
from support.playbook import catalogue

from ggtp.errors import IllegalMove
from ggtp.game import CHANCE, Position, Rules, Seen, Standing, TurnKind, advice

PLAYERS = ("North", "East", "South", "West")


@pytest.fixture(name="rules")
def find_rules() -> Rules:
    return catalogue().find_rules("TreasureHunt")


def hidden(rules: Rules, north_south: str = "B1", east_west: str = "C5") -> Position:
    position = rules.start()
    for cell in (north_south, east_west):
        position = position.play({CHANCE: cell}).position
    return position


def dig(position: Position, *cells: str) -> Position:
    for cell in cells:
        (player,) = position.turn().players
        position = position.play({player: cell}).position
    return position


def test_each_partner_knows_half_and_the_others_nothing(rules: Rules) -> None:
    start = rules.start()
    assert start.turn().kind is TurnKind.CHANCE
    assert [start.seen(CHANCE, "B1", player) for player in PLAYERS] == ["B?", "?", "?1", "?"]
    second = start.play({CHANCE: "B1"}).position
    assert [second.seen(CHANCE, "C5", player) for player in PLAYERS] == ["?", "C?", "?", "?5"]
    position = hidden(rules)
    assert [position.view(player).split(";")[0] for player in PLAYERS] == ["column B", "column C", "row 1", "row 5"]
    assert position.view(None).startswith("B1 C5;")


def test_they_dig_in_turn_and_not_twice_at_a_place(rules: Rules) -> None:
    position = dig(hidden(rules), "A1", "A1")
    assert position.turn().players == ("South",)
    assert "A1" not in position.moves("South")
    assert len(position.moves("South")) == 24
    with pytest.raises(IllegalMove):
        position.play({"South": "A1"})


def test_all_dig_as_often_before_it_is_decided(rules: Rules) -> None:
    found = dig(hidden(rules), "B1")
    assert found.result() is None
    over = dig(found, "A2", "A3", "A4")
    result = over.result()
    assert result is not None
    assert [result.standings[player] for player in PLAYERS] == [Standing.WIN, Standing.LOSS] * 2
    assert (result.scores["South"], result.reason) == (100, "North and South have found their treasure")
    both = dig(found, "C5", "A3", "A4").result()
    assert both is not None
    assert set(both.standings.values()) == {Standing.DRAW}


def test_what_is_found_everybody_is_told(rules: Rules) -> None:
    position = hidden(rules)
    assert [position.seen("North", "B1", player) for player in PLAYERS] == ["B1 found"] * 4
    assert [position.seen("North", "C5", player) for player in PLAYERS] == ["C5"] * 4  # another side's treasure


def test_what_is_imagined_fits_what_was_seen(rules: Rules) -> None:
    rng = random.Random(1)
    seen = [Seen(CHANCE, "B?"), Seen(CHANCE, "?"), Seen("North", "B2"), Seen("East", "C5 found"), Seen("South", "A1")]
    for _ in range(50):
        position = advice.imagine(rules, "North", {}, seen, rng)
        assert position is not None
        own, other = position.view(None).split(";")[0].split()
        assert own[0] == "B"
        assert own != "B2"
        assert other == "C5"
        assert position.turn().players == ("West",)
    assert advice.imagine(rules, "North", {}, [Seen(CHANCE, "Z?")], rng) is None


def test_partners_may_talk_as_the_option_says(rules: Rules) -> None:
    talk = rules.talk(rules.complete({}))
    assert talk is not None
    assert talk.partners("North") == ("South",)
    assert [talk.hears(player, "North", "South") for player in PLAYERS] == [True, False, True, False]
    public = rules.talk(rules.complete({"talk": "public"}))
    assert public is not None
    assert all(public.hears(player, "North", "South") for player in PLAYERS)
    assert rules.talk(rules.complete({"talk": "off"})) is None


def test_a_board_has_the_size_that_is_set(rules: Rules) -> None:
    assert len(rules.start({"size": "3"}).moves(CHANCE)) == 9
    assert len(rules.start({"size": "9"}).moves(CHANCE)) == 81


def test_the_picture_shows_who_dug_where(rules: Rules) -> None:
    lines = dig(hidden(rules), "B1", "A1", "A1", "E5").picture("North").plain()
    assert lines[1].split() == ["5", ".", ".", ".", ".", "e"]
    assert lines[5].split() == ["1", "+", "*", ".", ".", "."]
    assert lines[6] == "known: column B"


@pytest.mark.parametrize("size", ["3", "4"])
def test_who_finds_it_last_of_all_has_found_it(size: str) -> None:
    """An odd number of cells leaves the second half of the last round with nothing to dig."""
    position = catalogue().find_rules("TreasureHunt").start({"size": size})
    cells = list(position.moves(CHANCE))
    for _ in range(2):
        position = position.play({CHANCE: cells[-1]}).position
    for cell in cells:
        position = dig(position, cell, cell)
    assert position.turn().kind is TurnKind.OVER
    result = position.result()
    assert result is not None
    assert set(result.standings.values()) == {Standing.DRAW}
