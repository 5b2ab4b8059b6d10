"""The tools of the checks: names, findings, random choices."""

from __future__ import annotations

import importlib
import random

import pytest

from ggtp.game import CHANCE
from ggtp.game.checks.examine import Finding, Ledger, choose, fault_of_name, fault_of_word, one_line, snapshot


@pytest.mark.parametrize("name", ["A1", "take 2 from B", "a2xb3", "1 3 4 6", "♠10", "é"])
def test_good_names(name: str) -> None:
    assert fault_of_name(name) == ""


@pytest.mark.parametrize(
    "name", ["", " ", " A1", "A1 ", "A  1", "A,1", "A\t1", "A\n1", "A\r1", "A\x001", "A\u00a01", None, 7]
)
def test_bad_names(name: object) -> None:
    assert fault_of_name(name) != ""
    assert fault_of_word(name) != ""


def test_a_word_has_no_blank() -> None:
    assert fault_of_word("Big Bob") == "has a blank in it"
    assert fault_of_word("Bob") == ""


@pytest.mark.parametrize(("text", "good"), [("a b", True), ("", True), ("a\n", True), ("a\nb", False), (None, False)])
def test_one_line(text: object, good: bool) -> None:
    assert one_line(text) == good


def test_the_ledger_keeps_a_finding_once_with_what_was_played() -> None:
    said: list[str] = []
    ledger = Ledger(said.append)
    ledger.played.append("Cross A1")
    assert ledger.expect(True, "turn", "nothing is wrong")
    assert not ledger.expect(False, "turn", "something is wrong", "here")
    ledger.played.append("Circle B2")
    ledger.note("turn", "something is wrong", "there")
    ledger.note("view", "something is wrong")
    assert ledger.findings == [
        Finding("turn", "something is wrong: here", ("Cross A1",)),
        Finding("view", "something is wrong", ("Cross A1", "Circle B2")),
    ]
    assert said == ["turn: something is wrong: here", "view: something is wrong"]


@pytest.mark.parametrize(
    "error", [ValueError("one\ntwo"), SystemExit("one"), RecursionError("one"), AssertionError("one")]
)
def test_the_guard_makes_a_finding_of_what_is_raised(error: BaseException) -> None:
    def view() -> None:
        raise error

    ledger = Ledger()
    with ledger.guard("view"):
        view()
    assert ledger.findings == [Finding("crash", f"view raised {type(error).__name__}: one")]


def test_the_guard_does_not_stop_the_user() -> None:
    with pytest.raises(KeyboardInterrupt), Ledger().guard("view"):
        raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("stem", "movers"), [("tictactoe", {"Cross"}), ("cantstop", {CHANCE}), ("rockpaperscissors", {"Left", "Right"})]
)
def test_choices_are_moves_of_those_who_are_to_move(stem: str, movers: set[str]) -> None:
    position = importlib.import_module("ggtp.rules." + stem).RULES.start()
    moves = choose(position, random.Random(0))
    assert moves.keys() == movers
    assert all(move in position.moves(player) for player, move in moves.items())


def test_snapshots_are_equal_for_equal_positions_only() -> None:
    rules = importlib.import_module("ggtp.rules.tictactoe").RULES
    players = ("Cross", "Circle")
    first = rules.start()
    assert snapshot(first, players) == snapshot(rules.start(), players)
    assert snapshot(first, players) != snapshot(first.play({"Cross": "A1"}).position, players)
