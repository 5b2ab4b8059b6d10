"""What a player observes of a turn, and which moves would have looked like that."""

import random
from collections.abc import Sequence

from support.games import Hunt

from ggtp.game import (
    CHANCE,
    CHANCE_TURN,
    HIDDEN,
    Move,
    Observation,
    Player,
    Position,
    Refused,
    Seen,
    Turn,
    TurnKind,
    single,
)
from ggtp.game.hidden.observing import actors_of, agrees, ahead_of, candidates, fits, observed

HIDING = Hunt().begin({})
LOOKING = HIDING.play({"Ann": "two"}).position
RNG = random.Random(1)


def names(position: Position, actor: Player, player: Player, ahead: Sequence[Observation]) -> list[Move]:
    return [move for move, _ in candidates(position, actor, player, ahead, RNG)]


def test_who_moves_in_secret_is_seen_to_move() -> None:
    verdict = HIDING.play({"Ann": "two"})
    assert observed(HIDING, verdict, "Ann") == [Seen("Ann", "two")]
    assert observed(HIDING, verdict, "Bob") == [Seen("Ann", HIDDEN)]


def test_the_order_of_a_turn_does_not_matter_nor_a_reason_that_was_not_heard() -> None:
    one, two = Seen("Ann", "a"), Seen("Bob", "b")
    assert agrees([one, two], [two, one])
    assert not agrees([one], [two])
    assert agrees([Refused("x", "why")], [Refused("x")])
    assert not agrees([Refused("x", "why")], [Refused("x", "another reason")])


def test_a_joint_turn_may_concern_several_observations() -> None:
    seen = [Seen("Ann", "a"), Seen("Bob", "b"), Seen(CHANCE, "c")]
    assert list(ahead_of(Turn(TurnKind.JOINT, ("Ann", "Bob")), seen, 0)) == seen[:2]
    assert list(ahead_of(single("Ann"), seen, 1)) == seen[1:2]


def test_in_a_race_the_one_who_was_observed_has_moved() -> None:
    race = Turn(TurnKind.RACE, ("Ann", "Bob"))
    assert actors_of(race, "Ann", Seen("Bob", "x")) == ("Bob",)
    assert actors_of(race, "Ann", Refused("x")) == ("Ann",)
    assert actors_of(CHANCE_TURN, "Ann", Seen("Bob", "x")) == (CHANCE,)


def test_what_was_hidden_may_be_anything() -> None:
    assert names(HIDING, "Ann", "Bob", [Seen("Ann", HIDDEN)]) == ["one", "two", "three", "four"]


def test_the_umpires_words_behind_a_move_belong_to_it() -> None:
    assert names(LOOKING, "Bob", "Bob", [Seen("Bob", "one near")]) == ["one"]
    assert names(LOOKING, "Bob", "Ann", [Seen("Bob", "one near")]) == ["one"]
    assert names(LOOKING, "Bob", "Ann", [Seen("Bob", "one far")]) == []


def test_a_move_fits_that_is_listed_and_looks_right() -> None:
    assert fits(HIDING, "Ann", "two", "Bob", [Seen("Ann", HIDDEN)])
    assert not fits(HIDING, "Ann", "nowhere", "Bob", [Seen("Ann", HIDDEN)])
    assert not fits(LOOKING, "Bob", "one", "Ann", [Seen("Bob", "one far")])
    assert fits(HIDING, "Ann", "two", "Bob", [Refused("x")])
