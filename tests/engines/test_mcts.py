"""MCTS as an engine: told of moves, asked for moves, in every kind of game it plays."""

import os
import random
import signal
import sys
import time

import pytest
from ggtp.engines.mcts import Mcts, made_with
from support.clusters import own_cluster
from support.evaluators import Broken, OnlyPositions, OnlyRows

from ggtp.errors import EngineError
from ggtp.game import Standing
from ggtp.kit import Budget
from ggtp.kit.rulebook import compile_in_background
from ggtp.protocol.messages import Command
from ggtp.search.mcts import options
from ggtp.search.mcts.options import Settings
from ggtp.search.playouts.mast import Mast
from ggtp.search.tree.grave import Grave

QUICK = {"Time": "0", "Playouts": "300", "seed": "1"}


def play(sit, rules, rule, engine_player, settings=QUICK, seed=0):
    """A game of the engine against one who moves at random; returns the last position."""
    rng = random.Random(seed)
    seat = sit(Mcts(), rule, engine_player, settings=settings)
    position = rules(rule).start({})
    while position.result() is None:
        players = position.turn().players
        moves = {}
        for player in players:
            if player == "Chance":
                moves[player] = position.draw(rng)
            else:
                moves[player] = seat.choose() if player == engine_player else rng.choice(position.moves(player))
        position = position.play(moves).position
        for player, move in moves.items():
            seat.tell("made_move", player, move)
    return position


@pytest.mark.parametrize("player", ["Cross", "Circle"])
def test_it_never_loses_tic_tac_toe(sit, rules, player):
    for seed in range(3):
        result = play(sit, rules, "TicTacToe", player, seed=seed).result()
        assert result.standings[player] is not Standing.LOSS


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["ConnectFour", "CantStop", "RockPaperScissors", "Nim"])
def test_it_plays_all_kinds_of_games_to_their_ends(sit, rules, rule):
    players = rules(rule).players(rules(rule).complete({}))
    position = play(sit, rules, rule, players[0], {**QUICK, "Playouts": "20"})
    assert position.result() is not None


def test_it_takes_a_win_at_once(sit):
    seat = sit(Mcts(), "TicTacToe", "Cross", settings={**QUICK, "Playouts": "1"})
    for player, move in (("Cross", "A1"), ("Circle", "A2"), ("Cross", "B1"), ("Circle", "B2")):
        seat.tell("made_move", player, move)
    assert seat.choose() == "C1"
    assert seat.last_search()["solved"] == "yes"


def test_it_reports_what_it_found(sit):
    seat = sit(Mcts(), "ConnectFour", "Yellow", settings=QUICK)
    assert seat.tell("get_option", "last_search") == "none"
    move = seat.choose()
    told = seat.last_search()
    assert told["move"] == move
    assert told["playouts"] == "300"
    assert {"value", "depth", "playouts/s", "nodes", "line", "moves", "solved"} <= told.keys()
    assert told["value"].startswith("Yellow ")
    assert f"{move} " in told["moves"]


def test_a_new_play_knows_nothing_of_the_one_before(sit):
    """Games of a match are to be independent: what is found in one does not depend on how many there were."""
    seat = sit(Mcts(), "ConnectFour", "Yellow", settings=QUICK)
    first = int((seat.choose(), seat.last_search()["nodes"])[1])
    again = int((seat.choose(), seat.last_search()["nodes"])[1])
    assert again > 1.5 * first, "it goes on with its tree"
    seat.tell("start")
    anew = int((seat.choose(), seat.last_search()["nodes"])[1])
    assert anew < 1.2 * first


def test_it_reports_while_it_thinks(sit):
    engine = Mcts()
    seat = sit(engine, "ConnectFour", "Yellow", settings={"Time": "0", "seed": "1"})
    game = seat.game()
    told = []

    class Asking:
        deadline = None
        count = 0

        def limit(self, seconds):
            raise AssertionError("there is no limit")

        def remaining(self):
            return None

        def should_stop(self):
            self.count += 1
            if self.count == 3000:
                told.append(seat.last_search())
            return self.count > 3000

    engine.choose(game, Asking())
    assert int(told[0]["playouts"]) > 10
    assert "ConnectFour" not in told[0]


def test_equal_seeds_make_equal_choices(sit):
    moves = {sit(Mcts(), "Breakthrough", "White", settings={**QUICK, "Playouts": "60"}).choose() for _ in range(2)}
    assert len(moves) == 1


