"""Minimax against oracles: plain searches without any cleverness, and games whose outcome is known."""

import random
from functools import cache

import pytest
from ggtp.engines import minimax
from ggtp.engines.minimax import Minimax
from support.evaluators import Broken, OnlyPositions, OnlyRows

from ggtp.catalogue import Catalogue
from ggtp.errors import EngineError
from ggtp.game import Standing
from ggtp.kit.rulebook import compile_in_background
from ggtp.protocol.messages import Command

UNBOUND = {"Depth": "0", "Time": "0", "seed": "1"}


class Plain(Minimax):
    """Minimax without the rule's own fast path."""

    fast = False


def worth(position, player):
    return {Standing.WIN: 1, Standing.DRAW: 0, Standing.LOSS: -1}[position.result().standings[player]]


def oracle():
    """Who wins, and in how many moves, by looking at everything: (1 or 0 or -1, moves), for the player to move."""

    @cache
    def by_key(key):
        position = known[key]
        (player,) = position.turn().players
        return max((outcome(position, player, move) for move in position.moves(player)), key=rank)

    def outcome(position, player, move):
        after = position.play({player: move}).position
        if after.result() is not None:
            return worth(after, player), 1
        known[after.key()] = after
        sign, moves = by_key(after.key())
        return (sign if after.turn().players == (player,) else -sign), moves + 1

    def rank(pair):
        sign, moves = pair
        return sign, -moves * sign

    known = {}

    def best_moves(position):
        (player,) = position.turn().players
        outcomes = {move: outcome(position, player, move) for move in position.moves(player)}
        best = max(outcomes.values(), key=rank)
        return best[0], {move for move, pair in outcomes.items() if rank(pair) == rank(best)}

    return best_moves


GAMES = [
    ("TicTacToe", {}),
    ("Nim", {"heaps": "1 2 3"}),
    ("Nim", {"heaps": "2 3 4", "misere": "on"}),
    ("ConnectFour", {"columns": "4", "rows": "4", "connect": "3"}),
    ("Breakthrough", {"columns": "3", "rows": "4"}),
]


@pytest.mark.process
@pytest.mark.parametrize("engine", [Minimax, Plain])
@pytest.mark.parametrize(("rule", "options"), GAMES)
def test_it_finds_what_looking_at_everything_finds(sit, rules, rule, options, engine):
    """The value, and among equals the quickest win or the latest loss, in positions of random games."""
    rng = random.Random(11)
    best_moves = oracle()
    found = rules(rule)
    checked = 0
    while checked < 12:
        position = found.start(options)
        seat = sit(engine(), rule, options=options, settings=UNBOUND)
        for _ in range(rng.randrange(2, 7)):
            players = position.turn().players
            if not players:
                break
            move = rng.choice(position.moves(players[0]))
            seat.tell("made_move", players[0], move)
            position = position.play({players[0]: move}).position
        if not position.turn().players:
            continue
        sign, moves = best_moves(position)
        chosen = seat.choose()
        report = seat.last_search()
        if sign:
            assert chosen in moves, position.view(None)
        else:
            assert best_moves_are_draws(position, chosen, best_moves)
        assert (report["value"], report["solved"]) == (str(50 + 50 * sign), "yes"), position.view(None)
        checked += 1


def best_moves_are_draws(position, move, best_moves):
    (player,) = position.turn().players
    after = position.play({player: move}).position
    return worth(after, player) == 0 if after.result() is not None else best_moves(after)[0] == 0


@pytest.mark.process
@pytest.mark.parametrize("engine", [Minimax, Plain])
@pytest.mark.parametrize("player", ["Cross", "Circle"])
def test_it_never_loses_tictactoe(sit, player, engine):
    """Against every line of the opponent, with the options that it has by itself but for the time."""
    seat = sit(engine(), "TicTacToe", player, settings={"Time": "0", "seed": "5"})
    results = set()

    def play(position):
        if position.result() is not None:
            results.add(worth(position, player))
            return
        (mover,) = position.turn().players
        for move in [seat.choose()] if mover == player else position.moves(mover):
            seat.tell("made_move", mover, move)
            play(position.play({mover: move}).position)
            seat.tell("undone_move")

    play(seat.game().position)
    assert results == {0, 1}


