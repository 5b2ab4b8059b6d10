"""One-player games for the tests of plans: bundled and tiny ones, and shortest plans by brute force."""

from __future__ import annotations

from functools import cache

from support.paths import ROOT

from ggtp.gdl.ground.grounder import ground
from ggtp.gdl.interpret.reasoner import Interpreter
from ggtp.gdl.language.parse import parse_strictly, parse_term
from ggtp.gdl.language.syntax import Rulesheet
from ggtp.gdl.network.build import build
from ggtp.gdl.network.network import Built
from ggtp.gdl.play.compiled import CompiledGame

RULES = ROOT / "rules" / "gdl"

SWITCHES = """
(role r) (lamp a) (lamp b) (lamp c)
(<= (legal r (switch ?l)) (lamp ?l))
(<= (next (on ?l)) (true (on ?l)))
(<= (next (on ?l)) (does r (switch ?l)))
(<= (next (done ?n)) (true (done ?m)) (succ ?m ?n))
(init (done 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
(<= terminal (true (on a)) (true (on b)) (true (on c)))
(<= terminal (true (done 4)))
(<= (goal r 100) (true (on a)) (true (on b)) (true (on c)))
(<= (goal r 40) (true (on a)) (true (on b)) (not (true (on c))))
(<= (goal r 0) (not (true (on a))))
(<= (goal r 0) (not (true (on b))))
"""
"""Three lamps that stay on: any order will do."""

SHORT_OF_TIME = SWITCHES.replace("(true (done 4))", "(true (done 2))")
"""Two moves are too few for three lamps: 40 is the most."""

ENDLESS = """
(role r) (init (at 0)) (succ 0 1) (succ 1 0)
(legal r go) (legal r stay)
(<= (next (at ?y)) (does r go) (true (at ?x)) (succ ?x ?y))
(<= (next (at ?x)) (does r stay) (true (at ?x)))
(<= terminal (true (at 5)))
(<= (goal r 100) (true (at 5)))
(<= (goal r 0) (not (true (at 5))))
(<= (next (at 5)) (true (at 7)) (does r go))
"""
"""A way round in a circle, without end and without a goal."""

CELLS = [f"{x}{y}" for x in range(5) for y in range(5)]
NEAR = [f"(near {a} {b})" for a in CELLS for b in CELLS if abs(int(a[0]) - int(b[0])) + abs(int(a[1]) - int(b[1])) <= 1]
LIGHTS_OUT = f"""
(role r) (init (lit 00)) {" ".join(f"(cell {cell})" for cell in CELLS)} {" ".join(NEAR)}
(<= (legal r (press ?c)) (cell ?c))
(<= (changed ?c) (does r (press ?b)) (near ?b ?c))
(<= (next (lit ?c)) (true (lit ?c)) (not (changed ?c)))
(<= (next (lit ?c)) (changed ?c) (not (true (lit ?c))))
(<= some (true (lit ?c)))
(<= terminal (not some))
(<= (goal r 100) (not some))
(<= (goal r 0) some)
"""
"""A light in the corner can't be switched off: a matter of parity, which a solver that looks for plans of one length
after the other does not see in a lifetime."""


@cache
def sheet(name: str) -> Rulesheet:
    """A bundled game, or a text."""
    text = name if "(" in name else (RULES / f"{name}.gdl").read_text("utf-8")
    return parse_strictly(text)


@cache
def built(name: str) -> Built:
    """Its network."""
    return build(ground(sheet(name)))


class Kept(dict[str, bytes]):
    """Machine code that several tests need, compiled once."""

    def put(self, key: str, data: bytes) -> None:
        """Keep it."""
        self[key] = data


KEPT = Kept()


@cache
def compiled(name: str) -> CompiledGame:
    """What is made of the network."""
    return CompiledGame(built(name), KEPT, name)


def shortest(name: str, goal: int = 100) -> int | None:
    """How many moves a shortest play with at least this goal has, by trying all; None where there is none."""
    rules = Interpreter(sheet(name))
    (role,) = rules.roles
    known = {rules.initial()}
    level, length = list(known), 0
    while level:
        after = []
        for state in level:
            if rules.terminal(state):
                if (rules.goal(state, role) or 0) >= goal:
                    return length
                continue
            for move in rules.legal(state, role):
                reached = rules.next(state, {role: move})
                if reached not in known:
                    known.add(reached)
                    after.append(reached)
        level, length = after, length + 1
    return None


def outcome(name: str, moves: tuple[str, ...]) -> int | None:
    """The goal after these moves, judged by the interpreter; None where the play is not over exactly then."""
    rules = Interpreter(sheet(name))
    (role,) = rules.roles
    state = rules.initial()
    for text in moves:
        move = parse_term(text)
        assert not rules.terminal(state)
        assert move in rules.legal(state, role)
        state = rules.next(state, {role: move})
    return rules.goal(state, role) if rules.terminal(state) else None