def test_the_only_move_needs_no_search(sit):
    seat = sit(Mcts(), "Nim", options={"heaps": "1"}, settings=QUICK)
    assert seat.choose()
    assert "playouts" not in seat.last_search()


def test_games_with_secrets_and_races_are_refused(rules):
    phantom = rules("PhantomTicTacToe")
    assert "secrets" in Mcts().plays(phantom, phantom.complete({}))
    nim = rules("Nim")
    assert Mcts().plays(nim, nim.complete({})) is None


def test_the_tree_is_kept_for_the_next_move_and_given_up_for_another_game(sit):
    engine = Mcts()
    seat = sit(engine, "ConnectFour", "Yellow", settings=QUICK)
    first = seat.choose()
    tree = engine._positions
    seat.tell("made_move", "Yellow", first)
    seat.tell("made_move", "Red", "4")
    seat.choose()
    assert engine._positions is tree
    assert tree.root.visits > 300
    seat.tell("set_option", "rule", "TicTacToe")
    seat.tell("start")
    assert engine._positions is None


COMPILED = ["gdl/tictactoe", "gdl/connect3", "gdl/tron", "gdl/buttons"]


@pytest.fixture(name="sit_compiled")
def make_sit_compiled(sit):
    """An engine whose rule is compiled, and ready."""
    seats = []

    def make(rule, player, **settings):
        seat = sit(Mcts(), rule, player, settings={**QUICK, **settings}, compile_rules=compile_in_background)
        seats.append(seat)
        assert seat.game().compiled(Budget(60)) is not None
        assert seat.engine._maker.search(60) is not None
        return seat

    yield make
    for seat in seats:
        seat.session.close()


@pytest.mark.process
@pytest.mark.parametrize(
    ("told", "ignored"),
    [({"Policy": "greedy"}, "greedy"), ({"Policy": "mast"}, "mast"), ({"Grave": "50"}, "GRAVE")],
)
def test_policies_that_only_hold_for_positions_are_said_to_be_ignored_in_compiled_games(
    sit, sit_compiled, told, ignored
):
    settings = {**told, "Minimax": "0"}
    over_positions = sit(Mcts(), "ConnectFour", "Yellow", settings={**QUICK, **settings})
    over_positions.choose()
    assert "ignored" not in over_positions.last_search()
    compiled = sit_compiled("gdl/connect3", "red", **settings)
    compiled.choose()
    assert compiled.last_search()["ignored"] == f"{ignored}: compiled games are searched without"
    compiled.tell("set_option", "Policy", "random")
    compiled.tell("set_option", "Grave", "0")
    compiled.tell("start")
    compiled.choose()
    assert "ignored" not in compiled.last_search()


FOLLOWED = {**QUICK, "Playouts": "5", "Minimax": "0", "Grave": "5", "Policy": "mast", "MastEpsilon": "20"}


@pytest.mark.parametrize("rule", ["ConnectFour", "CantStop", "RockPaperScissors", "Nim", "gdl/connect3"])
def test_it_plays_all_kinds_of_games_by_the_policies_that_were_set(sit, rules, rule):
    player = rules(rule).players(rules(rule).complete({}))[0]
    assert play(sit, rules, rule, player, FOLLOWED).result() is not None


def test_it_follows_the_policies_that_were_set(sit):
    seat = sit(Mcts(), "ConnectFour", "Yellow", settings={**FOLLOWED, "Playouts": "40"})
    seat.choose()
    search = seat.engine._positions
    assert (search.settings.selection, search.settings.policy) == (Grave(5), Mast(0.2))
    assert search.root.kept
    assert all(search._mover.means)


@pytest.mark.process
@pytest.mark.parametrize("rule", COMPILED)
def test_compiled_games_are_played_to_their_ends(sit_compiled, rules, rule):
    rng = random.Random(5)
    player = rules(rule).players({})[0]
    seat = sit_compiled(rule, player, Playouts="3000")
    position = rules(rule).start({})
    while position.result() is None:
        moves = {}
        for other in position.turn().players:
            moves[other] = seat.choose() if other == player else rng.choice(position.moves(other))
        position = position.play(moves).position
        for other, move in moves.items():
            seat.tell("made_move", other, move)
    assert seat.engine._positions is None
    assert position.result().standings[player] is not Standing.LOSS


