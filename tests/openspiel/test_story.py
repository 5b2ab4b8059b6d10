"""Stories, and words that are compared."""

from __future__ import annotations

from ggtp.openspiel.story import Story, alike, card_of, pairs_of


class State:
    """A state that may be the last one."""

    def __init__(self, over: bool = False) -> None:
        self.over = over

    def is_terminal(self) -> bool:
        return self.over


def test_a_story_explains_what_was_told_while_the_game_goes_on() -> None:
    story = Story([], State(), 0)
    assert story.add(7, State(), told=2, free=True, chance=False)
    assert story.explains(2)
    assert not story.explains(3)
    assert story.actions() == [7]
    story.add(8, State(over=True), told=1, free=False, chance=True)
    assert not story.explains(3)
    story.telling = True
    assert story.explains(3)


def test_moves_and_outcomes_that_speak_of_the_same_card() -> None:
    assert alike("Play H7", "Deal H7")
    assert alike("1g", "g")
    assert not alike("Play H7", "Deal S7")
    assert card_of("(Deal R2)") == "R2"


def test_cards_are_known_by_the_sign_of_their_suit_before_them() -> None:
    assert {("♠10", ""), ("♥A", ""), ("10", "9"), ("♥", "")} <= pairs_of("♠ 10 9 ♥ A")
    assert pairs_of("a b") != pairs_of("b a")
