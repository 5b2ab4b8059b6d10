"""What was told is followed on the library's states."""

from __future__ import annotations

import random

import pytest
from support.spiel import specs

from ggtp.game import Observation, Seen
from ggtp.openspiel.child import view_of
from ggtp.openspiel.follow import Follower
from ggtp.openspiel.naming import clean, news

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install ggtp[openspiel]")

PLAYERS = ("Player1", "Player2")


def follower(player: str, *seen: Observation) -> Follower:
    first = pyspiel.load_game("kuhn_poker").new_initial_state()
    found = Follower(first, specs()["kuhn_poker"], PLAYERS, player, {})
    found.rng = random.Random(1)
    found.hear(seen)
    return found


def dealt(player: int, *cards: int) -> Seen:
    """What a player is told of the last of these cards."""
    state = pyspiel.load_game("kuhn_poker").new_initial_state()
    for card in cards[:-1]:
        state.apply_action(card)
    before = view_of(state, player)
    state.apply_action(cards[-1])
    return Seen("Chance", clean(news(before, view_of(state, player))))


def test_what_is_known_happens_and_what_is_not_is_drawn() -> None:
    follows = follower("Player1", dealt(0, 2), Seen("Chance", "?"), Seen("Player1", "Pass"), Seen("Player2", "Bet"))
    drawn = set()
    for _ in range(30):
        story = follows.begin()
        assert story.explains(4)
        assert story.actions()[0] == 2
        assert story.actions()[2:] == [0, 1]
        drawn.add(story.actions()[1])
    assert drawn == {0, 1}


def test_a_story_goes_on_with_what_is_told_later() -> None:
    follows = follower("Player1", dealt(0, 1), Seen("Chance", "?"))
    story = follows.begin()
    follows.hear([dealt(0, 1), Seen("Chance", "?"), Seen("Player1", "Bet")])
    later = follows.extend(story)
    assert later.actions() == [*story.actions(), 1]
    assert later.explains(3)
    assert story.explains(2)


def test_what_can_not_be_ends_a_story_which_goes_on_all_the_same_if_it_must() -> None:
    follows = follower("Player2", Seen("Chance", "?"), Seen("Chance", "0 ~12345678"), Seen("Player1", "Bet"))
    story = follows.begin()
    assert story.done == 1
    actions = follows.go_on(story, 5)
    assert actions is not None
    state = pyspiel.load_game("kuhn_poker").new_initial_state()
    for action in actions:
        state.apply_action(action)
    assert state.current_player() == 1
    assert actions[-1] == 1
