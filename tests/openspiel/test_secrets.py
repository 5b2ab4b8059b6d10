"""Every game of OpenSpiel with secrets: what is imagined looks the same, and so does all that engines hear."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install ggtp[openspiel]")

from support.marks import slow_where
from support.playbook import catalogue
from support.spiel import at_home, specs
from support.worlds import compare, places

from ggtp.game import Observation, Player, Position, Rules, advice

HIDDEN = [name for name, spec in specs().items() if spec.traits.hidden]
NOTHING_ELSE = {"solitaire", "bargaining"}
"""Games in which there is nothing else to imagine: chance draws only what is seen, or one's share tells the rest."""
SLOW = {"battleship", "bridge", "crazy_eights", "cribbage", "dou_dizhu", "gin_rummy", "oh_hell"}
LONGEST = 100
PLACES = 3
TURNS = 2
AGAIN = 2


Place = tuple[Position, Mapping[Player, list[Observation]]]


def turns_of(rules: Rules, player: Player, rng: random.Random) -> list[Place]:
    """Some turns of a player in a game at random, from early ones to late ones."""
    found = [place for place in places(rules, rng, LONGEST) if player in place[0].turn().players]
    return [found[(number + 1) * (len(found) - 1) // PLACES] for number in range(PLACES if found else 0)]


def imagined(rules: Rules, player: Player, place: Place, rng: random.Random) -> Position:
    """Something that may be at a place, which must look the same."""
    position, seen = place
    other = advice.imagine(rules, player, {}, seen[player], rng)
    assert other is not None
    assert other.view(player) == position.view(player)
    assert other.moves(player) == position.moves(player)
    assert other.turn() == position.turn()
    return other


@pytest.mark.parametrize("name", slow_where(SLOW.__contains__, HIDDEN))
def test_what_a_player_can_not_know_changes_nothing_that_it_is_told(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    at_home(monkeypatch)
    rules, rng = catalogue().find_rules(f"openspiel/{name}"), random.Random(name)
    player = rng.choice(rules.players(rules.complete({})))
    # As an engine does: from one turn to a later one.
    for place in turns_of(rules, player, rng):
        other = imagined(rules, player, place, rng)
        compare(rules, place[0], other, player, rng, TURNS, to_the_end=False)


@pytest.mark.parametrize("name", slow_where(SLOW.__contains__, HIDDEN))
def test_something_else_is_imagined(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    at_home(monkeypatch)
    rules, rng = catalogue().find_rules(f"openspiel/{name}"), random.Random(name)
    players = list(rules.players(rules.complete({})))
    rng.shuffle(players)
    # Somebody may know everything.
    assert name in NOTHING_ELSE or any(
        imagined(rules, player, place, rng).key() != place[0].key()
        for player in players
        for place in turns_of(rules, player, rng)
        for _ in range(1 + AGAIN)
    )
