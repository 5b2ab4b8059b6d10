"""Every game of OpenSpiel with secrets: what is imagined looks the same, and so does all that engines hear."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install ggtp[openspiel]")

from support.playbook import catalogue
from support.spiel import at_home, specs
from support.worlds import compare, places

from ggtp.game import Player, Rules

HIDDEN = [name for name, spec in specs().items() if spec.traits.hidden]
NOTHING_ELSE = {"solitaire", "bargaining"}
"""Games in which there is nothing else to imagine: chance draws only what is seen, or one's share tells the rest."""
LONGEST = 100
PLACES = 3
TURNS = 2
AGAIN = 2


def others(rules: Rules, player: Player, rng: random.Random) -> int:
    """At how many places of a game at random something else was imagined, which must look the same."""
    found = [place for place in places(rules, rng, LONGEST) if player in place[0].turn().players]
    count = 0
    for number in range(PLACES if found else 0):
        # As an engine does: from one turn to a later one.
        position, seen = found[(number + 1) * (len(found) - 1) // PLACES]
        other = rules.imagine(player, {}, seen[player], rng)
        assert other is not None
        assert other.view(player) == position.view(player)
        assert other.moves(player) == position.moves(player)
        assert other.turn() == position.turn()
        compare(rules, position, other, player, rng, TURNS, to_the_end=False)
        again = (rules.imagine(player, {}, seen[player], rng) for _ in range(AGAIN))
        count += any(one is not None and one.key() != position.key() for one in (other, *again))
    return count


@pytest.mark.bound(600)  # on a busy machine
@pytest.mark.parametrize("name", HIDDEN)
def test_what_a_player_can_not_know_changes_nothing_that_it_is_told(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    at_home(monkeypatch)
    rules, rng = catalogue().find_rules(f"openspiel/{name}"), random.Random(name)
    players = list(rules.players(rules.complete({})))
    rng.shuffle(players)
    # Somebody may know everything.
    assert any(others(rules, player, rng) for player in players) or name in NOTHING_ELSE
