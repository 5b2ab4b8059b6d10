"""Terms, literals and rules as values, and their canonical texts."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggtp.gdl.language.reader import Place
from ggtp.gdl.language.syntax import (
    And,
    Atom,
    Compound,
    Constant,
    Distinct,
    Not,
    Or,
    Rule,
    Rulesheet,
    Term,
    TermTable,
    Variable,
    atoms,
    depth,
    literal_variables,
    variables,
)

X, Y = Variable("?x"), Variable("?y")
A, B = Constant("a"), Constant("b")


def f(*args: Term) -> Compound:
    return Compound("f", args)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (A, "a"),
        (X, "?x"),
        (f(A, X), "(f a ?x)"),
        (f(f(), A), "(f (f) a)"),
        (f(), "(f)"),
        (Atom("terminal"), "terminal"),
        (Atom("true", (f(A),)), "(true (f a))"),
        (Not(Atom("p", (A,))), "(not (p a))"),
        (Or((Atom("p"), And((Atom("q"), Atom("r"))))), "(or p (and q r))"),
        (Distinct(X, A), "(distinct ?x a)"),
        (Rule(Atom("p", (A,))), "(p a)"),
        (Rule(Atom("p", (X,)), (Atom("q", (X,)), Not(Atom("r")))), "(<= (p ?x) (q ?x) (not r))"),
        (Rulesheet((Rule(Atom("p")), Rule(Atom("q")))), "p\nq"),
    ],
)
def test_canonical_text(value: object, text: str) -> None:
    assert str(value) == text


def test_a_compound_without_arguments_is_no_constant() -> None:
    assert f() != Constant("f")
    assert len({f(), Constant("f"), Variable("f")}) == 3


terms = st.recursive(
    st.one_of(st.sampled_from("ab").map(Constant), st.sampled_from(["?a", "?b"]).map(Variable)),
    lambda inner: st.builds(Compound, st.sampled_from("ab"), st.lists(inner, max_size=3).map(tuple)),
    max_leaves=6,
)


@given(terms, terms)
def test_terms_are_equal_exactly_when_their_texts_and_kinds_are(one: Term, other: Term) -> None:
    assert (one == other) == (str(one) == str(other))
    if one == other:
        assert hash(one) == hash(other)


@given(terms)
def test_copies_and_pickles_are_the_same_term(term: Term) -> None:
    assert copy.deepcopy(term) == term
    again = pickle.loads(pickle.dumps(term))
    assert again == term
    assert hash(again) == hash(term)
    assert str(again) == str(term)


@given(terms)
def test_ground_means_without_variables(term: Term) -> None:
    assert term.ground == (not list(variables(term)))
    assert term.ground == ("?" not in str(term))


def test_depth_counts_nested_compounds() -> None:
    assert [depth(term) for term in (A, X, f(), f(A), f(f(A), A))] == [0, 0, 1, 1, 2]


def test_variables_come_from_left_to_right_with_repetitions() -> None:
    assert list(variables(f(X, f(Y, X), A))) == [X, Y, X]
    rule = Rule(Atom("p", (X,)), (Or((Atom("q", (Y,)), Not(Atom("r", (X,))))), And((Distinct(Y, X),))))
    assert list(rule.variables()) == [X, Y, X, Y, X]
    assert list(literal_variables(rule.body[1])) == [Y, X]


def test_atoms_under_negations() -> None:
    p, q, r = Atom("p"), Atom("q"), Atom("r")
    literal = Or((p, Not(And((q, Not(r), Distinct(A, B))))))
    assert list(atoms(literal)) == [p, q, r]


def test_places_take_no_part_in_comparing() -> None:
    here, there = Place(1, 1), Place(2, 2)
    assert Atom("p", (A,), here) == Atom("p", (A,), there)
    assert hash(Rule(Atom("p"), (), here)) == hash(Rule(Atom("p"), (), there))
    assert Not(Atom("p"), here) == Not(Atom("p"), there)


def test_a_table_gives_the_same_object_for_equal_terms() -> None:
    table = TermTable()
    assert table.constant("a") is table.constant("a")
    assert table.variable("?a") is table.variable("?a")
    inner = table.compound("f", (table.constant("a"),))
    assert inner is table.compound("f", (Constant("a"),))
    assert inner is not table.compound("f", ())


def test_a_rulesheet_knows_its_roles_in_order() -> None:
    facts = [Rule(Atom("role", (term,))) for term in (B, A, B, X)]
    sheet = Rulesheet((*facts, Rule(Atom("p"))))
    assert sheet.roles() == (B, A)
    assert [rule.head.name for rule in sheet.of("p")] == ["p"]
