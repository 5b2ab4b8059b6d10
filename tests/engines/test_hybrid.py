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
    result, moves, seat = play(sit, rules, rule, level, settings={"Advances": "2000"})
    assert result is not None
    assert result.standings[PLAYER] is Standing.WIN
    plan = [move for move in moves if move != "nil"]
    assert moves == ["nil"] * (len(moves) - len(plan)) + plan  # nothing until there is a plan, then the plan
    assert seat.last_search()["method"] == "plan"


def test_it_plays_what_is_left_to_chance(sit, rules):
    _, moves, seat = play(sit, rules, "vgdl/nightwatch", "0", most=8, settings={"Advances": "100"})
    assert moves
    assert seat.last_search()["method"] == "tree"
    assert int(seat.last_search()["advances"]) > 10


def test_the_search_can_be_switched_off(sit, rules):
    _, _, seat = play(sit, rules, "vgdl/stevedore", "0", most=2, settings={"Search": "off", "Advances": "100"})
    assert seat.last_search()["method"] == "tree"


def test_what_it_plays(rules):
    assert Hybrid().plays(rules("vgdl/skeet"), {}) is None
    assert Hybrid().plays(rules("Sokoban"), {}) is None
    assert Hybrid().plays(rules("Skirmish"), {}) is None
    assert "secrets" in Hybrid().plays(rules("Kriegspiel"), {})
    assert "first to move" in Hybrid().plays(rules("JungleSpeed"), {})


def test_a_puzzle_of_other_rules_is_searched_first(sit, rules, monkeypatch):
    monkeypatch.setattr("ggtp.engines.hybrid.UNTIMED_PUZZLE", 1000.0)  # however busy the machine is
    seat = sit(Hybrid(), "Sokoban", "Solo")
    position = rules("Sokoban").start({})
    methods = []
    while position.turn().kind is not TurnKind.OVER:
        move = seat.choose()
        methods.append(seat.last_search()["method"])
        position = position.play({"Solo": move}).position
        seat.tell("made_move", "Solo", move)
    assert position.result().standings["Solo"] is Standing.WIN
    assert methods[0] == "search"
    assert set(methods[1:]) == {"plan"}


def test_where_there_is_an_opponent_it_searches_a_tree(sit):
    seat = sit(Hybrid(), "TicTacToe", "Cross")
    assert seat.choose("300")
    assert seat.last_search()["method"] == "tree"


def test_the_number_of_ticks_can_be_limited(sit, rules):
    _, _, seat = play(sit, rules, "vgdl/nightwatch", "0", most=4, settings={"Advances": "150"})
    assert 150 <= int(seat.last_search()["advances"]) < 260


def test_a_game_that_goes_back_is_begun_anew(sit, rules):
    _, moves, seat = play(sit, rules, "vgdl/nightwatch", "0", most=3, settings={"Advances": "60"})
    for _ in moves:
        seat.tell("undone_move")
    assert seat.choose() in ("left", "right", "up", "down", "use", "nil")


def test_who_was_late_asks_for_less_and_slowly_for_more_again():
    engine = Hybrid()
    first = engine._share
    for _ in range(40):
        engine.pace(late=True)
    least = engine._share
    assert 0.001 < least < 0.1 * first
    engine.pace(late=False)
    assert least < engine._share < 1.1 * least
    for _ in range(400):
        engine.pace(late=False)
    assert engine._share == first
