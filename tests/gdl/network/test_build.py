"""From rules to a network: small games against the interpreter, recorded games against their traces."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from support.corpus import gdl_records, is_own

from ggtp.errors import RulesError
from ggtp.gdl.ground.grounder import ground
from ggtp.gdl.ground.program import GroundProgram, GroundRule
from ggtp.gdl.interpret.reasoner import Interpreter
from ggtp.gdl.language.parse import parse
from ggtp.gdl.network.build import Built, build, loose_graph
from ggtp.gdl.network.machine import NetworkMachine
from ggtp.gdl.play.traces import first_difference

GAMES = {
    "recursion": """
        (role walker) (init (at a)) (init (open a b))
        (<= (edge ?x ?y) (true (open ?x ?y)))
        (<= (edge ?x ?y) (true (open ?y ?x)))
        (<= (path ?x ?y) (edge ?x ?y))
        (<= (path ?x ?z) (edge ?x ?y) (path ?y ?z))
        (door a b) (door b c) (door c d) (door d a)
        (<= (legal walker (toggle ?x ?y)) (door ?x ?y))
        (<= (next (open ?x ?y)) (does walker (toggle ?x ?y)) (not (true (open ?x ?y))))
        (<= (next (open ?x ?y)) (true (open ?x ?y)) (not (does walker (toggle ?x ?y))))
        (<= (next (at ?x)) (true (at ?x)))
        (<= (reach ?y) (true (at ?x)) (path ?x ?y))
        (<= terminal (reach c) (reach d) (not (true (open b c))))
        (<= (goal walker 100) (reach d)) (<= (goal walker 30) (not (reach d)))
    """,
    "recursion through two at once": """
        (role r) (init (p 1)) (n 1 2) (n 2 3) (n 3 4) (n 4 1)
        (<= (d ?x) (true (p ?x)))
        (<= (d ?z) (d ?x) (n ?x ?y) (true (q ?y)) (d ?y2) (n ?y2 ?z))
        (<= (d ?y) (d ?x) (true (q ?x)) (n ?x ?y))
        (<= (legal r (put ?x)) (n ?x ?y))
        (<= (next (q ?x)) (does r (put ?x)))
        (<= (next (q ?x)) (true (q ?x)))
        (<= (next (p 1)) (true (p 1)))
        (<= terminal (d 4))
        (<= (goal r 50) (d 3)) (<= (goal r 0) (not (d 3)))
    """,
    "simultaneous": """
        (role a) (role b) (init (round 0)) (succ 0 1) (succ 1 2) (succ 2 3)
        (item rock) (item paper) (item scissors)
        (beats rock scissors) (beats paper rock) (beats scissors paper)
        (<= (legal ?p ?i) (role ?p) (item ?i))
        (<= (next (won ?p)) (does ?p ?i) (does ?q ?j) (beats ?i ?j))
        (<= (next (won ?p)) (true (won ?p)))
        (<= (next (round ?n)) (true (round ?m)) (succ ?m ?n))
        (<= terminal (true (round 3)))
        (<= (goal ?p 100) (true (won ?p)))
        (<= (goal ?p 0) (role ?p) (not (true (won ?p))))
    """,
    "or, distinct and not": """
        (role x) (role o) (init (turn x)) (init (free 1)) (init (free 2)) (init (free 3))
        (<= (legal ?p (take ?n)) (true (turn ?p)) (true (free ?n)))
        (<= (legal ?p noop) (role ?p) (or (true (turn ?q)) (true (over))) (distinct ?p ?q))
        (<= (legal x noop) (true (turn o))) (<= (legal o noop) (true (turn x)))
        (<= (next (turn x)) (true (turn o))) (<= (next (turn o)) (true (turn x)))
        (<= (next (free ?n)) (true (free ?n)) (does ?p (take ?m)) (distinct ?n ?m))
        (<= (next (has ?p ?n)) (or (does ?p (take ?n)) (true (has ?p ?n))))
        (<= terminal (not (open)))
        (<= (open) (true (free ?n)))
        (<= (goal ?p 100) (role ?p) (or (true (has ?p 2)) (not (open))))
        (<= (goal ?p 0) (role ?p) (not (true (has ?p 2))) (open))
    """.replace("(<= (legal ?p noop) (role ?p) (or (true (turn ?q)) (true (over))) (distinct ?p ?q))", ""),
    "functions, (noop) and noop": """
        (role r) (init (box (pair a nil)))
        (<= (legal r (noop)) (true (box (pair a ?x))))
        (<= (legal r noop) (true (box ?x)))
        (<= (legal r (swap ?x ?y)) (true (box (pair ?x ?y))))
        (<= (next (box (pair b ?y))) (does r noop) (true (box (pair ?x ?y))))
        (<= (next (box (pair ?x full))) (does r (noop)) (true (box (pair ?x ?y))))
        (<= (next (box (pair ?y ?x))) (does r (swap ?x ?y)))
        (<= terminal (true (box (pair b full))))
        (<= (goal r 100) (true (box (pair b full)))) (<= (goal r 1) (not terminal))
    """,
    "facts of the start that nothing makes again": """
        (role r) (init (first)) (init (here)) (init (ghost 1))
        (<= (legal r go) (true (here)))
        (<= (legal r wait) (true (first)))
        (<= (next (here)) (true (here)))
        (<= (next (late)) (does r go))
        (<= (next (never)) (true (never)))
        (<= terminal (true (late)) (not (true (first))))
        (<= (goal r 100) (true (late))) (<= (goal r 50) (true (here))) (<= (goal r 10) (true (first)))
    """,
    "negations with variables of their own": """
        (role r) (num 1) (num 2) (init (on 1 1))
        (<= (legal r (set ?x ?y)) (num ?x) (num ?y) (not (true (on ?x ?y))))
        (<= (legal r stop) (role r))
        (<= (next (on ?x ?y)) (or (does r (set ?x ?y)) (true (on ?x ?y))))
        (<= (next stopped) (does r stop))
        (<= same (true (on ?x ?x)))
        (<= terminal (true stopped))
        (<= terminal (not lonely))
        (<= lonely (num ?x) (not (row ?x)))
        (<= (row ?x) (true (on ?x ?y)))
        (<= (goal r 100) same) (<= (goal r 0) (not same))
    """,
    "wide relations that are asked for little": """
        (role r) (init (cell 1 b)) (init (cell 2 b)) (init (cell 3 b)) (init (cell 4 b)) (at 1) (at 2) (at 3) (at 4)
        (<= (legal r (mark ?x)) (true (cell ?x b)))
        (<= (next (cell ?x m)) (does r (mark ?x)))
        (<= (next (cell ?x ?v)) (true (cell ?x ?v)) (does r (mark ?y)) (distinct ?x ?y))
        (<= (all ?w ?x ?y ?z ?v) (true (cell ?w ?v)) (true (cell ?x ?v)) (true (cell ?y ?v)) (true (cell ?z ?v)))
        (<= terminal (all 1 2 3 4 m))
        (<= (goal r 100) (all 1 2 3 4 m)) (<= (goal r 0) (all ?x ?x ?x ?y b) (at ?x) (at ?y))
    """,
}


def compile_text(text: str) -> Built:
    return build(ground(parse(text)))


@pytest.mark.parametrize("name", GAMES)
def test_random_play_agrees_with_the_interpreter(name: str) -> None:
    sheet = parse(GAMES[name])
    machine, judge = NetworkMachine(build(ground(sheet)).network), Interpreter(sheet)
    rng = random.Random(name)
    assert list(machine.roles) == list(judge.roles)
    for _ in range(30):
        state, truth = machine.initial(), judge.initial()
        for _ in range(12):
            assert set(machine.facts(state)) == set(truth)
            assert machine.terminal(state) == judge.terminal(truth)
            for role in judge.roles:
                assert set(machine.goal_values(state, role)) == set(judge.goal_values(truth, role))
            if machine.terminal(state):
                break
            legal = {role: sorted(judge.legal(truth, role), key=str) for role in judge.roles}
            for role in judge.roles:
                assert set(machine.legal(state, role)) == set(legal[role])
            moves = {role: rng.choice(legal[role]) for role in judge.roles}
            state, truth = machine.next(state, moves), judge.next(truth, moves)


OF_OTHERS = {
    "ticTacToe__ticTacToe",
    "connectFour__connectFour",
    "breakthrough__breakthrough",
    "eightPuzzle__eightPuzzle",
    "blocker__blocker",
    "roshambo2__roshambo2",
    "tictactoe_3d_small_6player__tictactoe_3d_small_6player",
    "nineBoardTicTacToe__nineBoardTicTacToe",
    "crisscross__crisscross",
    "pancakes6__pancakes6",
    "kitten_escapes_from_fire__kitten_escapes_from_fire",
}
"""Recorded games of the further set that are compiled soon."""


def records() -> list[tuple[Path, dict[str, Any]]]:
    return [(path, record) for path, record in gdl_records() if is_own(path) or path.stem in OF_OTHERS]


@pytest.mark.slow
@pytest.mark.parametrize(("path", "record"), [pytest.param(*item, id=item[0].stem) for item in records()])
def test_recorded_games_are_played_as_recorded(path: Path, record: dict[str, Any]) -> None:
    text = path.read_text(errors="replace")
    assert first_difference(NetworkMachine(compile_text(text).network), record) is None


def test_what_can_never_be_is_left_out() -> None:
    built = compile_text(GAMES["facts of the start that nothing makes again"])
    assert "(never)" not in built.network.facts
    assert "(ghost 1)" in built.network.facts
    text = """(role r) (init (a)) (<= (next (a)) (true (a))) (<= (next (b)) (does r x) (not (true (a))))
              (<= (legal r x) (true (a))) (<= (legal r y) (true (b))) (<= terminal (true (b)))"""
    built = compile_text(text)
    assert built.network.facts == ("(a)",)
    assert built.network.moves == (("x",),)
    assert built.network.terminal == 0
    assert built.statistics.never == 2


def test_recursion_is_counted() -> None:
    statistics = compile_text(GAMES["recursion"]).statistics
    assert statistics.recursive == 8
    assert statistics.rounds == 0
    statistics = compile_text(GAMES["recursion through two at once"]).statistics
    assert statistics.rounds > 0
    assert "recursion" in str(statistics)


def test_statistics_tell_of_turns_and_latches() -> None:
    statistics = compile_text(GAMES["or, distinct and not"]).statistics
    assert statistics.copies == 1
    assert statistics.forced == 2
    assert statistics.latches >= 6


def test_every_gate_follows_its_inputs_and_no_two_are_the_same() -> None:
    network = compile_text(GAMES["recursion"]).network
    for number, gate in enumerate(network.gates, network.inputs):
        assert max(gate) < 2 * number
    assert len(set(network.gates)) == len(network.gates)


def test_legal_terminal_and_goals_depend_on_facts_only() -> None:
    for text in GAMES.values():
        network = compile_text(text).network
        moves = range(1 + len(network.facts), network.inputs)
        tainted = set(moves)
        for number, gate in enumerate(network.gates, network.inputs):
            if any(literal >> 1 in tainted for literal in gate):
                tainted.add(number)
        literals = [network.terminal, *(item for row in network.legal for item in row)]
        literals += [literal for goals in network.goals for _, literal in goals]
        assert not tainted & {literal >> 1 for literal in literals}


def program(rules: tuple[GroundRule, ...], atoms: int) -> GroundProgram:
    return GroundProgram(
        roles=("r",),
        facts=("f",),
        moves=(("m",),),
        initial=(0,),
        atoms=atoms,
        rules=rules,
        next=(3,),
        legal=((4,),),
        terminal=5,
        goals=((),),
        always=frozenset({4}),
    )


def test_a_program_by_hand() -> None:
    network = build(program((GroundRule(3, (1, -5)), GroundRule(5, (-1,))), 5)).network
    assert network.next == (1,)
    assert network.legal == ((1,),)
    assert network.terminal == 0


def test_dead_rules_do_not_move_the_atoms() -> None:
    graph, first_atom = loose_graph(program((GroundRule(6, (1,)), GroundRule(3, (1,))), 6))
    assert first_atom == graph.inputs + 1


def test_an_atom_that_depends_on_its_own_negation_is_refused() -> None:
    with pytest.raises(RulesError, match="stratified"):
        build(program((GroundRule(3, (-5, 1)), GroundRule(5, (3,))), 5))
