"""Telling the cases of a relation apart."""

from __future__ import annotations

import pytest

from ggtp.errors import RulesError
from ggtp.gdl.interpret import stratify
from ggtp.gdl.interpret.stratify import stratified
from ggtp.gdl.language.dependencies import negative_cycles
from ggtp.gdl.language.normalise import normalise
from ggtp.gdl.language.parse import parse

TWO_CASES = "(<= (goal ?p 100) (won ?p)) (<= (goal ?p 0) (role ?p) (not (goal ?p 100)))"


def test_a_program_without_such_cycles_is_left_alone() -> None:
    program = normalise(parse("(<= (p ?x) (q ?x) (not (r ?x))) (<= (p ?x) (p ?x))"))
    assert negative_cycles(program.clauses) == []
    assert stratified(program) is program


def test_cases_become_relations_of_their_own() -> None:
    program = normalise(parse(TWO_CASES))
    ((clause, negation),) = negative_cycles(program.clauses)
    assert clause.head.name == negation.atom.name == "goal"
    assert str(stratified(program)).splitlines() == [
        "(<= (goal;case1 ?p 100) (won ?p))",
        "(<= (goal;case2 ?p 0) (role ?p) (not (goal;case1 ?p 100)))",
        "(<= (goal ?0 ?1) (goal;case1 ?0 ?1))",
        "(<= (goal ?0 ?1) (goal;case2 ?0 ?1))",
    ]
    assert negative_cycles(stratified(program).clauses) == []


def test_a_condition_that_fits_several_cases_asks_for_all_of_them() -> None:
    rules = "(<= (g a 1) p) (<= (g b 1) q) (<= (g a 0) (not (g ?any 1))) (<= (g b 0) (g ?x 1) (not (g b 1)))"
    found = str(stratified(normalise(parse(rules)))).splitlines()
    assert "(<= (g;case3 a 0) (not (g;case1 ?any 1)) (not (g;case2 ?any 1)))" in found
    assert "(<= (g;case4 b 0) (g;case1 ?x 1) (not (g;case2 b 1)))" in found
    assert "(<= (g;case4 b 0) (g;case2 ?x 1) (not (g;case2 b 1)))" in found


def test_what_really_depends_on_its_own_negation_stays_so() -> None:
    program = normalise(parse("(<= (p 1) (not (p 2))) (<= (p 2) (not (p 1)))"))
    assert len(negative_cycles(stratified(program).clauses)) == 2


def test_cases_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stratify, "MAX_ALTERNATIVES", 3)
    rules = "(g 1) (g 2) (<= (g 3) (g ?x) (g ?y) (not (g 1)))"
    with pytest.raises(RulesError, match="more than 3 rules"):
        stratified(normalise(parse(rules)))