def test_a_compiled_game_is_solved_and_told_so(sit_compiled):
    seat = sit_compiled("gdl/tictactoe", "cross", Playouts="1000000")
    assert seat.choose()
    told = seat.last_search()
    assert told["solved"] == "yes"
    assert told["value"] == "cross 50 circle 50"


def test_the_tree_of_a_compiled_game_is_kept_after_undo(sit_compiled):
    seat = sit_compiled("gdl/connect3", "red", Solver="off")
    first = seat.choose()
    nodes = int(seat.last_search()["nodes"])
    seat.tell("made_move", seat.game().player, first)
    seat.tell("undone_move")
    seat.choose()
    assert int(seat.last_search()["nodes"]) > nodes


def test_while_it_is_not_compiled_positions_are_searched(sit):
    seat = sit(Mcts(), "gdl/connect3", settings={**QUICK, "Playouts": "5"})
    assert seat.choose()
    assert seat.engine._maker.search() is None
    assert seat.last_search()["playouts"] == "5"


def test_on_a_machine_that_lets_it_wait_it_is_done_sooner() -> None:
    engine = Mcts()
    now = time.monotonic()
    budget = Budget(10)
    assert engine._end(budget) == budget.deadline
    engine._notice_delay(now - 2)
    assert 7 < engine._end(budget) - now < 8.1
    engine._notice_delay(now + 100)  # over before its end: nothing to learn
    assert 7 < engine._end(budget) - now < 8.1
    engine._notice_delay(now - 50)
    assert 3 < engine._end(budget) - now < 4.1  # something of the time is always used
    assert engine._end(Budget(None)) is None


def test_it_suggests_what_is_best_so_far(sit):
    seat = sit(Mcts(), "TicTacToe", settings={"Solver": "off", "Time": "100"})
    suggested = []
    game, budget = seat.session.asked(Command("have_to_play", ()), suggested.append)
    seat.engine.choose(game, budget)
    assert suggested
    assert set(suggested) <= set(game.moves())


def test_what_was_loaded_for_a_rule_is_there_at_the_start(sit_compiled):
    seat = sit_compiled("gdl/tictactoe", "cross", Playouts="400")
    engine = seat.engine
    engine.settle(seat.game(), Budget(30))
    maker = engine._maker
    assert maker.search() is not None
    seat.tell("start")
    assert engine._maker is maker
    engine.settle(seat.game(), Budget(30))
    seat.tell("set_option", "Batch", "1")
    seat.tell("start")
    assert engine._maker is maker
    engine.settle(seat.game(), Budget(30))
    seat.tell("set_option", "Guess", "0")
    seat.tell("start")
    assert engine._maker is not maker, "it was made to learn"
    assert made_with(Settings(minimax=0.0)) != made_with(Settings(minimax=0.5)) == made_with(Settings(minimax=0.2))


@pytest.mark.parametrize(
    ("option", "made"),
    [
        ("Foresight", lambda search: search.kernel.program.foresight),
        ("Learning", lambda search: search._lessons is not None),
        ("Minimax", lambda search: search._scouts is not None),
    ],
)
def test_what_a_search_is_made_with_can_be_changed_between_plays(sit_compiled, option, made):
    seat = sit_compiled("gdl/connect3", "red", Playouts="100")

    def has_it():
        maker = seat.engine._maker
        assert maker.wait_for_best(60)
        return made(maker.search())

    on, off = ("80", "0") if option == "Minimax" else ("on", "off")
    assert has_it()
    for value, wanted in ((off, False), (on, True)):
        seat.tell("set_option", option, value)
        seat.tell("start")
        assert has_it() == wanted
        seat.choose()
        assert has_it() == wanted
        kept = seat.engine._maker
        seat.tell("start")
        assert seat.engine._maker is kept


@pytest.mark.slow
def test_features_are_not_followed_any_more_where_they_are_switched_off(sit_compiled, learn_little):
    seat = sit_compiled("gdl/connect3", "red", Playouts="100", Features="on", FeatureTrial="off")
    assert seat.engine._tutor.wait(60)
    seat.choose()
    guided = seat.engine._tutor.kernel(0)
    assert guided is not None
    assert guided is seat.engine._maker.search().kernel
    seat.tell("set_option", "Features", "off")
    seat.tell("start")
    seat.choose()
    assert seat.engine._maker.search().kernel is not guided
    assert "features" not in seat.last_search()


