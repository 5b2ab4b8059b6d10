"""What a player can't know changes no byte that its engine receives, in any rule that there is.

From a position of a game at random another one is drawn that is the same to one player. The real referee plays on from
both, with an engine in that player's seat that writes down what it hears; others do what looks alike to it. As long as
the player is told the same, everything that the engine gets, and every answer about that player, must be the same.
"""

from __future__ import annotations

import random

import pytest
from support.playbook import catalogue
from support.worlds import World, compare, places

from ggtp.game import CHANCE, Observation, Player, Position, Rules
from ggtp.game.observing import ahead_of
from ggtp.game.sampling import imagine

OF_OPENSPIEL = frozenset(
    f"openspiel/{name}"
    for name in ("bargaining", "dark_hex", "kuhn_poker", "latent_ttt", "leduc_poker", "liars_dice", "phantom_ttt")
)
"""Some of those that are looked at one by one where the adapter is tested."""
RULES = sorted(
    entry.name
    for entry in catalogue().list_rules()
    if entry.usable and (not entry.name.startswith("openspiel/") or entry.name in OF_OPENSPIEL)
)
PLACES = 6
"""From how many positions of a game two plays go on."""
LONGEST = 400


def alike(
    rules: Rules, position: Position, player: Player, seen: list[Observation], rng: random.Random
) -> Position | None:
    """Another position that is the same to the player."""
    other = position.determinize(player, rng)
    return other if other is not None else imagine(rules, player, {}, seen, rng)


@pytest.mark.parametrize("name", RULES)
def test_what_a_player_can_not_know_changes_no_byte_that_its_engine_receives(name: str) -> None:
    rules = catalogue().find_rules(name)
    if not rules.traits.hidden:
        return  # there is nothing that a player can't know
    rng = random.Random(name)
    compared = others = 0
    found = places(rules, rng, LONGEST)
    for position, seen in rng.sample(found, min(PLACES, len(found))):
        player = rng.choice(list(seen))
        other = alike(rules, position, player, seen[player], rng)
        if other is None or other.turn() != position.turn():
            continue
        others += other.key() != position.key()
        compared += compare(rules, position, other, player, rng)
    assert compared > 0
    assert others > 0


def test_a_rule_that_tells_too_much_is_found_out() -> None:
    rules = catalogue().find_rules("PhantomTicTacToe")
    position = rules.start().play({"Cross": "A1"}).position.play({"Circle": "B2"}).position
    other = rules.start().play({"Cross": "A1"}).position.play({"Circle": "C3"}).position
    assert World(rules, position, "Cross").knowledge() == World(rules, other, "Cross").knowledge()
    assert World(rules, position, "Circle").knowledge() != World(rules, other, "Circle").knowledge()
    assert CHANCE not in position.turn().players
    assert list(ahead_of(position.turn(), [], 0)) == []
