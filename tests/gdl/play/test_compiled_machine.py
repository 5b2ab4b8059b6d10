"""The one-state player of a compiled game against the interpreter."""

from __future__ import annotations

import random
import threading
from functools import cache

import pytest
from support.lanes import KEPT
from support.paths import ROOT

from ggtp.gdl.ground.grounder import ground
from ggtp.gdl.interpret.reasoner import Interpreter
from ggtp.gdl.language.parse import parse_strictly, parse_term
from ggtp.gdl.language.syntax import Rulesheet, Term
from ggtp.gdl.network.build import build
from ggtp.gdl.play.agree import compare
from ggtp.gdl.play.compiled import CompiledGame

RULES = ROOT / "rules" / "gdl"
GAMES = ("tictactoe", "connect3", "rockpaperscissors", "threepoint", "buttons", "phantomtictactoe", "nim_gdl")


@cache
def sheet(name: str) -> Rulesheet:
    return parse_strictly((RULES / f"{name}.gdl").read_text("utf-8"))


@cache
def game(name: str) -> CompiledGame:
    return CompiledGame(build(ground(sheet(name))), KEPT)


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("name", GAMES)
def test_it_plays_as_the_interpreter_does(name: str, compiled: bool) -> None:
    agreement = compare(Interpreter(sheet(name)), game(name).machine(compiled=compiled), random.Random(3), games=3)
    assert agreement.difference is None
    assert agreement.states > 3


def test_percepts_are_those_of_the_interpreter() -> None:
    plain, fast = Interpreter(sheet("phantomtictactoe")), game("phantomtictactoe").machine(threading.Lock())
    rng = random.Random(1)
    one, two = plain.initial(), fast.initial()
    perceived: set[Term] = set()
    while not plain.terminal(one):
        moves = {role: rng.choice(plain.legal(one, role)) for role in plain.roles}
        for role in plain.roles:
            assert sorted(fast.sees(two, moves, role), key=str) == plain.sees(one, moves, role)
            perceived |= set(plain.sees(one, moves, role))
        one, two = plain.next(one, moves), fast.next(two, moves)
    assert perceived
    tictactoe = game("tictactoe").machine()
    start = tictactoe.initial()
    moves = {role: tictactoe.legal(start, role)[0] for role in tictactoe.roles}
    assert tictactoe.sees(start, moves, tictactoe.roles[0]) == []


def test_several_goals_and_none() -> None:
    text = """(role a) (role b) (init (step 1))
        (<= (legal ?r go) (role ?r)) (<= (next (step 2)) (does a go))
        (<= terminal (true (step 2)))
        (<= (goal a 100) (true (step 2))) (<= (goal a 50) (true (step 2))) (<= (goal b 7) (true (step 1)))"""
    rules = parse_strictly(text)
    machine = CompiledGame(build(ground(rules)), KEPT).machine()
    after = machine.next(machine.initial(), {role: parse_term("go") for role in machine.roles})
    a, b = machine.roles
    assert machine.terminal(after)
    assert {str(value) for value in machine.goal_values(after, a)} == {"50", "100"}
    assert list(machine.goal_values(after, b)) == []


def test_a_move_that_is_never_legal_is_not_known() -> None:
    machine = game("tictactoe").machine()
    with pytest.raises(KeyError):
        machine.next(machine.initial(), {role: parse_term("(mark 9 9)") for role in machine.roles})


def test_moves_are_in_the_order_of_their_texts() -> None:
    machine = game("tictactoe").machine()
    moves = list(map(str, machine.legal(machine.initial(), machine.roles[0])))
    assert moves == sorted(moves)
    assert len(moves) == 9