@pytest.mark.process
@pytest.mark.parametrize("seed", range(8))
def test_the_only_reply_to_the_corner_is_the_centre(sit, seed):
    seat = sit(Minimax(), "TicTacToe", "Circle", settings={"seed": str(seed)})
    seat.tell("made_move", "Cross", "A1")
    assert seat.choose() == "B2"
    report = seat.last_search()
    assert report["value"] == "50"
    assert report["line"].startswith("B2 ")


@pytest.mark.process
@pytest.mark.parametrize("seed", range(8))
def test_it_wins_at_once_where_it_can(sit, seed):
    seat = sit(Minimax(), "TicTacToe", "Cross", settings={"seed": str(seed)})
    for mover, move in (("Cross", "A1"), ("Circle", "A3"), ("Cross", "C1"), ("Circle", "C3")):
        seat.tell("made_move", mover, move)
    assert seat.choose() == "B1"  # B2 would win too, two moves later
    report = seat.last_search()
    assert {name: report[name] for name in ("value", "depth", "line", "solved")} == {
        "value": "100", "depth": "1", "line": "B1", "solved": "yes",
    }  # fmt: skip


@pytest.mark.process
def test_it_solves_small_connectfour(sit):
    """On four columns of four nobody can force four in a row."""
    seat = sit(Minimax(), "ConnectFour", options={"columns": "4", "rows": "4"}, settings=UNBOUND)
    seat.choose()
    report = seat.last_search()
    assert (report["value"], report["solved"]) == ("50", "yes")


@pytest.mark.process
@pytest.mark.parametrize("depth", ["1", "2", "3", "5"])
def test_depth_is_how_far_it_looks(sit, depth):
    seat = sit(Minimax(), "ConnectFour", settings={"Depth": depth, "Time": "0"})
    seat.choose()
    assert seat.last_search()["depth"] == depth
    assert len(seat.last_search()["line"].split()) <= int(depth)


class Ticking:
    """A clock that goes on by a millisecond whenever somebody looks at it."""

    def __init__(self):
        self.looks = 0

    def __call__(self):
        self.looks += 1
        return self.looks / 1000


@pytest.mark.process
@pytest.mark.parametrize(
    ("time", "delay", "most"),
    [("200", (), 200), ("0", ("300",), 300), ("200", ("5000",), 200), ("5000", ("200",), 200)],
)
def test_it_answers_in_time(sit, time, delay, most):
    clock = Ticking()
    seat = sit(Minimax(), "ConnectFour", settings={"Time": time, "Watcher": "off"}, clock=clock)
    before = clock.looks
    assert seat.choose(*delay) in "ABCDEFG"
    assert most - 40 <= clock.looks - before <= most + 5


@pytest.mark.process
def test_without_any_time_it_still_moves(sit):
    seat = sit(Minimax(), "TicTacToe", settings={"Depth": "0", "Time": "0"})
    assert seat.choose("0") in seat.game().moves()
    assert seat.last_search()["depth"] == "0"


@pytest.mark.process
def test_it_does_not_try_again_what_was_refused(sit):
    seat = sit(Minimax(), "TicTacToe", "Circle", settings={"Time": "0"})
    seat.tell("made_move", "Cross", "A1")
    assert seat.choose() == "B2"
    seat.tell("illegal_move", "B2")
    assert seat.choose() != "B2"


@pytest.mark.parametrize("rule", ["PhantomTicTacToe"])
def test_what_it_cannot_play(rules, rule):
    found = rules(rule)
    assert Minimax().plays(found, found.complete({})) is not None


def test_what_it_can_play(rules):
    for rule in ("TicTacToe", "Nim", "ConnectFour", "Breakthrough"):
        found = rules(rule)
        assert Minimax().plays(found, found.complete({})) is None