@pytest.mark.process
@pytest.mark.parametrize("foresight", ["on", "off"])
def test_players_of_random_games_look_ahead_where_that_is_wanted(sit_compiled, foresight):
    """Who does finds a move that wins in the end, from the first search on, however long code takes to be made."""
    seat = sit_compiled("gdl/connectfour", "yellow", Time="0", Playouts="30000", Minimax="0", Foresight=foresight)
    for number, column in enumerate("444343"):
        seat.tell("made_move", ("yellow", "red")[number % 2], f"drop {column}")
    assert (seat.choose() in ("drop 4", "drop 6", "drop 7")) == (foresight == "on")


@pytest.mark.parametrize(("share", "solved"), [("50", "yes"), ("0", "no")])
def test_minimax_looks_ahead_first_where_that_is_wanted(sit_compiled, share, solved):
    """A minute is never needed: there is little to look at, and one playout to play."""
    seat = sit_compiled("gdl/tictactoe", "cross", Time="60000", Playouts="1", Minimax=share)
    assert seat.engine._maker.wait_for_best(60)
    for player, move in (("cross", "mark 1 1"), ("circle", "mark 1 2")):
        seat.tell("made_move", player, move)
    seat.choose()
    told = seat.last_search()
    assert told["solved"] == solved
    assert ("sounded" in told) == (share != "0")
    assert (told["value"] == "cross 100 circle 0") == (share != "0")


@pytest.mark.parametrize(("short", "first"), [(1, True), (3600, False)])
def test_a_short_move_is_searched_before_anything_is_learned(sit_compiled, monkeypatch, short, first):
    """What is learned serves later moves, and something must be suggested soon."""
    monkeypatch.setattr(sys.modules[Mcts.__module__], "LEARNS_FIRST", short)
    seat = sit_compiled("gdl/connect3", "red", Playouts="200", Minimax="0")
    search = seat.engine._maker.search(60)
    assert search is not None
    suggested, learned = [], []
    search.to_learn = lambda deadline: 0.001
    search.learn = lambda deadline, seconds: learned.append((seconds, bool(suggested)))
    game, _ = seat.session.asked(Command("have_to_play", ()), suggested.append)
    chosen = seat.engine.choose(game, Budget(60))
    assert [each for each in learned if each[0]] == [(0.001, not first)], "0 seconds are for what is known already"
    assert first or suggested[-1] == chosen


@pytest.mark.parametrize(("left", "sounded"), [(0.2, 0.1), (0.04, 0.02), (0.02, None)])
def test_minimax_looks_ahead_where_there_is_time_to_see_something(sit, monkeypatch, left, sounded):
    """Of 50 ms a move, half are left."""
    asked = []

    class Search:
        def deepen(self, player, seconds, told):
            asked.append(seconds)

        def stop_deepening(self):
            raise AssertionError("nobody has withdrawn it")

    seat = sit(Mcts(), "TicTacToe", "Cross")
    monkeypatch.setattr(time, "monotonic", lambda: 100.0)
    seat.engine._deepen(Search(), seat.game(), 0.5, Budget(None), 100.0 + left)
    assert asked == ([] if sounded is None else [pytest.approx(sounded)])


@pytest.mark.parametrize("share", ["80", "0"])
def test_minimax_looks_ahead_in_rules_in_python_too(sit, share):
    """One playout knows nothing, and an edge in answer to a corner is lost."""
    seat = sit(Mcts(), "TicTacToe", "Cross", settings={"Time": "60000", "Playouts": "1", "seed": "1", "Minimax": share})
    for player, move in (("Cross", "A1"), ("Circle", "A2")):
        seat.tell("made_move", player, move)
    seat.choose()
    told = seat.last_search()
    assert ("sounded" in told) == (share != "0")
    assert (told["solved"], told["value"]) == ("yes", "Cross 100 Circle 0") or share == "0"
    assert told["solved"] == "no" or share != "0"


@pytest.mark.slow
def test_what_is_known_from_before_is_suggested_before_anything_is_searched(sit):
    engine = Mcts()
    seat = sit(engine, "TicTacToe", "Cross", settings={**QUICK, "Playouts": "20000"})
    chosen = seat.choose()
    suggested = []
    game, budget = seat.session.asked(Command("have_to_play", ()), suggested.append)
    engine._watch.run = lambda *args: None  # the thread never begins
    assert engine.choose(game, budget) == chosen
    assert suggested == [chosen]


