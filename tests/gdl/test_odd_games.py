"""Odd games: what rulesheets may have and few do, played by the interpreter and by every kernel alike."""

from __future__ import annotations

import random
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from support.lanes import KEPT

from ggtp.gdl.ground.grounder import ground
from ggtp.gdl.interpret.reasoner import Interpreter, State
from ggtp.gdl.kernel.single import rows, unpack
from ggtp.gdl.language.parse import parse_strictly
from ggtp.gdl.network.build import build
from ggtp.gdl.network.machine import NetworkMachine
from ggtp.gdl.play.agree import compare
from ggtp.gdl.play.compiled import PLAYOUT_KERNELS, CompiledGame, PlayoutName
from ggtp.gdl.play.traces import Machine

LANES = 6
"""How many lanes are followed."""

GAMES = {
    "mixed case, comments, bars": """
        ;;; comment with ( unbalanced and |bars
        (ROLE White) (Role |Black|) ; trailing
        (INIT (Cell 1 B)) (init (cell 2 b)) (Init (Control WHITE))
        (<= (Legal ?Who (Mark ?N)) (TRUE (cell ?n b)) (true (Control ?who)))
        (<= (legal ?w NoOp) (role ?w) (NOT (true (control ?W))))
        (<= (next (cell ?n ?r)) (Does ?r (mark ?n)))
        (<= (next (cell ?n ?v)) (true (cell ?n ?v)) (distinct ?v b))
        (<= (next (cell ?n b)) (true (cell ?n B)) (does ?w (mark ?m)) (Distinct ?m ?n))
        (<= (next (control black)) (true (control white))) (<= (next (control white)) (true (control black)))
        (<= open (true (cell ?n b)))
        (<= Terminal (not OPEN))
        (<= (goal ?r 100) (true (cell 1 ?r)) (role ?r))
        (<= (goal ?r 0) (role ?r) (not (true (cell 1 ?r))))
    """,
    "zero arity everywhere": """
        (role r) (init (s)) (init t)
        (<= (legal r (go)) (true (s))) (<= (legal r go) (true t))
        (<= (next (s)) (does r go)) (<= (next u) (does r (go))) (<= (next t) (true (s)) (q))
        (<= (q) (true t)) (<= (p) (q)) (<= q2 (not (p)))
        (<= (terminal) (true u)) (<= terminal (true (s)) q2)
        (<= (goal r 100) (true u)) (<= (goal r 1) (not (true u)))
    """,
    "terminal in parentheses only": """
        (role r) (init s) (legal r go) (<= (next t) (does r go)) (<= (terminal) (true t)) (goal r 3)
    """,
    "deep nesting": """
        (role r) (init (stack (cons a (cons b (cons c nil)))))
        (<= (legal r pop) (true (stack (cons ?x ?y))))
        (<= (legal r (top ?x)) (true (stack (cons ?x ?rest))))
        (<= (legal r idle) (true (stack nil)))
        (<= (next (stack ?y)) (does r pop) (true (stack (cons ?x ?y))))
        (<= (next (stack (pair ?x nil))) (does r (top ?x)))
        (<= (legal r done) (true (stack (pair ?x nil))))
        (<= (next (stack (pair ?x nil))) (true (stack (pair ?x nil))) (does r done))
        (<= (next (seen ?x)) (does r (top ?x))) (<= (next (seen ?x)) (true (seen ?x)))
        (<= terminal (true (stack nil))) (<= terminal (true (seen ?x)))
        (<= (goal r 100) (true (seen c))) (<= (goal r 50) (true (seen b))) (<= (goal r 20) (true (seen a))) (<=
            (goal r 0) (true (stack nil)))
    """,
    "nested or, and, not": """
        (role x) (role o) (init (a 1)) (init (b 2)) (num 1) (num 2) (num 3)
        (<= (legal ?r (pick ?n)) (role ?r) (num ?n) (or (true (a ?n)) (true (b ?n)) (not (true (c ?n)))))
        (<= (legal ?r pass) (role ?r))
        (<= (next (a ?n)) (or (does x (pick ?n)) (does o (pick ?n))) (not (true (b ?n))))
        (<= (next (b ?n)) (num ?n) (or (true (a ?n)) (or (true (c ?n)) (does o (pick ?n)))) (or (distinct ?n 1)
            (not (true (a 3)))))
        (<= (next (c ?n)) (true (b ?n)) (does x pass))
        (<= (next (time ?n)) (true (time ?m)) (up ?m ?n)) (init (time 0)) (up 0 1) (up 1 2) (up 2 3) (up 3 4) (up 4
            5)
        (<= terminal (true (time 5)))
        (<= (goal x 100) (or (true (a 1)) (true (c 2)))) (<= (goal x 30) (not (true (a 1))) (not (true (c 2))))
        (<= (goal o 50) (true (time ?t)))
    """,
    "mutual recursion": """
        (role r) (init (on 0)) (node 0) (node 1) (node 2) (node 3) (arc 0 1) (arc 1 2) (arc 2 3) (arc 3 0) (arc 0 2)
        (<= (even ?x) (true (on ?x))) (<= (even ?y) (odd ?x) (arc ?x ?y) (true (wire ?x ?y)))
        (<= (odd ?y) (even ?x) (arc ?x ?y) (true (wire ?x ?y)))
        (<= (legal r (lay ?x ?y)) (arc ?x ?y) (not (true (wire ?x ?y))))
        (<= (legal r rest) (true (on ?x)))
        (<= (next (wire ?x ?y)) (does r (lay ?x ?y))) (<= (next (wire ?x ?y)) (true (wire ?x ?y))) (<= (next (on
            ?x)) (true (on ?x)))
        (<= both (even ?x) (odd ?x))
        (<= terminal both) (<= terminal (even 2) (odd 3))
        (<= (goal r 100) both) (<= (goal r 40) (not both))
    """,
    "arithmetic by table, carry": """
        (role r) (digit 0) (digit 1) (digit 2) (s 0 1) (s 1 2) (init (d hi 0)) (init (d lo 0))
        (<= (legal r inc) (true (d hi ?x)))
        (<= (legal r (jump ?x ?y)) (digit ?x) (digit ?y) (not (true (d hi ?x))) (distinct ?x ?y))
        (<= (next (d lo ?y)) (does r inc) (true (d lo ?x)) (s ?x ?y))
        (<= (next (d lo 0)) (does r inc) (true (d lo 2)))
        (<= (next (d hi ?y)) (does r inc) (true (d lo 2)) (true (d hi ?x)) (s ?x ?y))
        (<= (next (d hi ?x)) (does r inc) (true (d hi ?x)) (not (true (d lo 2))))
        (<= (next (d hi ?x)) (does r (jump ?x ?y))) (<= (next (d lo ?y)) (does r (jump ?x ?y)))
        (<= (next (d hi 2)) (does r inc) (true (d hi 2)) (true (d lo 2)))
        (<= terminal (true (d hi 2)) (true (d lo 2)))
        (<= (goal r 100) terminal) (<= (goal r 0) (not terminal))
    """,
    "no goal, several goals, goal of a role that never moves": """
        (role a) (role b) (role judge) (init (s 1)) (up 1 2) (up 2 3)
        (<= (legal a (say ?x)) (up ?x ?y)) (legal b hush) (legal judge watch)
        (<= (next (s ?y)) (true (s ?x)) (up ?x ?y)) (<= (next (said ?x)) (does a (say ?x))) (<= (next (said ?x))
            (true (said ?x)))
        (<= terminal (true (s 3)))
        (<= (goal a 10) (true (said 1))) (<= (goal a 90) (true (said 2))) (goal judge 50)
    """,
    "stuck somewhere": """
        (role r) (init (at 1)) (go 1 2) (go 1 3) (go 2 4)
        (<= (legal r (to ?y)) (true (at ?x)) (go ?x ?y))
        (<= (next (at ?y)) (does r (to ?y))) (<= terminal (true (at 4))) (<= (goal r 100) (true (at 4))) (<= (goal
            r 0) (not (true (at 4))))
    """,
    "numbers, signs and odd names": """
        (role 1) (role x-y_z!) (init (+ 1 -1)) (init (007 7 07))
        (<= (legal 1 (* ?a ?b)) (true (+ ?a ?b))) (<= (legal 1 (* ?b ?a)) (true (+ ?a ?b))) (legal x-y_z! %$#)
        (<= (next (+ ?a ?b)) (does 1 (* ?a ?b))) (<= (next (007 ?a ?c)) (true (007 ?a ?b)) (does 1 (* ?c ?d)))
        (<= terminal (true (007 ?a 1))) (<= (goal 1 100) (true (+ 1 -1))) (<= (goal 1 0) (not (true (+ 1 -1))))
            (goal x-y_z! 100)
    """,
    "same variable twice, constants in heads": """
        (role r) (v a) (v b) (v c) (init (h a a)) (init (h a b))
        (<= (legal r (m ?x)) (v ?x))
        (<= (loop ?x) (true (h ?x ?x))) (<= (loop2 ?x ?x) (loop ?x)) (<= (loop2 a ?y) (true (h ?y a)))
        (<= (next (h ?x ?y)) (does r (m ?x)) (v ?y) (not (loop2 ?x ?y)))
        (<= (next (h ?x ?x)) (loop2 ?x ?x) (not (does r (m ?x))))
        (<= (next (k ?y)) (does r (m ?x)) (loop2 ?x ?y))
        (<= (next (t ?m)) (true (t ?n)) (s ?n ?m)) (init (t 0)) (s 0 1) (s 1 2) (s 2 3) (s 3 4)
        (<= terminal (true (t 4))) (<= (goal r 100) (loop a)) (<= (goal r 50) (not (loop a)) (loop2 ?x ?y)) (<=
            (goal r 0) (not (loop a)) (not (loop2 b b)))
    """,
    "base and input": """
        (role r) (base (s 1)) (base (s 2)) (<= (base (s ?x)) (n ?x)) (n 3) (input r a) (<= (input ?r b) (role ?r))
        (init (s 1)) (legal r a) (<= (legal r b) (true (s 2)))
        (<= (next (s 2)) (does r a)) (<= (next (s 3)) (does r b)) (<= terminal (true (s 3))) (<= (goal r 100) (true
            (s 3))) (<= (goal r 0) (not (true (s 3))))
    """,
    "empty state": """
        (role r) (legal r a) (<= (legal r b) (not (true x)))
        (<= (next x) (does r b)) (<= (next y) (true x) (does r a)) (<= terminal (true y)) (<= (goal r 77) terminal)
            (<= (goal r 0) (not terminal))
    """,
    "over at once": """
        (role r) (init s) (legal r a) (<= (next s) (does r a)) terminal (goal r 42)
    """,
    "goals with variables": """
        (role a) (role b) (init (score a 0)) (init (score b 50)) (step 0 50) (step 50 100) (step 100 100)
        (<= (legal ?r up) (role ?r)) (<= (legal ?r stay) (role ?r))
        (<= (next (score ?r ?y)) (does ?r up) (true (score ?r ?x)) (step ?x ?y)) (<= (next (score ?r ?x)) (does ?r
            stay) (true (score ?r ?x)))
        (<= terminal (true (score ?r 100))) (<= (goal ?r ?x) (true (score ?r ?x)))
    """,
    "many steps": f"""
        (role r) (init (step 0)) (init (lamp off)) {" ".join(f"(succ {n} {n + 1})" for n in range(300))}
        (<= (legal r flip) (true (step ?n))) (<= (legal r wait) (true (step ?n)))
        (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
        (<= (next (lamp on)) (true (lamp off)) (does r flip)) (<= (next (lamp off)) (true (lamp on)) (does r flip))
        (<= (next (lamp ?x)) (true (lamp ?x)) (does r wait))
        (<= terminal (true (step 300))) (<= (goal r 100) (true (lamp on))) (<= (goal r 0) (true (lamp off)))
    """,
    "nine roles at once": f"""
        {" ".join(f"(role p{n})" for n in range(9))} (init (round 1)) (then 1 2) (then 2 3)
        (<= (legal ?p stay) (role ?p)) (<= (legal ?p leave) (role ?p) (not (true (out ?p))))
        (<= (next (out ?p)) (does ?p leave)) (<= (next (out ?p)) (true (out ?p)))
        (<= (next (round ?n)) (true (round ?m)) (then ?m ?n)) (<= terminal (true (round 3)))
        (<= (someone_in) (role ?p) (not (true (out ?p))))
        (<= (goal ?p 100) (role ?p) (not (true (out ?p)))) (<= (goal ?p 25) (true (out ?p)) (someone_in))
        (<= (goal ?p 60) (true (out ?p)) (not (someone_in)))
    """,
}


