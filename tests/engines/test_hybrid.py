"""Hybrid wins what it can search, and plays what is left to chance."""

import random

import pytest

pytest.importorskip("numba", reason="the compiler is not installed")

from ggtp.engines.hybrid import Hybrid

from ggtp.game import CHANCE, Standing, TurnKind

pytestmark = pytest.mark.bound(600)  # on a busy machine the first compilation takes minutes

PLAYER = "Avatar"


def play(sit, rules, rule, level, most=400, settings=None):
    """Plays to the end, without any clock but the engine's own; tells the result and the moves."""
    options = {"level": level, "delay": "0"}
    seat = sit(Hybrid(), rule, PLAYER, options=options, settings=settings)
    position = rules(rule).start(options)
    rng, moves = random.Random(5), []
    while position.turn().kind is not TurnKind.OVER and len(moves) < most:
        if position.turn().kind is TurnKind.CHANCE:
            actor, move = CHANCE, position.draw(rng)
        else:
            actor, move = PLAYER, seat.choose()
            moves.append(move)
        position = position.play({actor: move}).position
        seat.tell("made_move", actor, move)
    return position.result(), moves, seat


@pytest.mark.parametrize(("rule", "level"), [("vgdl/stevedore", "1"), ("vgdl/lighthouse", "1"), ("vgdl/keyring", "2")])
def test_it_solves_puzzles(sit, rules, rule, level):
    result, moves, seat = play(sit, rules, rule, level)
    assert result is not None
    assert result.standings[PLAYER] is Standing.WIN
    plan = [move for move in moves if move != "nil"]
    assert moves == ["nil"] * (len(moves) - len(plan)) + plan  # nothing until there is a plan, then the plan
    assert seat.last_search()["method"] == "search"


def test_it_plays_what_is_left_to_chance(sit, rules):
    _, moves, seat = play(sit, rules, "vgdl/nightwatch", "0", most=8)
    assert moves
    assert seat.last_search()["method"] == "tree"
    assert int(seat.last_search()["advances"]) > 10


def test_the_search_can_be_switched_off(sit, rules):
    _, _, seat = play(sit, rules, "vgdl/stevedore", "0", most=2, settings={"Search": "off"})
    assert seat.last_search()["method"] == "tree"


def test_what_it_plays(rules):
    assert Hybrid().plays(rules("vgdl/skeet"), {}) is None
    assert "video games" in Hybrid().plays(rules("Nim"), {})