def test_where_nobody_limits_the_time_minimax_does_not_look_ahead(sit_compiled):
    seat = sit_compiled("gdl/tictactoe", "cross")
    seat.choose()
    assert "sounded" not in seat.last_search()


# Helpers.


@pytest.fixture(name="sit_helped")
def make_sit_helped(sit):
    """An engine with helpers, which are sent home in the end."""
    engines = []

    def make(rule, player, compiled=False, options=None, **settings):
        engines.append(Mcts())
        more = {"compile_rules": compile_in_background} if compiled else {}
        return sit(engines[-1], rule, player, options, {"Time": "0", "seed": "1", **settings}, **more)

    yield make
    for engine in engines:
        engine.close()


def joined(seat, address, workers):
    """The team at an address, when so many workers are there; the bound of the test ends the wait."""
    team = seat.engine._teams[address]
    assert team.wait(60)
    while len(team.workers) < workers:
        team._thread.join(0.02)
    return team


HELPED = [
    ("ConnectFour", "Yellow", None, False),
    ("Nim", "First", {"heaps": "1 2 3 4 5 6"}, False),
    ("gdl/connect3", "red", None, True),
]
"""Rules in Python without and with options, and compiled ones."""


@pytest.mark.process
@pytest.mark.parametrize(("rule", "player", "options", "compiled"), HELPED)
def test_processes_help(sit_helped, rules, rule, player, options, compiled):
    player = rules(rule).players(rules(rule).complete(options or {}))[0]
    alone = sit_helped(rule, player, compiled, options, Playouts="30", Solver="off")
    alone.choose()
    counted = int(alone.last_search()["playouts"])
    seat = sit_helped(rule, player, compiled, options, Processes="2", Playouts="30", Solver="off")
    assert seat.choose() in seat.game().moves()
    told = seat.last_search()
    assert "trouble" not in told, told["trouble"]
    assert told["workers"] == "2"
    assert int(told["playouts"]) >= 2 * 30 > 30
    assert int(told["playouts"]) > counted


@pytest.mark.process
def test_processes_help_within_a_limit_of_time(sit_helped):
    seat = sit_helped("ConnectFour", "Yellow", Processes="2", Playouts="20")
    seat.choose()  # helpers are there now, whatever that has taken
    seat.tell("set_option", "Playouts", "0")
    # A busy machine may wake anybody up late; then a helper is done without, as it has to be.
    for milliseconds in ("2000", "4000", "8000", "16000"):
        before = time.monotonic()
        seat.choose(milliseconds)
        assert time.monotonic() - before < int(milliseconds) / 1000 + 10
        told = seat.last_search()
        if "workers" in told:
            break
        assert told["trouble"] == "Not answered in time: 1."
    assert told["workers"] == "2"


@pytest.mark.process
def test_helpers_read_the_rule_when_a_play_begins(sit_helped):
    """At the first move it would be too late: to compile may take longer than that."""
    seat = sit_helped("gdl/tictactoe", "cross", True, Processes="2")
    team = seat.engine._teams["2"]
    _, told = team._heard.get(timeout=60)
    assert told["round"] == 1
    assert "failed" not in told


@pytest.mark.process
def test_who_does_not_answer_in_time_is_told_of(sit_helped):
    seat = sit_helped("ConnectFour", "Yellow", Processes="2", Playouts="20")
    os.kill(seat.engine._teams["2"]._members[0].pid, signal.SIGSTOP)
    seat.choose("300")
    assert seat.last_search()["trouble"] == "Not answered in time: 1."


@pytest.mark.process
def test_all_processes_share_the_memory(sit_helped):
    seat = sit_helped("ConnectFour", "Yellow", Processes="4", memory="256")
    assert seat.engine._settings(seat.game()).megabytes == 64
    assert seat.engine._teams.keys() == {"4"}


@pytest.mark.process
@pytest.mark.bound(240)
def test_a_cluster_helps(sit_helped, rules):
    with own_cluster(2) as cluster:
        for rule, _, options, compiled in HELPED:
            player = rules(rule).players(rules(rule).complete(options or {}))[0]
            seat = sit_helped(rule, player, compiled, options, Cluster=cluster.address, Playouts="30", Solver="off")
            joined(seat, cluster.address, 2)
            seat.choose()
            told = seat.last_search()
            assert "trouble" not in told, told["trouble"]
            assert told["workers"] == "3"
            assert int(told["playouts"]) >= 3 * 30


