"""Phantom games: what the umpire says, what each player knows, and what can be guessed from it."""

from __future__ import annotations

import importlib
import random

import pytest
from support.hidden import assert_sampled, walk
from support.oracles import play, start

from ggtp.errors import MoveError
from ggtp.game import HIDDEN, OVER, Position, Refused, Rules, Seen, advice
from ggtp.game.building.phantom import PASSED, UNSEEN, Event, PhantomPosition, Veil

STEMS = ("phantomgo", "phantomgomoku", "phantomhex", "phantomothello")


def rules_of(stem: str) -> Rules:
    rules = importlib.import_module(f"ggtp.rules.{stem}").RULES
    assert isinstance(rules, Rules)
    return rules


def veil_of(stem: str, **values: str) -> Veil[object]:
    position = start(stem, **values)
    assert isinstance(position, PhantomPosition)
    return position.veil


@pytest.mark.parametrize("stem", STEMS)
def test_what_is_sampled_looks_as_what_is(stem: str) -> None:
    """Deep into games of several sizes: same view, same moves, same picture, and told alike it goes on alike."""
    rules, rng, compared = rules_of(stem), random.Random(stem), 0
    for size in ("6", "8"):
        compared += assert_sampled(rules, {"size": size}, rng, share=0.15)
    assert compared > 20


@pytest.mark.parametrize("stem", STEMS)
def test_a_guess_has_the_stones_that_are_known_and_as_many_as_there_are(stem: str) -> None:
    rng = random.Random(f"{stem} stones")
    for position, _ in walk(rules_of(stem), {"size": "6"}, rng):
        if position.turn() is OVER or rng.random() < 0.8:
            continue
        assert isinstance(position, PhantomPosition)
        veil = position.veil
        for me, player in enumerate(veil.game.players):
            other = position.determinize(player, rng)
            assert isinstance(other, PhantomPosition)
            true, guessed = veil.stones(position.state), veil.stones(other.state)
            assert guessed[me] == true[me]
            assert guessed[1 - me].bit_count() == true[1 - me].bit_count()
            assert guessed[1 - me] & position.known[me].found == true[1 - me] & position.known[me].found
            assert position.known[me].found & ~true[1 - me] == 0
            assert guessed[0] & guessed[1] == 0


@pytest.mark.parametrize("stem", STEMS)
def test_a_guess_is_never_over_and_its_player_can_move(stem: str) -> None:
    """Played on at random, a guess comes to an end as any game does."""
    rng = random.Random(f"{stem} on")
    for position, _ in walk(rules_of(stem), {"size": "6"}, rng):
        if position.turn() is OVER or rng.random() < 0.95:
            continue
        for player in ("Black", "White") if stem != "phantomhex" else ("Red", "Blue"):
            other = advice.determinize(position, player, rng)
            for _ in range(600):
                assert other is not None
                if other.turn() is OVER:
                    break
                (mover,) = other.turn().players
                other = other.play({mover: rng.choice(other.moves(mover))}).position
            assert other is not None
            assert other.turn() is OVER


def test_what_is_told_can_be_read() -> None:
    veil = veil_of("phantomgo", size="5")
    for event in (
        Event(0, 3),
        Event(1, UNSEEN),
        Event(0, PASSED),
        Event(1, UNSEEN, veil.bits[7] | veil.bits[8]),
        Event(0, 2, veil.bits[1]),
    ):
        assert veil.hear(event.mover, veil.tell(event)) == event
    with pytest.raises(LookupError):
        veil.hear(0, "Z99")


def test_a_try_on_a_stone_is_refused_and_nobody_else_hears_of_it() -> None:
    position = play(start("phantomhex", size="3"), "b2")
    verdict = position.play({"Blue": "b2"})
    assert [(refusal.player, refusal.reason) for refusal in verdict.refused] == [("Blue", "taken")]
    assert verdict.announcements == ()
    assert "b2" not in verdict.position.moves("Blue")
    assert verdict.position.view("Red") == position.view("Red")
    assert position.seen("Blue", "a1", "Red") == HIDDEN


def test_at_the_end_the_board_is_open_to_all() -> None:
    position: Position = start("phantomhex", size="2")
    position = play(position, "a1", "b1")
    verdict = position.play({"Red": "a2"})
    assert verdict.position.turn() is OVER
    assert verdict.position.view("Blue") == verdict.position.view("Red")
    assert verdict.announcements[-1].text.startswith("The board was RB/R.")


def test_observations_of_another_game_are_not_imagined() -> None:
    rules = rules_of("phantomgo")
    with pytest.raises((LookupError, ValueError)):
        advice.imagine(rules, "Black", {}, [Seen("Black", "nonsense")], random.Random(0))
    with pytest.raises((LookupError, ValueError)):
        advice.imagine(rules, "Black", {}, [Refused("nonsense")], random.Random(0))


@pytest.mark.parametrize(
    ("moves", "player", "text", "said"),
    [
        (("A1", "B2"), "Black", "a1", "A1 has a stone of Black"),
        (("A1", "A1"), "White", "a1", "A1 is known to have a stone of Black"),
        (("A1", "B2"), "Black", "z9", "write a cell, as B1, or pass"),
        (("A2", "E5", "B1", "E4", "C5", "A1"), "White", "A1", "A1 was refused already"),
    ],
)
def test_people_are_told_why_not(moves: tuple[str, ...], player: str, text: str, said: str) -> None:
    with pytest.raises(MoveError, match=said):
        play(start("phantomgo", size="5"), *moves).parse(player, text)


def test_what_the_other_has_is_not_told_by_what_is_typed() -> None:
    position = play(start("phantomgo", size="5"), "A1")
    assert position.parse("White", "a1") == "A1"