@pytest.mark.slow
def test_its_description_says_the_same() -> None:
    """What the catalogue offers it for is what it accepts."""
    catalogue = Catalogue.from_environment({})
    plays = catalogue.find_engine("Minimax").plays
    answers = set()
    for entry in catalogue.list_rules():
        found = catalogue.find_rules(entry.name)
        values = found.complete({})
        answer = Minimax().plays(found, values) is None
        assert plays.allow(found, values) is answer, entry.name
        answers.add(answer)
    assert answers == {True, False}


def reported(sit, rule, settings=None, options=None, **kwargs):
    seat = sit(Minimax(), rule, options=options, settings={"Time": "0", "seed": "1", **(settings or {})}, **kwargs)
    chosen = seat.choose()
    return chosen, seat.last_search()


@pytest.mark.process
@pytest.mark.parametrize("watcher", ["on", "off"])
def test_what_is_reported(sit, watcher):
    chosen, report = reported(sit, "ConnectFour", {"Depth": "4", "Watcher": watcher})
    assert list(report) == [
        "value", "depth", "nodes", "cache", "cache_bytes", "cache_hits", "cache_purges", "line", "solved", "code",
        "learned",
    ]  # fmt: skip
    assert report["line"].split()[0] == chosen
    assert 0 < int(report["cache"]) < int(report["nodes"])
    assert int(report["cache_bytes"]) < 256 << 20
    assert (report["depth"], report["solved"], report["code"]) == ("4", "no", "no")


def nodes(sit, settings, rule="ConnectFour", depth="5"):
    return int(reported(sit, rule, {"Depth": depth, **settings})[1]["nodes"])


@pytest.mark.process
def test_each_option_has_its_effect(sit):
    """What is left out is missed: more work for the same depth, or less of it looked at."""
    usual = nodes(sit, {})
    assert nodes(sit, {"Pruning": "off", "Extension": "0"}) > nodes(sit, {"Extension": "0"})
    assert nodes(sit, {"Extension": "0"}) != usual
    assert nodes(sit, {"Cache": "off"}) > usual
    level = {"Extension": "0", "Depth": "5"}
    ordered, listed = (reported(sit, "Othello", {**level, "Ordering": on})[1] for on in ("on", "off"))
    assert ordered["value"] == listed["value"]
    assert int(listed["nodes"]) > 1.5 * int(ordered["nodes"])
    told = reported(sit, "ConnectFour", {"Depth": "40", "Time": "300", "Deepening": "off"})[1]
    assert told["depth"] == "0", "the deepest level is not done in time, and there is no other"
    assert int(reported(sit, "ConnectFour", {"Depth": "40", "Time": "300"})[1]["depth"]) > 0
    assert reported(sit, "ConnectFour", {"Depth": "5", "Cache": "off"})[1]["cache"] == "0"


@pytest.mark.process
@pytest.mark.parametrize("name", ["Mobility", "Novelty"])
def test_each_heuristic_counts(sit, name):
    usual = reported(sit, "Breakthrough", {"Depth": "2"})[1]["value"]
    assert reported(sit, "Breakthrough", {"Depth": "2", name: "off"})[1]["value"] != usual


@pytest.mark.process
def test_goals_before_the_end_count(sit):
    settings = {"Depth": "2", "Compiled": "off"}
    usual = reported(sit, "gdl/othello", settings)[1]["value"]
    assert reported(sit, "gdl/othello", {**settings, "Proximity": "off"})[1]["value"] != usual


@pytest.mark.process
def test_a_tiny_memory_is_enough(sit):
    """One mebibyte: the cache is emptied by quarters, never takes more, and the search goes on."""
    _, report = reported(sit, "ConnectFour", {"memory": "1", "Depth": "9"})
    assert report["depth"] == "9"
    assert int(report["cache_purges"]) > 2
    assert int(report["cache_bytes"]) <= 1 << 20


@pytest.mark.process
def test_the_start_clock_is_used_to_look_ahead(sit):
    """What was found out before the first move is there at the first move."""
    known = {}
    for ahead in ("on", "off"):
        settings = {"start_clock": "3000", "Ahead": ahead}
        _, report = reported(sit, "TicTacToe", settings)
        known[ahead] = int(report["nodes"])
    assert known["on"] < known["off"]