@pytest.mark.process
@pytest.mark.bound(240)
def test_a_move_comes_in_time_though_a_worker_of_the_cluster_dies_in_the_middle(sit_helped):
    killed = []
    with own_cluster(2) as cluster:
        seat = sit_helped("ConnectFour", "Yellow", Cluster=cluster.address, Playouts="20")
        joined(seat, cluster.address, 2)
        seat.choose()
        assert seat.last_search()["workers"] == "3", "both have helped before"
        seat.tell("set_option", "Playouts", "0")
        seat.tell("set_option", "Time", "2000")

        def kill(move):
            """There is a suggestion: the search is under way, and helpers were asked before it."""
            if not killed:
                killed.append(next(iter(cluster.workers.values())))
                killed[0].kill()

        game, budget = seat.session.asked(Command("have_to_play", ()), kill)
        chosen = seat.engine.choose(game, budget)
        answered = time.monotonic()
    assert killed
    assert chosen in game.moves()
    # A busy machine may wake us up late; whoever waits for the dead waits for ever.
    assert answered < budget.deadline + 10
    assert int(seat.last_search().get("workers", 1)) <= 2


@pytest.mark.process
@pytest.mark.bound(240)
@pytest.mark.parametrize("what", [signal.SIGSTOP, signal.SIGKILL])
def test_a_move_comes_in_time_though_the_scheduler_is_stopped_or_dies(sit_helped, what):
    with own_cluster(1) as cluster:
        seat = sit_helped("ConnectFour", "Yellow", Cluster=cluster.address, Playouts="20")
        joined(seat, cluster.address, 1)
        seat.choose()
        assert seat.last_search()["workers"] == "2"
        seat.tell("set_option", "Playouts", "0")
        seat.tell("set_option", "Time", "2000")
        done = []

        def disturb(move):
            if not done:
                done.append(move)
                cluster.scheduler.send_signal(what)

        for _ in range(3):
            game, budget = seat.session.asked(Command("have_to_play", ()), disturb)
            chosen = seat.engine.choose(game, budget)
            assert time.monotonic() < budget.deadline + 5  # a busy machine may wake us up late
            assert chosen in game.moves()
            assert int(seat.last_search()["playouts"]) > 0, "it was no random move"
        assert done
        team = seat.engine._teams[cluster.address]
        while not team.trouble:
            team._thread.join(0.02)
        seat.choose()
        assert "scheduler" in seat.last_search()["trouble"]


@pytest.mark.slow
def test_a_scheduler_that_cannot_be_reached_costs_no_move_any_time(sit_helped, monkeypatch):
    monkeypatch.setattr(sys.modules[Mcts.__module__], "JOINING", 0.0)
    address = "tcp://127.0.0.1:9"
    seat = sit_helped("ConnectFour", "Yellow", Cluster=address, Playouts="20")
    first = seat.engine._teams[address]
    for _ in range(2):  # while it connects, and when that has failed
        before = time.monotonic()
        seat.choose("2000")
        assert time.monotonic() - before < 8, "connecting takes ten seconds to fail"
        told = seat.last_search()
        assert int(told["playouts"]) == 20
        assert address in told["trouble"]
        assert not first.wait(60)
    assert seat.engine._teams[address] is first, "it is not tried again in the middle of a play"
    seat.tell("start")
    assert seat.engine._teams[address] is not first


