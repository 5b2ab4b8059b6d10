"""Facts about Skirmish."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from support.oracles import start

from ggtp.errors import IllegalMove, MalformedMove
from ggtp.game import OVER, Position, Standing, TurnKind


def ticks(position: Position, count: int, red: str = "wait", blue: str = "wait") -> Position:
    for _ in range(count):
        if position.turn() is not OVER:
            position = position.play({"Red": red, "Blue": blue}).position
    return position


def test_both_order_at_once() -> None:
    position = start("skirmish")
    turn = position.turn()
    assert (turn.kind, turn.players, turn.delay) == (TurnKind.JOINT, ("Red", "Blue"), None)
    with pytest.raises(IllegalMove):
        position.play({"Red": "wait"})


def test_time_can_run() -> None:
    turn = start("skirmish", tick_ms="1500").turn()
    assert turn.delay == 1.5
    assert turn.default == {"Red": "wait", "Blue": "wait"}


def test_equal_play_is_a_draw() -> None:
    ended = ticks(start("skirmish", ticks="40"), 40)
    result = ended.result()
    assert result is not None
    assert result.standings == {"Red": Standing.DRAW, "Blue": Standing.DRAW}
    assert result.reason.startswith("time is up: bases 15 to 15")


def test_soldiers_beat_one_who_does_nothing() -> None:
    position = start("skirmish", ticks="200")
    while position.turn() is not OVER:
        moves = position.moves("Red")
        fresh = [move for move in moves if move.endswith(" attack") and move[0] == "s"]
        red = fresh[0] if fresh else "train soldier" if "train soldier" in moves else "wait"
        position = position.play(
            {"Red": red, "Blue": "w1 hold" if "w1 hold" in position.moves("Blue") else "wait"}
        ).position
    result = position.result()
    assert result is not None
    assert result.reason == "the base of Blue is destroyed"
    assert result.standings["Red"] is Standing.WIN


def test_orders_may_be_short() -> None:
    position = start("skirmish")
    assert position.parse("Red", "w1 n") == "w1 north"
    assert position.parse("Red", "W1 A") == "w1 attack"
    assert position.parse("Blue", "soldier") == "train soldier"
    assert position.parse("Red", "w1 gather") == "wait"  # it does so already
    with pytest.raises(IllegalMove, match=r"^Red has no unit s1: there are w1\.$"):
        position.parse("Red", "s1 attack")
    with pytest.raises(MalformedMove):
        position.parse("Red", "w1 dance")
    with pytest.raises(MalformedMove):
        position.parse("Red", " ")


def test_who_can_not_train_a_unit_is_told_why() -> None:
    position = start("skirmish")
    with pytest.raises(IllegalMove, match=r"^Archer: 4 crystal, and Red has 3\.$"):
        position.parse("Red", "train archer")
    position = position.play({"Red": "train worker", "Blue": "wait"}).position
    with pytest.raises(IllegalMove, match=r"^Red is training already: worker\.$"):
        position.parse("Red", "soldier")
    world = position.world  # type: ignore[attr-defined]
    many = tuple(replace(world.units[0], number=number) for number in range(8))
    rich = tuple(replace(base, store=9, training="") for base in world.bases)
    with pytest.raises(IllegalMove, match=r"^Red has 8 units, and no more can be had\.$"):
        type(position)(replace(world, units=many, bases=rich), 0).parse("Red", "soldier")  # type: ignore[call-arg]


def test_the_picture() -> None:
    lines = start("skirmish").picture(None).plain(ascii_only=True)
    assert lines[4] == "4  .  R15 W1   .   .   .  w1  B15  ."
    assert lines[-2] == "Red: 3 crystal; w1 2 hits gather"
    assert lines[-3] == "tick 0 of 120"
    assert max(map(len, lines)) <= 78


def test_many_games_at_random_end_in_time() -> None:
    rng = random.Random(1)
    for _ in range(5):
        position = start("skirmish", ticks="60")
        count = 0
        while position.turn() is not OVER:
            position = position.play({who: rng.choice(position.moves(who)) for who in ("Red", "Blue")}).position
            count += 1
        assert count <= 60
