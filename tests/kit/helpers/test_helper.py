"""A helper follows plays from one request to the next, and answers with what its engine found."""

import io
import json

import pytest
from ggtp.engines.mcts import Mcts

from ggtp.catalogue import Catalogue
from ggtp.errors import GgtpError
from ggtp.kit import Budget
from ggtp.kit.helpers.helper import Helper, HelperError, Inbox, Request, budget_of, load_engine, serve, think_here

FIND = Catalogue.from_environment({}).find_rules
OPTIONS = {"rule": "ConnectFour", "player": "Yellow", "Playouts": "30", "Time": "0", "seed": "1"}


def request(*moves: str, **options: str) -> Request:
    players = ("Yellow", "Red")
    history = [(players[number % 2], move) for number, move in enumerate(moves)]
    told = {**OPTIONS, "player": players[len(moves) % 2], **options}
    return {"options": told, "history": history, "seconds": None}


def test_it_tells_the_decision_level() -> None:
    found = Helper(Mcts(), FIND).think(request())
    assert found["playouts"] == 30
    assert {choice["move"] for choice in found["choices"]} == set("ABCDEFG")


def test_it_follows_the_play_and_keeps_its_tree() -> None:
    helper = Helper(Mcts(), FIND)
    helper.think(request("D", "D"))
    tree = helper._engine._positions  # type: ignore[attr-defined]
    visits = tree.root.visits
    helper.think(request("D", "D", "A", "A"))
    after = helper.think(request("D", "D"))  # two moves undone
    assert helper._engine._positions is tree  # type: ignore[attr-defined]
    assert sum(choice["visits"] for choice in after["choices"]) > visits


def test_another_game_is_another_play() -> None:
    helper = Helper(Mcts(), FIND)
    helper.think(request("D"))
    found = helper.think({**request(), "options": {**OPTIONS, "rule": "TicTacToe", "player": "Cross"}})
    assert len(found["choices"]) == 9


def test_what_it_does_not_know_it_says() -> None:
    with pytest.raises(GgtpError):
        Helper(Mcts(), FIND).think(request(rule="NoSuchGame"))


def test_lines_in_lines_out() -> None:
    out = io.StringIO()
    asked = [{**request(), "round": 7}, {}, {**request(rule="NoSuchGame"), "round": 8}, ["nonsense"], request()]
    serve(Mcts(), FIND, [(each, Budget(None)) for each in asked], out)
    first, second, third, fourth, fifth = map(json.loads, out.getvalue().splitlines())
    assert (first["playouts"], first["round"]) == (30, 7)
    assert "failed" in second
    assert "NoSuchGame" in third["failed"]
    assert third["round"] == 8
    assert "failed" in fourth
    assert fifth["playouts"] == 30, "a game that could not be played is forgotten"


def test_of_all_that_is_asked_the_newest_counts() -> None:
    inbox = Inbox()
    asked = iter(inbox)
    inbox.put({**request(), "round": 1})
    first, budget = next(asked)
    assert first["round"] == 1
    assert (budget.deadline, budget.should_stop()) == (None, False)
    inbox.put({**request(), "seconds": 5.0, "round": 2})
    inbox.put({**request(), "seconds": 5.0, "round": 3})
    assert budget.should_stop(), "nobody waits for the first any more"
    second, later = next(asked)
    assert second["round"] == 3
    assert not later.should_stop()
    inbox.put(None)
    assert later.should_stop()


def test_an_engine_that_helps_has_no_helpers() -> None:
    engine = Mcts()
    found = Helper(engine, FIND).think(request(Processes="3", Cluster="tcp://127.0.0.1:9"))
    assert found["playouts"] == 30
    assert engine._teams == {}


def test_rules_with_options_of_their_own() -> None:
    nim = {"rule": "Nim", "rule_options": "heaps=1 2", "player": "First", "Playouts": "5", "Time": "0"}
    helper = Helper(Mcts(), FIND)
    first = helper.think({"options": {**nim, "player": FIND("Nim").players({})[0]}, "history": [], "seconds": None})
    assert len(first["choices"]) == 3
    again = {**nim, "player": FIND("Nim").players({})[0], "rule_options": "heaps=1 2 3"}
    assert len(helper.think({"options": again, "history": [], "seconds": None})["choices"]) == 6


def test_a_worker_keeps_a_helper_for_each_who_asks() -> None:
    module = Mcts.__module__
    assert think_here("one", module, request())["playouts"] == 30
    nodes = think_here("one", module, request())["nodes"]
    assert nodes > 31  # its tree is still there
    assert think_here("two", module, request())["nodes"] <= 31


def test_the_engine_of_a_program() -> None:
    assert isinstance(load_engine(Mcts.__module__), Mcts)
    with pytest.raises(HelperError):
        load_engine("json")


def test_time_is_counted_by_the_clock_of_the_machine_where_there_is_one() -> None:
    left = budget_of({**request(), "seconds": 5.0}).remaining()
    assert left is not None
    assert 4 < left <= 5
    assert budget_of({**request(), "seconds": 5.0, "until": 0.0}).should_stop()
    assert budget_of(request()).deadline is None
    assert budget_of(request(), lambda: True).should_stop()
