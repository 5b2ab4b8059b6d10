"""One clause at a time: the rows that a plan makes."""

from __future__ import annotations

import pytest

from ggtp.errors import RulesError
from ggtp.gdl.interpret import plan as plans
from ggtp.gdl.interpret.plan import Plan
from ggtp.gdl.interpret.relation import Numbering, Relation
from ggtp.gdl.language.normalise import Clause, normalise
from ggtp.gdl.language.parse import parse, parse_term
from ggtp.gdl.language.syntax import Atom, Functor

FACTS = """
    (edge a b) (edge b c) (edge c a) (edge c c)
    (red a) (red c)
    (true (cell 1 1 x)) (true (cell 1 2 o)) (true (cell 2 2 x)) (true (control x)) (true done)
    (pair (f a) (g b c))
"""


def setting(rule: str) -> tuple[Numbering, dict[Functor, Relation], Clause]:
    numbering = Numbering()
    tables: dict[Functor, Relation] = {}
    for fact in parse(FACTS).rules:
        table = tables.setdefault(fact.head.functor, Relation(numbering))
        table.add({tuple(numbering.number(arg) for arg in fact.head.args)})
    (clause,) = normalise(parse(rule)).clauses
    return numbering, tables, clause


def rows(rule: str) -> set[str]:
    numbering, tables, clause = setting(rule)
    empty = Relation(numbering)
    found = Plan(clause, numbering).rows(lambda key: tables.get(key, empty))
    return {" ".join(str(numbering.terms[number]) for number in row) for row in found}


@pytest.mark.parametrize(
    ("rule", "found"),
    [
        ("(p a b)", {"a b"}),
        ("(<= (p ?x) (edge ?x ?y))", {"a", "b", "c"}),
        ("(<= (p ?x ?z) (edge ?x ?y) (edge ?y ?z))", {"a c", "b a", "b c", "c b", "c a", "c c"}),
        ("(<= (p ?x) (edge ?x ?x))", {"c"}),
        ("(<= (p ?x) (red ?x) (edge b ?x))", {"c"}),
        ("(<= (p ?x) (red ?x) (not (edge b ?x)))", {"a"}),
        ("(<= (p ?x) (edge ?x ?y) (distinct ?x ?y))", {"a", "b", "c"}),
        ("(<= (p ?x) (edge ?x ?y) (distinct ?y c))", {"a", "c"}),
        ("(<= (p ?x) (red ?x) (not (edge ?x ?y)))", set()),
        ("(<= (p ?x) (red ?x) (not (edge ?y b)))", set()),
        ("(<= (p ?x) (red ?x) (not (blue ?x)))", {"a", "c"}),
        ("(<= (p ?x) (red ?x) (blue ?x))", set()),
        ("(<= (p ?x) (true (cell ?x ?x ?m)) (true (control ?m)))", {"1", "2"}),
        ("(<= (p ?f) (true ?f) (not (true (cell 1 1 ?m))))", set()),
        ("(<= (p ?f) (true ?f))", {"(cell 1 1 x)", "(cell 1 2 o)", "(cell 2 2 x)", "(control x)", "done"}),
        ("(<= (p (cell ?y ?x b) ?m) (true (cell ?x ?y ?m)) (not (true (control ?m))))", {"(cell 2 1 b) o"}),
        ("(<= (next (f (g ?x) ?x)) (red ?x))", {"(f (g a) a)", "(f (g c) c)"}),
        ("(<= (p ?x ?y ?z) (pair (f ?x) (g ?y ?z)))", {"a b c"}),
        ("(<= (p ?x) (pair ?x (g b c)))", {"(f a)"}),
        ("(<= (p ?x) (pair (f ?x) ?y) (distinct ?y (g b ?x)))", {"a"}),
        ("(<= (p ?x) (pair ?y (g ?z ?w)) (edge ?x ?z) (distinct ?y (f ?x)))", set()),
        ("(<= p (edge ?x ?y) (red ?x) (red ?y))", {""}),
        ("(<= p (edge b b))", set()),
        ("(<= (p ?x) (red ?x) (distinct ?x ?y))", {"a", "c"}),
    ],
)
def test_rows(rule: str, found: set[str]) -> None:
    assert rows(rule) == found


def test_a_head_variable_without_a_value_is_refused() -> None:
    numbering, _, clause = setting("(<= (p ?x ?y) (red ?x))")
    with pytest.raises(RulesError, match=r"\?y in the head of a rule for 'p' never gets a value") as caught:
        Plan(clause, numbering)
    assert (caught.value.line, caught.value.column) == (1, 5)


def test_a_plan_may_look_at_the_newest_rows_of_one_atom() -> None:
    numbering, tables, clause = setting("(<= (p ?x ?z) (edge ?x ?y) (edge ?y ?z))")
    first = clause.body[0]
    assert isinstance(first, Atom)
    new = Relation(numbering, [(numbering.number(parse_term("a")), numbering.number(parse_term("b")))])
    found = Plan(clause, numbering, first).rows(tables.__getitem__, new)
    assert [" ".join(str(numbering.terms[number]) for number in row) for row in found] == ["a c"]


def test_rows_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "MAX_ROWS", 10)
    monkeypatch.setattr(plans, "MANY", 2)
    with pytest.raises(RulesError, match="'p' needs more than 10 rows"):
        rows("(<= (p ?a ?b ?c ?d) (edge ?a ?b) (edge ?c ?d))")
