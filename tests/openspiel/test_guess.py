"""Stories that are contradicted are mended until they explain everything."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import count

import pytest
from support.playbook import catalogue
from support.spiel import at_home, specs
from support.worlds import places

from ggtp.openspiel.guess import Teller

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install ggtp[openspiel]")


def after(tries: int) -> Callable[[], bool]:
    """Stops after so many tries."""
    tried = count()
    return lambda: next(tried) >= tries


@pytest.mark.parametrize("name", ["hearts", "spades", "go_fish"])
def test_cards_change_hands_until_all_that_was_played_can_have_been(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    at_home(monkeypatch)
    rules, spec, rng = catalogue().find_rules(f"openspiel/{name}"), specs()[name], random.Random(name)
    players = rules.players(rules.complete({}))
    position, seen = [place for place in places(rules, rng, 90) if place[0].turn().players[0] in players][-1]
    player = position.turn().players[0]
    parameters = spec.parameters(rules.complete({}))
    teller = Teller(pyspiel.load_game(name, parameters).new_initial_state(), spec, players, player, parameters)
    teller.rng = rng
    heard = seen[player]
    teller.hear(heard)
    first = teller.begin()
    assert not first.explains(len(heard))
    assert teller.mend(first, after(0)) is first
    story = teller.mend(first, after(5000))
    assert story.explains(len(heard))
    other = teller.shuffle(story, 20, after(100))
    assert other.explains(len(heard))
    assert other.actions() != story.actions()
