"""Symmetries that rules declare are true, and plays that look the same are found to be."""

from __future__ import annotations

import gc
import os
import random
import sys

import pytest

from ggtp.catalogue import Catalogue
from ggtp.game import Position, Rules, TurnKind
from ggtp.game.building.symmetry import ALL, DIAGONALS, HALF_TURN, MIRROR, Symmetry, board_symmetries, renamed, simplest

NINE = ("A1", "B1", "C1", "A2", "B2", "C2", "A3", "B3", "C3")
SYMMETRIC = (
    "Breakthrough", "ConnectFour", "Go", "Gomoku", "Hex", "Othello", "PhantomTicTacToe", "TicTacToe",
)  # fmt: skip


def test_a_square_has_seven_besides_itself() -> None:
    found = board_symmetries(NINE, 3, ALL)
    assert len({tuple(symmetry.values()) for symmetry in found}) == 7
    assert tuple(NINE) not in {tuple(symmetry.values()) for symmetry in found}
    for symmetry in found:
        assert sorted(symmetry.values()) == sorted(NINE)
        assert symmetry["B2"] == "B2"


def test_where_squares_go() -> None:
    (mirror,) = board_symmetries(NINE, 3, (MIRROR,))
    (turn,) = board_symmetries(NINE, 3, (HALF_TURN,))
    one, other = board_symmetries(NINE, 3, (DIAGONALS,))
    assert [symmetry["A1"] for symmetry in (mirror, turn, one, other)] == ["C1", "C3", "A1", "C3"]
    assert [symmetry["B1"] for symmetry in (mirror, turn, one, other)] == ["B1", "B3", "A2", "C2"]
    assert renamed(mirror, "A1-B2") == "C1-B2"
    assert renamed(mirror, "pass") == "pass"


def test_names_that_begin_alike() -> None:
    names = tuple(f"A{row}" for row in range(1, 13))
    (mirror,) = board_symmetries(names, 1, (HALF_TURN,))
    assert renamed(mirror, "A1 A10 A12") == "A12 A3 A1"


def test_plays_that_look_the_same_have_one_form() -> None:
    symmetries = board_symmetries(NINE, 3, ALL)
    corner = [simplest(symmetries, (f"Cross {square}", "Circle B2")) for square in ("A1", "C1", "A3", "C3")]
    assert len(set(corner)) == 1
    assert simplest(symmetries, ("Cross B1", "Circle B2")) not in corner
    assert simplest((), ("Cross C3",)) == ("Cross C3",)


def catalogue() -> Catalogue:
    return Catalogue.from_environment(os.environ)


def test_these_rules_declare_some() -> None:
    declared = set()
    for entry in catalogue().list_rules():
        if "/" not in entry.name and not entry.problem:
            rules = catalogue().find_rules(entry.name)
            if rules.symmetries(rules.complete({})):
                declared.add(rules.name)
    assert declared == set(SYMMETRIC)


@pytest.mark.parametrize("name", SYMMETRIC)
def test_a_play_with_other_names_is_the_same_play(name: str) -> None:
    rules = catalogue().find_rules(name)
    values = rules.complete({"size": "5"} if name in ("Go", "Hex") else {})
    symmetries = rules.symmetries(values)
    assert symmetries
    for number, symmetry in enumerate(symmetries):
        follow(rules, rules.begin(values), symmetry, random.Random(number))


def follow(rules: Rules, position: Position, symmetry: Symmetry, rng: random.Random) -> None:
    """Play at random, here and as it looks turned or mirrored."""
    other = position
    for _ in range(60):
        turn = position.turn()
        assert other.turn() == turn
        if turn.kind is TurnKind.OVER:
            break
        player = turn.players[0]
        moves = list(position.moves(player))
        assert {renamed(symmetry, move) for move in moves} == set(other.moves(player))
        move = rng.choice(moves)
        position = position.play({player: move}).position
        other = other.play({player: renamed(symmetry, move)}).position
    one, same = position.result(), other.result()
    assert (one is None) == (same is None)
    if one is not None and same is not None:
        assert (one.standings, one.scores) == (same.standings, same.scores)


def test_to_look_for_the_simplest_again_and_again_takes_no_memory() -> None:
    """A worker does so after every game, and no search for garbage follows."""
    symmetries = board_symmetries(NINE, 3, ALL)
    moves = ["Cross A1", "Circle B2", "Cross C3", "Circle A3", "Cross C1", "Circle B1", "Cross B3"]
    gc.collect()
    gc.disable()
    try:
        for _ in range(10):
            simplest(symmetries, moves)
        before = sys.getallocatedblocks()
        for _ in range(1000):
            simplest(symmetries, moves)
        assert sys.getallocatedblocks() - before < 200
    finally:
        gc.enable()
