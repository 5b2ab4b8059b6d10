"""Wide relations written out where they are asked: fewer variables, the same meaning."""

from __future__ import annotations

import pytest

from ggtp.gdl.ground.grounder import ground
from ggtp.gdl.ground.inline import inline
from ggtp.gdl.ground.split import split, widest_part
from ggtp.gdl.ground.translate import ROOTS
from ggtp.gdl.language.normalise import Clause, Program, condition_variables, normalise
from ggtp.gdl.language.parse import parse, parse_strictly
from ggtp.gdl.network.build import build

BETWEEN = """(<= (between ?a ?m ?b) (true (at ?a ?u ?y)) (true (at ?m ?x ?y)) (true (at ?b ?v ?y))
                 (left ?u ?x) (left ?x ?v))
             (<= (between ?a ?m ?b) (true (at ?a ?x ?u)) (true (at ?m ?x ?y)) (true (at ?b ?x ?v))
                 (left ?u ?y) (left ?y ?v))"""
LEFT = "(left 1 2) (left 2 3) (left 3 4)"


def inlined(text: str) -> Program:
    return inline(normalise(parse(text)), ROOTS)


def names(program: Program) -> set[str]:
    return {clause.head.name for clause in program.clauses}


def widest(program: Program) -> int:
    def width(clause: Clause) -> int:
        return len({name for item in clause.body for name in condition_variables(item)})

    return max(width(clause) for clause in split(program).clauses)


def test_what_is_asked_in_part_is_written_where_it_is_asked() -> None:
    text = f"{LEFT} {BETWEEN} (<= (legal r (stay ?m)) (between ?a ?m ?b))"
    plain = normalise(parse(text))
    found = inlined(text)
    assert "between" not in names(found)
    assert sum(clause.head.name == "legal" for clause in found.clauses) == 2
    assert widest(found) < widest(plain)


@pytest.mark.parametrize(
    "use",
    [
        "(<= (legal r (stay ?a ?m ?b)) (between ?a ?m ?b))",
        "(<= (legal r (stay ?m)) (piece ?m) (not (between ?a ?m ?b)))",
        "(<= (legal r (stay ?m)) (between ?a ?m ?b) (between ?b ?m ?a))",
        "(<= (between ?a ?m ?b) (between ?b ?m ?a)) (<= (legal r (stay ?m)) (between ?a ?m ?b))",
        "".join(f"(<= (legal r (stay{n} ?m)) (between ?a ?m ?b))" for n in range(40)),
    ],
    ids=["all of it is asked", "negated", "asked twice in a rule", "recursive", "too many ask"],
)
def test_where_it_would_not_help_or_not_be_right_it_stays(use: str) -> None:
    text = f"{LEFT} {BETWEEN} {use}"
    assert inlined(text) == normalise(parse(text))


def test_relations_that_never_change_and_narrow_ones_stay() -> None:
    text = """(n 1) (<= (five ?a ?b ?c ?d ?e) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e))
              (<= (few ?a ?b) (true (p ?a ?b)))
              (<= (next (q ?a)) (five ?a ?b ?c ?d ?e) (few ?a ?f))"""
    assert inlined(text) == normalise(parse(text))


def test_clauses_that_never_fit_the_question_are_left_out() -> None:
    text = f"""{LEFT} {BETWEEN.replace("?m ?b)", "?m ?b east)", 1).replace("?m ?b)", "?m ?b north)", 1)}
               (<= (legal r (stay ?m)) (between ?a ?m ?b east))"""
    found = inlined(text)
    assert sum(clause.head.name == "legal" for clause in found.clauses) == 1


def test_the_game_is_the_same() -> None:
    pieces = "(piece a) (piece b) (piece c) (piece d) (index 1) (index 2) (index 3) (index 4)"
    text = f"""(role r) {pieces} {LEFT} {BETWEEN}
        (init (at a 1 1)) (init (at b 2 2)) (init (at c 3 3)) (init (at d 4 4))
        (<= (legal r (go ?p ?x ?y)) (piece ?p) (index ?x) (index ?y) (not (fixed ?p)))
        (<= (fixed ?m) (between ?a ?m ?b)) (<= (next (at ?p ?x ?y)) (does r (go ?p ?x ?y)))
        (<= (next (at ?q ?x ?y)) (does r (go ?p ?u ?v)) (true (at ?q ?x ?y)) (distinct ?p ?q))
        (<= terminal (fixed b)) (goal r 100)"""
    sheet = parse_strictly(text)
    program = normalise(sheet)
    assert inline(program, ROOTS) != program
    network = build(ground(sheet)).network
    assert len(network.moves[0]) == 64
    assert max(widest_part(clause, ()) for clause in inline(program, ROOTS).clauses) <= 5
