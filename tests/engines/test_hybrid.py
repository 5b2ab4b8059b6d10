"""Hybrid wins what it can search, and plays what is left to chance."""

import random
import sys
import threading

import pytest

pytest.importorskip("llvmlite", reason="the compiler is not installed")

from ggtp.engines.hybrid import Hybrid, Line

from ggtp.game import CHANCE, Standing, TurnKind
from ggtp.kit import Budget
from ggtp.kit.rulebook import compile_in_background
from ggtp.protocol.messages import Command

PLAYER = "Avatar"


@pytest.fixture(autouse=True)
def hastily(monkeypatch):
    """Nothing is compiled with care, but where that is tested: it would go on in the background, with the least
    priority, and whatever else is compiled here would wait for it."""
    cared = []
    monkeypatch.setattr("ggtp.vgdl.player.hybrid.compile_well", cared.append)
    return cared


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


@pytest.mark.process
@pytest.mark.parametrize("rule", ["gdl/queens", "gdl/knightstour"])
def test_puzzles_in_gdl_are_solved_in_machine_code(sit, rules, monkeypatch, rule):
    monkeypatch.setattr("ggtp.engines.hybrid.UNTIMED_PUZZLE", 1000.0)
    (player,) = rules(rule).players({})
    seat = sit(Hybrid(), rule, player, compile_rules=compile_in_background)
    position = rules(rule).start({})
    methods = []
    while position.turn().kind is not TurnKind.OVER:
        move = seat.choose()
        methods.append(seat.last_search()["method"])
        position = position.play({player: move}).position
        seat.tell("made_move", player, move)
    seat.session.close()
    assert position.result().scores[player] == 100
    assert methods[0] == "search"
    assert set(methods[1:]) <= {"plan", "forced"}


def test_a_plan_is_left_where_the_play_goes_elsewhere(sit, monkeypatch):
    monkeypatch.setattr("ggtp.engines.hybrid.UNTIMED_PUZZLE", 1000.0)
    seat = sit(Hybrid(), "RushHour", "Solo")
    first = seat.choose()
    other = next(move for move in ("C right 4", "D left 1") if move != first)
    seat.tell("made_move", "Solo", other)
    seat.choose()
    assert seat.last_search()["method"] == "search"  # a plan from here, not what came next in the other
    seat.tell("undone_move")
    assert seat.choose() == other  # the plan that is known now begins there
    assert seat.last_search()["method"] == "plan"


def test_what_is_worth_less_than_a_tree_promises_is_not_followed(sit, rules, monkeypatch):
    engine = Hybrid()
    seat = sit(engine, "TicTacToe", "Cross")
    monkeypatch.setattr(engine, "_is_puzzle", lambda game: True)
    moves = list(rules("TicTacToe").start({}).moves("Cross"))
    for value, chosen in ((60.0, moves[3]), (40.0, moves[5])):
        monkeypatch.setattr(engine, "_planned", lambda game, budget: moves[3])
        monkeypatch.setattr(engine, "_search_tree", lambda game, budget: (moves[5], 50.0))
        engine._plan = Line((moves[3],), value, final=False)
        assert seat.choose() == chosen


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


def test_who_was_late_asks_for_less_and_slowly_for_more_again() -> None:
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


def test_nobody_waits_for_the_compiler_until_there_is_a_video_game(sit):
    names = [thread.name for thread in threading.enumerate()]
    sit(Hybrid(), "TicTacToe", "Cross")
    assert [thread.name for thread in threading.enumerate()] == names
    engine = sit(Hybrid(), "vgdl/skeet", PLAYER).engine
    assert engine._loading.wait(Budget(None))


def test_what_was_compiled_hastily_is_compiled_with_care(sit, hastily):
    engine = sit(Hybrid(), "vgdl/skeet", PLAYER).engine
    assert engine._loading.wait(Budget(None))
    for thread in threading.enumerate():
        if thread.name == "loading":
            thread.join()
    assert len(hastily) == 1
    assert hastily[0] is not None, "and kept for the next program"


def test_it_answers_while_it_is_being_compiled(sit, monkeypatch):
    compiled = threading.Event()
    monkeypatch.setattr("ggtp.vgdl.player.hybrid.warm_up", lambda kept: compiled.wait())
    monkeypatch.setattr("ggtp.engines.hybrid.LOADING_SECONDS", 0.0)
    seat = sit(Hybrid(), "vgdl/nightwatch", PLAYER, settings={"Advances": "60"})
    assert seat.choose("40") == "nil"
    assert seat.last_search()["method"] == "loading"
    compiled.set()
    assert seat.choose() in ("left", "right", "up", "down", "use", "nil")
    assert seat.last_search()["method"] in ("search", "tree")


@pytest.mark.slow
def test_without_a_compiler_it_searches_slowly(sit, monkeypatch):
    monkeypatch.setitem(sys.modules, "ggtp.vgdl.player.hybrid", None)
    seat = sit(Hybrid(), "vgdl/nightwatch", PLAYER, settings={"Advances": "60"})
    assert seat.choose() in ("left", "right", "up", "down", "use", "nil")
    assert seat.last_search()["method"] == "tree"
    assert int(seat.last_search()["playouts"]) > 0


def test_it_suggests_nothing_at_first_and_then_what_the_tree_search_prefers(sit):
    seat = sit(Hybrid(), "vgdl/nightwatch", PLAYER, settings={"Search": "off"})
    noted = []
    game, budget = seat.session.asked(Command("have_to_play", ()), noted.append)
    budget.request = 4
    chosen = seat.engine.choose(game, budget)
    assert noted[0] == "nil"
    assert len(noted) > 1
    assert set(noted) <= set(game.moves())
    assert chosen in game.moves()
