"""Facts about HexWar."""

from __future__ import annotations

import importlib
import random

import pytest
from support.hidden import assert_sampled
from support.oracles import start

from ggtp.errors import IllegalMove, MalformedMove
from ggtp.game import CHANCE, HIDDEN, OVER, Position, TurnKind

rules = importlib.import_module("ggtp.rules.hexwar").RULES


def ordered(position: Position, red: list[str], blue: list[str]) -> Position:
    """The position when both have given these orders, and hold with the rest."""
    for _ in range(5):
        moves = {}
        for player, orders in (("Red", red), ("Blue", blue)):
            listed = position.moves(player)
            wanted = [order for order in orders if order in listed]
            moves[player] = wanted[0] if wanted else next(move for move in listed if move.endswith("hold"))
        position = position.play(moves).position
    return position


def test_what_is_sampled_looks_as_what_is() -> None:
    rng = random.Random(6)
    compared = sum(assert_sampled(rules, {"map": name}, rng, share=0.5) for name in ("valley", "lake"))
    assert compared > 60


def test_orders_are_sealed_until_all_are_given() -> None:
    position = start("hexwar")
    assert position.turn().kind is TurnKind.JOINT
    assert position.seen("Red", "I1 hold", "Blue") == HIDDEN
    after = position.play({"Red": "I1 hold", "Blue": "I1 hold"}).position
    assert "Blue orders 1 sealed" in after.view("Red")
    assert "Red orders I1 hold" in after.view("Red")
    done = ordered(start("hexwar"), ["I2 C2"], [])
    (text,) = [move for move, _ in done.chance()]
    assert text.startswith("Red: I1 hold / I2 C2 / ")
    verdict = done.play({CHANCE: text})
    assert verdict.announcements[0].text == f"the orders are {text}"
    assert "I2 C2 2" in verdict.position.view("Blue")


def test_a_battle_is_fought_with_a_die() -> None:
    rng, fought = random.Random(0), 0
    position = start("hexwar", turns="20")
    while position.turn() is not OVER:
        turn = position.turn()
        if turn.kind is TurnKind.CHANCE:
            die = len(position.chance()) == 6
            verdict = position.play({CHANCE: position.draw(rng)})
            if die:
                fought += 1
                assert verdict.announcements[0].text.startswith("the battle for ")
            position = verdict.position
            continue
        moves = {}
        for player in turn.players:
            attacks = [move for move in position.moves(player) if " attack " in move]
            moves[player] = rng.choice(attacks or list(position.moves(player)))
        position = position.play(moves).position
    assert fought > 5
    result = position.result()
    assert result is not None


def test_who_has_more_counters_orders_the_rest_alone() -> None:
    rng = random.Random(2)
    for _ in range(30):
        position = start("hexwar", turns="30")
        while position.turn() is not OVER:
            turn = position.turn()
            if turn.kind is TurnKind.SINGLE:
                assert position.moves(turn.players[0])
                return
            chance = turn.kind is TurnKind.CHANCE
            moves = {who: position.draw(rng) if chance else rng.choice(position.moves(who)) for who in turn.players}
            position = position.play(moves).position
    raise AssertionError("no side has ever lost a counter more than the other")


def test_orders_may_be_short() -> None:
    position = start("hexwar")
    assert position.parse("Red", "hold") == "I1 hold"
    assert position.parse("Red", "i1 c1") == "I1 C1"
    with pytest.raises(MalformedMove, match="the next order is for I1, as I1 hold or "):
        position.parse("Red", "Z9")
    with pytest.raises(IllegalMove, match=r"^G5 can't be ordered now: the next order is for I1, as I1 hold or "):
        position.parse("Red", "g5 hold")


def test_orders_that_were_not_given_are_not_opened() -> None:
    position = ordered(start("hexwar"), [], [])
    assert position.turn().kind is TurnKind.CHANCE
    with pytest.raises(MalformedMove, match="Chance has no move named Red: I1 A3"):
        position.parse(CHANCE, "Red: I1 A3")


def test_towns_decide() -> None:
    position = start("hexwar", turns="1")
    position = ordered(position, [], [])
    position = position.play({CHANCE: position.draw(random.Random(0))}).position
    result = position.result()
    assert result is not None
    assert result.reason == "towns held: Red 1 points, Blue 1"


def test_the_picture() -> None:
    lines = start("hexwar").picture("Red").plain(ascii_only=True)
    assert lines[0].split() == list("ABCDEFGHI")
    assert lines[1].split() == ["1", "G5", "I1", ".", ".", ".", "%", ".", ".", "."]
    assert lines[7].split() == ["7", ".", ".", ".", "%", ".", ".", ".", "i1", "g5"]
    assert lines[8].split() == ["%", "woods", "^", "hill", "#", "town"]
    assert "towns: A1 Red's, E4 nobody's, I7 Blue's" in lines
    assert lines[-1] == "next: an order for I1 on B1"


def test_people_are_told_of_an_order_without_its_words() -> None:
    position = start("hexwar")
    assert position.spoken("Blue", "I1 hold", "Red") == "a sealed order"
    assert position.spoken("Red", "I1 hold", "Red") == "I1 hold"
    orders = ordered(position, [], [])
    opened = orders.draw(random.Random(0))
    assert orders.spoken(CHANCE, opened, "Red") == "", "the umpire reads the orders out"
    assert orders.play({CHANCE: opened}).announcements[0].text == f"the orders are {opened}"