def test_trouble_is_told_where_there_was_no_time_for_anything(sit_helped, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    seat = sit_helped("ConnectFour", "Yellow", Cluster="tcp://127.0.0.1:9")
    monkeypatch.setattr(seat.engine._watch, "run", lambda *args: None)  # the thread never begins
    assert seat.choose() in seat.game().moves()
    assert "ggtp[cluster]" in seat.last_search()["trouble"]


class Answering:
    """A team that says what it is told to say."""

    trouble, lost, waiting = "", False, 0

    def __init__(self, *found):
        self.found = found
        self.withdrawn = 0

    def ask(self, request):
        self.request = request

    def answers(self, deadline, should_stop):
        return [dict(found) for found in self.found]

    def withdraw(self):
        self.withdrawn += 1

    def close(self):
        return


def test_whatever_helpers_answer_a_move_is_made_and_trouble_told(sit_helped):
    seat = sit_helped("ConnectFour", "Yellow", Playouts="20")
    choice = {"move": "4", "visits": 1000, "value": 0.9, "proven": False, "length": 0}
    good = {"choices": [choice], "playouts": 1000}
    team = seat.engine._teams["2"] = Answering(
        {"failed": "It hurts, badly."}, {}, {"choices": [{**choice, "colour": "red"}]}, {"version": 9}, good
    )
    seat.session.set_option("Processes", "2")
    seat.choose()
    told = seat.last_search()
    assert (told["workers"], told["playouts"]) == ("2", "1020")
    assert "It hurts badly." in told["trouble"]
    assert "colour" in told["trouble"]
    assert team.request["seconds"] is None
    assert team.withdrawn == 1
    team.found = (good,)
    seat.choose()
    assert "trouble" not in seat.last_search()


@pytest.mark.process
def test_helpers_that_have_ended_are_replaced_when_a_play_begins(sit_helped):
    seat = sit_helped("TicTacToe", "Cross", Processes="2", Playouts="20")
    (old,) = seat.engine._teams.values()
    old._members[0].kill()
    os.waitid(os.P_PID, old._members[0].pid, os.WEXITED | os.WNOWAIT)
    seat.choose()
    assert "1 of 1 processes" in seat.last_search()["trouble"]
    seat.tell("start")
    (new,) = seat.engine._teams.values()
    assert new is not old
    seat.choose()
    assert "trouble" not in seat.last_search()


# Evaluators.


def test_an_evaluator_is_asked_instead_of_playouts(sit, sit_compiled) -> None:
    over_positions = sit(Mcts(), "TicTacToe", "Cross", settings={**QUICK, "Evaluation": "linear", "Minimax": "0"})
    assert over_positions.choose() == "B2"
    compiled = sit_compiled("gdl/connect3", "red", Evaluation="linear", Minimax="0")
    assert compiled.choose() in compiled.game().moves()
    assert compiled.engine._maker.search(0)._leaves._leaves._lessons.over
    assert int(compiled.last_search()["playouts"]) > 0


@pytest.mark.parametrize(("kind", "rule"), [(Broken, "TicTacToe"), (Broken, "gdl/connect3"), (OnlyRows, "TicTacToe")])
def test_what_is_wrong_with_an_evaluator_is_said_in_a_sentence(sit, sit_compiled, monkeypatch, kind, rule) -> None:
    monkeypatch.setattr(options, "evaluator_of", kind.read)
    if rule == "TicTacToe":
        seat = sit(Mcts(), rule, "Cross", settings={**QUICK, "Minimax": "0"})
    else:
        seat = sit_compiled(rule, "red", Minimax="0")
    with pytest.raises(EngineError, match=r"^evaluator (broken: ZeroDivisionError|rows only: it serves only compiled)"):
        seat.choose()


def test_compiled_games_are_searched_by_positions_for_an_evaluator_of_positions(sit_compiled, monkeypatch) -> None:
    seat = sit_compiled("gdl/tictactoe", "cross", Minimax="0")
    monkeypatch.setattr(options, "evaluator_of", OnlyPositions.read)
    seat.choose()
    assert seat.engine._positions is not None


def test_an_evaluator_of_rows_waits_until_the_game_is_compiled(sit, monkeypatch) -> None:
    monkeypatch.setattr(options, "evaluator_of", OnlyRows.read)
    seat = sit(Mcts(), "gdl/tictactoe", "cross", settings={**QUICK, "Minimax": "0"})
    seat.choose()
    assert seat.last_search()["ignored"] == "rows only: the game is not compiled yet"


@pytest.mark.parametrize("rule", ["TicTacToe", "gdl/connect3"])
def test_an_evaluator_learns_on_the_start_clock_and_knows_it_in_the_next_game(sit, sit_compiled, rule) -> None:
    settings = {"Evaluation": "linear", "Minimax": "0", "start_clock": "600000"}
    if rule == "TicTacToe":
        seat = sit(Mcts(), rule, "Cross", settings={**QUICK, **settings})
        leaves = seat.engine._positions.leaves
    else:
        seat = sit_compiled(rule, "red", **settings)
        leaves = seat.engine._maker.search(0)._leaves
    assert not leaves.study(lambda: False), "there is nothing left to learn"
    seat.tell("start")
    seat.choose()
    search = seat.engine._positions if rule == "TicTacToe" else seat.engine._maker.search(0)
    assert (search.leaves if rule == "TicTacToe" else search._leaves) is leaves