@pytest.mark.process
def test_the_cache_is_kept_between_moves(sit):
    seat = sit(Minimax(), "ConnectFour", settings={"Depth": "6", "Time": "0", "seed": "1"})
    seat.tell("made_move", "Red", seat.choose())
    kept = int(seat.last_search()["cache"])
    reply = seat.last_search()["line"].split()[1]
    seat.tell("made_move", "Yellow", reply)
    seat.choose()
    assert int(seat.last_search()["cache"]) > kept


@pytest.mark.process
def test_each_game_begins_with_what_the_rules_say_alone(sit):
    """The worker stays, and nothing that it found out in the game before: who plays the same game gets the same."""
    engine = Minimax()
    seat = sit(engine, "TicTacToe", "Cross", settings={"Time": "0", "seed": "1"})
    searches = []
    for _ in range(2):
        seat.tell("start")
        seat.choose()
        searches.append(seat.last_search())
        worker = engine._watched._worker.pid
        seat.tell("set_option", "seed", "1")
    assert searches[0] == searches[1]
    seat.tell("start")
    assert engine._watched._worker.pid == worker
    assert engine._watched.begun == 1


GDL = {"Depth": "0", "Time": "0", "seed": "1", "start_clock": "120000", "Ahead": "off"}
"""With a start clock the game is compiled before the first move."""


@pytest.mark.process
@pytest.mark.parametrize(("rule", "value"), [("gdl/tictactoe", "50"), ("gdl/connect3", "100"), ("gdl/nim_gdl", "0")])
def test_rules_in_gdl_are_searched_in_machine_code(sit, rule, value):
    seat = sit(Minimax(), rule, settings=GDL, compile_rules=compile_in_background)
    position = seat.game().position
    assert seat.choose() in position.moves(position.turn().players[0])
    report = seat.last_search()
    assert (report["value"], report["solved"], report["code"]) == (value, "yes", "yes")


@pytest.mark.process
@pytest.mark.parametrize("watcher", ["on", "off"])
def test_machine_code_is_stopped_in_time(sit, watcher):
    seat = sit(Minimax(), "gdl/connectfour", settings={**GDL, "Watcher": watcher}, compile_rules=compile_in_background)
    assert seat.choose("3000").startswith("drop ")
    report = seat.last_search()
    assert (report["solved"], report["code"]) == ("no", "yes")
    assert int(report["depth"]) > 3


@pytest.mark.process
@pytest.mark.parametrize("learning", ["on", "off"])
def test_checkers_is_learned_before_it_is_searched(sit, learning):
    settings = {**GDL, "Depth": "2", "Learning": learning}
    _, report = reported(sit, "gdl/checkers", settings, compile_rules=compile_in_background)
    assert report["code"] == "yes"
    assert (int(report["learned"]) > 50) == (learning == "on")


@pytest.mark.process
def test_without_machine_code_the_interpreter_is_searched(sit):
    settings = {**GDL, "Compiled": "off", "Depth": "3"}
    _, report = reported(sit, "gdl/connect3", settings, compile_rules=compile_in_background)
    assert report["code"] == "no"


@pytest.mark.process
@pytest.mark.parametrize(
    ("rule", "settings"),
    [
        ("RockPaperScissors", {}),
        ("CantStop", {"Depth": "2"}),
        ("gdl/buttons", {"Compiled": "off"}),
        ("gdl/tron", {"Compiled": "off", "Depth": "3"}),
        ("gdl/chinesecheckers2", {"Compiled": "off", "Depth": "1"}),
    ],
)
def test_every_kind_of_game(sit, rules, rule, settings):
    """Moves at the same time, chance, and puzzles: from where the first player has a choice."""
    found = rules(rule)
    position = found.start()
    seat = sit(Minimax(), rule, found.players(found.complete({}))[0], settings={"Time": "20000", **settings})
    while position.turn().players == ("Chance",):
        move = position.chance()[0][0]
        seat.tell("made_move", "Chance", move)
        position = position.play({"Chance": move}).position
    assert seat.choose() in position.moves(position.turn().players[0])
    assert int(seat.last_search()["depth"]) > 0


