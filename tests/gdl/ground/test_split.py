"""Splitting clauses: fewer variables, the same meaning."""

from __future__ import annotations

from ggtp.gdl.ground.split import GUARD, PART, is_guard, split
from ggtp.gdl.language.normalise import Clause, Program, condition_variables, normalise
from ggtp.gdl.language.parse import parse


def program(text: str) -> Program:
    return split(normalise(parse(text)))


def width(clause: Clause) -> int:
    return len({variable for item in clause.body for variable in condition_variables(item)})


def test_a_chain_has_three_variables_at_a_time() -> None:
    chain = " ".join(f"(true (link ?x{i} ?x{i + 1}))" for i in range(9))
    found = program(f"(<= (next (ends ?x0 ?x9)) {chain})")
    assert max(map(width, found.clauses)) == 3


def test_clauses_with_few_variables_stay() -> None:
    sheet = normalise(parse("(<= (next (a ?x)) (true (b ?x ?y))) (<= (next (c ?x ?y ?z)) (true (d ?x ?y ?z)))"))
    assert split(sheet) == sheet


def test_equal_parts_are_shared() -> None:
    found = program("""(<= (next (a ?x)) (true (b ?x ?y)) (true (c ?y ?z)))
                       (<= (next (d ?u)) (true (b ?u ?w)) (true (c ?w ?v)))""")
    assert len([clause for clause in found.clauses if clause.head.name.startswith(PART)]) == 1


def test_what_has_nothing_to_do_with_the_head_becomes_a_part_without_arguments() -> None:
    found = program("(<= (next (a ?x)) (true (a ?x)) (true (b ?y ?z)))")
    assert any(clause.head.name.startswith(PART) and not clause.head.args for clause in found.clauses)


def test_comparisons_get_guards_for_what_they_lose() -> None:
    found = program("(<= (next (a ?x ?v)) (true (a ?x ?v)) (does ?p (go ?y)) (distinct ?x ?y))")
    guards = [clause for clause in found.clauses if clause.head.name.startswith(GUARD)]
    assert len(guards) == 1
    assert is_guard((guards[0].head.name, 1))
    assert len(guards[0].head.args) == 1


def test_static_atoms_are_their_own_guards() -> None:
    found = program("(n 1) (n 2) (<= (next (a ?x ?v)) (true (a ?x ?v)) (n ?x) (does ?p (go ?y)) (distinct ?x ?y))")
    assert not any(is_guard((clause.head.name, len(clause.head.args))) for clause in found.clauses)


def test_variables_of_one_negation_alone_stay_in_it() -> None:
    found = program("(<= (next (a ?x)) (true (b ?x ?y)) (true (c ?y ?z)) (not (true (d ?x ?w))))")
    [clause] = [clause for clause in found.clauses if clause.head.name == "next"]
    assert "(not (true (d ?x ?w)))" in map(str, clause.body)


def test_what_wide_clauses_ask_alike_is_asked_once() -> None:
    text = " ".join(
        f"""(<= (next (free ?a ?b ?c ?d)) (does ?p (go ?a ?b ?c ?d ?way)) (true (open{n} ?c ?d)))""" for n in range(3)
    )
    found = program(text)
    questions = [clause for clause in found.clauses if "does" in str(clause)]
    assert len(questions) == 1
    # And what they differ in is one question, too.
    assert sum(clause.head.name == "next" for clause in found.clauses) <= 3


def test_clauses_that_differ_in_one_part_become_one() -> None:
    text = " ".join(
        f"""(<= (next (free ?a ?b ?c ?d)) (does ?p (go ?a ?b ?c ?d ?way)) (true (open{n} ?c ?d ?e)))"""
        for n in range(3)
    )
    found = program(text)
    assert sum(clause.head.name == "next" for clause in found.clauses) == 3
    text = text.replace("(next (free ?a ?b ?c ?d))", "(next (free ?a ?b ?c ?d ?f))").replace(
        "(does ?p", "(true (f ?f)) (does ?p"
    )
    assert sum(clause.head.name == "next" for clause in program(text).clauses) == 1
