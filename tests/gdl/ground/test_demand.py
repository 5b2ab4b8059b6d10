"""Demand: wide relations hold only for what is asked of them."""

from __future__ import annotations

from ggtp.gdl.ground.demand import DEMAND, restrict
from ggtp.gdl.language.normalise import Program, normalise
from ggtp.gdl.language.parse import parse

ROOTS = (("next", 1), ("goal", 2))
WIDE = "(<= (all ?a ?b ?c ?d ?v) (true (cell ?a ?v)) (true (cell ?b ?v)) (true (cell ?c ?v)) (true (cell ?d ?v)))"


def restricted(text: str) -> Program:
    return restrict(normalise(parse(text)), ROOTS)


def demands(program: Program) -> set[str]:
    return {str(clause) for clause in program.clauses if clause.head.name.startswith(DEMAND)}


def test_constants_are_demanded() -> None:
    program = restricted(f"{WIDE} (<= (goal r 100) (all 1 2 3 4 x)) (<= (goal r 0) (not (all 5 6 7 8 x)))")
    assert demands(program) == {f"({DEMAND} 0 1 2 3 4 x)", f"({DEMAND} 0 5 6 7 8 x)"}
    [clause] = [clause for clause in program.clauses if clause.head.name == "all"]
    assert clause.body[0] == type(clause.head)(f"{DEMAND} 0", clause.head.args)


def test_static_atoms_tell_what_is_demanded() -> None:
    program = restricted(f"{WIDE} (line 1 2) (<= (goal r 100) (line ?x ?y) (true (on ?z)) (all ?x ?y ?y ?z ?v))")
    assert demands(program) == {f"(<= ({DEMAND} 0 ?x ?y ?y) (line ?x ?y))"}


def test_demand_is_passed_on_through_recursion() -> None:
    program = restricted("""
        (<= (way ?a ?b ?c ?d ?n) (true (e ?a ?b ?c ?d)) (zero ?n))
        (<= (way ?a ?b ?c ?d ?n) (true (e ?a ?b ?x ?y)) (succ ?m ?n) (way ?x ?y ?c ?d ?m))
        (zero 0) (succ 0 1) (<= (goal r 100) (way 1 1 4 4 1))""")
    assert demands(program) == {
        f"({DEMAND} 0 4 4 1)",
        f"(<= ({DEMAND} 0 ?c ?d ?m) ({DEMAND} 0 ?c ?d ?n) (succ ?m ?n))",
    }


def test_narrow_relations_roots_and_static_ones_stay() -> None:
    sheet = normalise(
        parse("""(<= (p ?x) (true (f ?x))) (<= (goal r 1) (p 1)) (n 1)
                 (<= (goal ?a ?b) (true (g ?a ?b ?c ?d ?e))) (<= (s ?a) (m ?a ?b ?c ?d ?e)) (m 1 2 3 4 5)""")
    )
    assert restrict(sheet, ROOTS) == sheet