@pytest.mark.process
def test_the_paranoid_sees_enemies_everywhere(sit):
    """With three at the table."""
    values = {}
    for opponents in ("selfish", "paranoid"):
        seat = sit(
            Minimax(), "CantStop", "Red", {"players": "3"},
            {"Depth": "2", "Time": "0", "seed": "1", "Opponents": opponents},
        )  # fmt: skip
        seat.tell("made_move", "Chance", "1 1 2 2")
        seat.choose()
        values[opponents] = float(seat.last_search()["value"])
    assert values["paranoid"] <= values["selfish"]


@pytest.mark.process
@pytest.mark.parametrize("watcher", ["on", "off"])
def test_it_suggests_what_is_best_so_far(sit, watcher):
    seat = sit(Minimax(), "Nim", settings={"Time": "0", "Watcher": watcher})
    suggested = []
    game, budget = seat.session.asked(Command("have_to_play", ()), suggested.append)
    chosen = seat.engine.choose(game, budget)
    assert suggested[-1] == chosen


# Evaluators.

PLY = {"Depth": "1", "Time": "0", "seed": "1", "Extension": "0"}


def seat_in_code(sit, rule, player, **settings):
    """An engine that searches in machine code."""
    settings = {**PLY, "Watcher": "off", "start_clock": "60000", "Ahead": "off", **settings}
    seat = sit(Minimax(), rule, player, settings=settings, compile_rules=compile_in_background)
    assert seat.engine._in_code
    return seat


@pytest.mark.process
@pytest.mark.parametrize("watcher", ["on", "off"])
def test_an_evaluator_is_asked_instead_of_heuristics(sit, watcher) -> None:
    seat = sit(Minimax(), "TicTacToe", "Cross", settings={**PLY, "Evaluation": "linear", "Watcher": watcher})
    assert seat.choose() == "B2"
    seat.engine._watched.end()


def test_an_evaluator_is_asked_in_machine_code(sit) -> None:
    seat = seat_in_code(sit, "gdl/connect3", "red", Evaluation="linear")
    assert seat.choose() in seat.game().moves()
    assert seat.last_search()["code"] == "yes"
    assert all(leaves is not None for leaves in seat.engine._preparation.code._leaves.values())
    seat.session.close()


@pytest.mark.process
@pytest.mark.parametrize("watcher", ["on", "off"])
@pytest.mark.parametrize("kind", [Broken, OnlyRows])
def test_what_is_wrong_with_an_evaluator_is_said_in_a_sentence(sit, monkeypatch, kind, watcher) -> None:
    monkeypatch.setattr(minimax, "evaluator_of", kind.read)
    seat = sit(Minimax(), "TicTacToe", "Cross", settings={**PLY, "Watcher": watcher})
    with pytest.raises(EngineError, match=r"^evaluator (broken: ZeroDivisionError|rows only: it serves only compiled)"):
        seat.choose()
    seat.engine._watched.end()


def test_what_is_wrong_with_an_evaluator_is_said_in_machine_code_too(sit, monkeypatch) -> None:
    monkeypatch.setattr(minimax, "evaluator_of", Broken.read)
    seat = seat_in_code(sit, "gdl/connect3", "red")
    with pytest.raises(EngineError, match=r"^evaluator broken: ZeroDivisionError"):
        seat.choose()
    seat.session.close()


def test_compiled_games_are_searched_by_positions_for_an_evaluator_of_positions(sit, monkeypatch) -> None:
    monkeypatch.setattr(minimax, "evaluator_of", OnlyPositions.read)
    seat = sit(Minimax(), "gdl/tictactoe", "cross", settings={**PLY, "Watcher": "off"})
    seat.choose()
    assert seat.last_search()["code"] == "no"
    assert "ignored" not in seat.last_search()


def test_an_evaluator_of_rows_waits_until_the_game_is_compiled(sit, monkeypatch) -> None:
    monkeypatch.setattr(minimax, "evaluator_of", OnlyRows.read)
    seat = sit(Minimax(), "gdl/tictactoe", "cross", settings={**PLY, "Watcher": "off"})
    seat.choose()
    assert seat.last_search()["ignored"] == "rows only: the game is not compiled yet"