@cache
def judge(name: str) -> Interpreter:
    return Interpreter(parse_strictly(GAMES[name]))


@cache
def game(name: str) -> CompiledGame:
    return CompiledGame(build(ground(parse_strictly(GAMES[name]))), KEPT)


@pytest.mark.parametrize("name", GAMES)
def test_single_states(name: str) -> None:
    players: dict[str, Machine[Any]] = {
        "network": NetworkMachine(game(name).network),
        "code": game(name).machine(compiled=True),
        "table": game(name).machine(compiled=False),
    }
    for player, machine in players.items():
        found = compare(judge(name), machine, random.Random(name), games=3, max_steps=320)
        assert (player, found.difference) == (player, None)
        assert found.states >= 3


def best_goals(name: str, state: State) -> list[int]:
    plain = judge(name)
    return [max((int(str(value)) for value in plain.goal_values(state, role)), default=0) for role in plain.roles]


def successors(name: str, state: State) -> list[State]:
    plain = judge(name)
    legal = [plain.legal(state, role) for role in plain.roles]
    return [plain.next(state, dict(zip(plain.roles, moves, strict=True))) for moves in product(*legal)]


@pytest.mark.parametrize("kernel_name", PLAYOUT_KERNELS)
@pytest.mark.parametrize("name", GAMES)
def test_every_step_of_a_lane_is_a_legal_one(name: str, kernel_name: PlayoutName) -> None:
    plain, kernel = judge(name), game(name).playouts(kernel_name)
    network = game(name).network
    kept = {network.facts[fact] for fact in kernel.program.facts}
    kernel.seed(5)
    now = rows([game(name).machine().initial()] * kernel.lanes)
    states: dict[int, State] = dict.fromkeys(range(LANES), plain.initial())
    for _ in range(12):
        outcome = kernel.run_from(now, max_steps=1)
        now = kernel.lane_states()
        for lane, state in list(states.items()):
            length, goals = int(outcome.lengths[lane]), outcome.goals[lane].tolist()
            shown = {network.facts[fact] for fact in unpack(np.ascontiguousarray(now[lane]).tobytes())} & kept
            if plain.terminal(state):
                assert (length, goals) == (0, best_goals(name, state))
                del states[lane]
                continue
            found = [then for then in successors(name, state) if plain.terminal(then) == (length == 1)]
            if length == 1:
                assert goals in [best_goals(name, then) for then in found]
                del states[lane]
            elif not all(plain.legal(state, role) for role in plain.roles):
                assert length == -1
                del states[lane]
            else:
                assert length == -1
                same = [then for then in found if set(map(str, then)) & kept == shown]
                assert same
                states[lane] = same[0]
