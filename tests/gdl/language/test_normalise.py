"""From rules to clauses, and the order of conditions."""

from __future__ import annotations

import pytest

from ggtp.errors import RulesError
from ggtp.gdl.language.normalise import (
    atom_of,
    bound_variables,
    condition_terms,
    condition_variables,
    normalise,
    ordered,
    plain_cost,
    substitute,
    unify,
)
from ggtp.gdl.language.parse import parse, parse_term
from ggtp.gdl.language.syntax import Term, Variable, literal_variables


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("(p a)", ["(p a)"]),
        ("(<= p q (not r))", ["(<= p q (not r))"]),
        ("(<= p (or q r) (or s t))", ["(<= p q s)", "(<= p q t)", "(<= p r s)", "(<= p r t)"]),
        ("(<= p (or q (and r (or s t))))", ["(<= p q)", "(<= p r s)", "(<= p r t)"]),
        ("(<= p (not (not q)))", ["(<= p q)"]),
        ("(<= p (not (or q r)))", ["(<= p (not q) (not r))"]),
        ("(<= p (not (and q r)))", ["(<= p (not q))", "(<= p (not r))"]),
        ("(<= p (not (or q (not r))))", ["(<= p (not q) r)"]),
        ("(<= (p ?x) (q ?x ?y) (not (distinct ?x ?y)))", ["(<= (p ?y) (q ?y ?y))"]),
        ("(<= (p ?x) (q ?x) (not (distinct ?x a)))", ["(<= (p a) (q a))"]),
        ("(<= (p ?x) (q ?x) (not (distinct a b)))", []),
        ("(<= (p ?x) (q ?x ?y) (not (distinct (f ?x ?y) (f ?y a))))", ["(<= (p a) (q a a))"]),
        ("(<= (p ?x) (q ?x) (not (distinct ?x (f ?x))))", []),
        ("(<= p q (distinct a b))", ["(<= p q)"]),
        ("(<= p q (distinct a a))", []),
        ("(<= (p ?x) (q ?x) (distinct ?x ?x))", []),
        ("(<= (p ?x) (q ?x) (distinct (f ?x) (g ?x)))", ["(<= (p ?x) (q ?x))"]),
        ("(<= (p ?x) (q ?x) (distinct (f ?x) (f a)))", ["(<= (p ?x) (q ?x) (distinct (f ?x) (f a)))"]),
        ("(<= p q q r q)", ["(<= p q r)"]),
        ("(<= p q) (<= p q)", ["(<= p q)"]),
        ("(<= p (or q q))", ["(<= p q)"]),
    ],
)
def test_clauses(source: str, found: list[str]) -> None:
    assert list(map(str, normalise(parse(source)).clauses)) == found


def test_the_roles_keep_their_order() -> None:
    assert list(map(str, normalise(parse("(role b) (role a)")).roles)) == ["b", "a"]


def test_what_conditions_are_about() -> None:
    (clause,) = normalise(parse("(<= (p ?x) (q ?x (f ?y)) (not (r ?z a)) (distinct ?y b))")).clauses
    assert [None if (atom := atom_of(item)) is None else atom.functor for item in clause.body] == [
        ("q", 2),
        ("r", 2),
        None,
    ]
    assert [" ".join(map(str, condition_terms(item))) for item in clause.body] == ["?x (f ?y)", "?z a", "?y b"]
    assert bound_variables(clause.body) == {Variable("?x"), Variable("?y")}
    assert list(map(str, clause.variables())) == ["?x", "?x", "?y", "?z", "?y"]


def test_alternatives_are_bounded() -> None:
    choices = " ".join(f"(or a{number} b{number})" for number in range(40))
    with pytest.raises(RulesError, match="more than 4096 rules") as caught:
        normalise(parse(f"(x)\n (<= p {choices})"))
    assert (caught.value.line, caught.value.column) == (2, 2)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        # Moves first, then what shares variables with what is known; tests as soon as they can be made.
        ("(true (f ?x ?y)) (does ?r (g ?x))", "(does ?r (g ?x)) (true (f ?x ?y))"),
        ("(distinct ?x ?y) (q ?x) (r ?x ?y)", "(q ?x) (r ?x ?y) (distinct ?x ?y)"),
        ("(not (s ?x)) (r ?x ?y ?z) (q ?x)", "(q ?x) (not (s ?x)) (r ?x ?y ?z)"),
        ("(not s) (q ?x)", "(not s) (q ?x)"),
        ("(not (s ?x ?any)) (q ?x)", "(q ?x) (not (s ?x ?any))"),
        ("(not (s ?any)) (q ?x)", "(not (s ?any)) (q ?x)"),
        ("(a ?x ?y ?z) (b ?z) (c ?x ?y)", "(b ?z) (a ?x ?y ?z) (c ?x ?y)"),
    ],
)
def test_the_order_of_conditions(body: str, found: str) -> None:
    (clause,) = normalise(parse(f"(<= p {body})")).clauses
    assert " ".join(map(str, ordered(clause.body, plain_cost))) == found


def test_known_variables_change_the_order() -> None:
    (clause,) = normalise(parse("(<= p (q ?x) (r ?y ?z) (distinct ?y a))")).clauses
    known = {Variable("?y"), Variable("?z")}
    assert [str(item) for item in ordered(clause.body, plain_cost, known)] == ["(distinct ?y a)", "(r ?y ?z)", "(q ?x)"]


def test_nothing_is_lost_in_ordering() -> None:
    (clause,) = normalise(parse("(<= (p ?x) (q ?x ?y) (not (r ?y ?w)) (s ?y ?z) (distinct ?x ?z) (t ?x))")).clauses
    assert set(ordered(clause.body, plain_cost)) == set(clause.body)
    assert [str(variable) for variable in condition_variables(clause.body[1])] == ["?y", "?w"]


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("a", "a", "a"),
        ("a", "b", None),
        ("?x", "a", "a"),
        ("(f ?x b)", "(f a ?y)", "(f a b)"),
        ("(f ?x ?x)", "(f a b)", None),
        ("(f ?x ?y)", "(f ?y a)", "(f a a)"),
        ("(f ?x)", "(f (g ?x))", None),
        ("(f a)", "(f a b)", None),
        ("a", "(a)", None),
        ("(f ?x ?y ?z)", "(f ?y ?z a)", "(f a a a)"),
    ],
)
def test_making_terms_equal(left: str, right: str, same: str | None) -> None:
    one, other = parse_term(left), parse_term(right)
    values: dict[Variable, Term] = {}
    assert unify(one, other, values) == (same is not None)
    if same is not None:
        assert str(substitute(one, values)) == str(substitute(other, values)) == same


def test_substitution_puts_everything_in_at_once() -> None:
    x, y = Variable("?x"), Variable("?y")
    assert str(substitute(parse_term("(f ?x ?y ?z)"), {x: y, y: x})) == "(f ?y ?x ?z)"
    (rule,) = parse("(p ?x)").rules
    assert list(literal_variables(rule.head)) == [x]
