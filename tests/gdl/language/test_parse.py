"""From expressions to rules, and what has no meaning."""

from __future__ import annotations

import pytest

from ggtp.errors import RulesError
from ggtp.gdl.language.faults import Severity
from ggtp.gdl.language.parse import parse, parse_strictly, parse_term
from ggtp.gdl.language.reader import Place
from ggtp.gdl.language.syntax import And, Atom, Compound, Constant, Distinct, Not, Or, Variable


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("(role white)", "(role white)"),
        ("(<= terminal (true (step 9)))", "(<= terminal (true (step 9)))"),
        ("(<= (terminal) open)", "(<= terminal open)"),
        ("(:- (p ?x) (q ?x))", "(<= (p ?x) (q ?x))"),
        ("((p ?x) <= (q ?x) r)", "(<= (p ?x) (q ?x) r)"),
        ("((p) :- r)", "(<= p r)"),
        ("(<= p (and q (not r)) s)", "(<= p q (not r) s)"),
        ("(<= p (or q (and r s)))", "(<= p (or q (and r s)))"),
        ("(<= p (not (or q (distinct ?x a))))", "(<= p (not (or q (distinct ?x a))))"),
        ("(and 0 0 0) (<= (p ?x) (and 0 0 ?x))", "(and 0 0 0)\n(<= (p ?x) (and 0 0 ?x))"),
        ("(<= (and ?x ?y) (p ?x) (p ?y)) (<= q (and 1 1))", "(<= (and ?x ?y) (p ?x) (p ?y))\n(<= q (and 1 1))"),
        ("(init (noop)) (init noop)", "(init (noop))\n(init noop)"),
        ("open", "open"),
    ],
)
def test_what_a_text_means(source: str, found: str) -> None:
    sheet = parse(source)
    assert str(sheet) == found
    assert sheet.faults == ()


def test_literals_have_their_kinds_and_places() -> None:
    (rule,) = parse("(<= (p ?x)\n  (q ?x)\n  (not (r ?x))\n  (or s (and t u))\n (distinct ?x a))").rules
    assert [type(literal) for literal in rule.body] == [Atom, Not, Or, Distinct]
    assert [literal.place for literal in rule.body] == [Place(2, 3), Place(3, 3), Place(4, 3), Place(5, 2)]
    choice = rule.body[2]
    assert isinstance(choice, Or)
    assert isinstance(choice.options[1], And)
    assert choice.options[1].place == Place(4, 9)
    assert rule.place == Place(1, 1)
    assert rule.head.place == Place(1, 5)


def test_equal_terms_of_a_text_are_one_object() -> None:
    one, other = parse("(p (f a ?x) a) (q (f a ?x))").rules
    assert one.head.args[0] is other.head.args[0]


@pytest.mark.parametrize(
    ("source", "line", "column", "message"),
    [
        ("(a)\n()", 2, 1, "Empty parentheses."),
        ("(<=)", 1, 1, "A rule without a head."),
        ("<= (a)", 1, 1, "An arrow outside of a rule."),
        ("(<= (a) ())", 1, 9, "Empty parentheses."),
        ("((a) b)", 1, 2, "A list stands where the name of a fact should."),
        ("(<= (a) ((b)))", 1, 10, "A list stands where the name of a literal should."),
        ("(p ((a) b))", 1, 5, "A list stands where the name of a term should."),
        ("(?p a)", 1, 2, "A variable, ?p, stands for the name of a fact."),
        ("(<= (p ?x) (?x a))", 1, 13, "A variable, ?x, stands for the name of a literal."),
        ("(<= ?x (p ?x))", 1, 5, "A variable, ?x, stands for the name of a head."),
        ("(<= (not p) q)", 1, 5, "'not' cannot be the head."),
        ("(or a b)", 1, 1, "'or' cannot be the fact."),
        ("(<= p (not))", 1, 7, "'not' has 0 arguments."),
        ("(<= p (not q r))", 1, 7, "'not' has 2 arguments."),
        ("(<= p (distinct a))", 1, 7, "'distinct' has 1 arguments."),
        ("(<= p (or))", 1, 7, "'or' without arguments."),
        ("(<= p not)", 1, 7, "'not' has 0 arguments."),
        ("(<= p (<= q r))", 1, 7, "An arrow cannot be a literal."),
        ("(<= p (q (<= r s)))", 1, 10, "A rule inside a rule."),
        ("(less <= 3)", 1, 7, "An arrow inside a term."),
    ],
)
def test_what_has_no_meaning_is_placed_and_left_out(source: str, line: int, column: int, message: str) -> None:
    sheet = parse(source)
    fault = sheet.faults[0]
    assert (fault.message, fault.line, fault.column, fault.severity) == (message, line, column, Severity.ERROR)
    assert fault.remedy
    with pytest.raises(RulesError, match=f"^game:{line}:{column}: "):
        parse_strictly(source, "game")


def test_one_bad_rule_does_not_hide_the_others() -> None:
    sheet = parse("(a) () (b) ((c)) (d)")
    assert [str(rule) for rule in sheet.rules] == ["a", "b", "d"]
    assert len(sheet.faults) == 2


def test_warnings_for_strays_and_empty_bodies() -> None:
    sheet = parse("(a))\n(<= (b))")
    found = [(fault.line, fault.column, fault.severity) for fault in sheet.faults]
    assert found == [(1, 4, Severity.WARNING), (2, 1, Severity.WARNING)]
    assert str(sheet) == "a\nb"
    assert parse_strictly("(a))\n(<= (b))") == sheet


def test_terms() -> None:
    assert parse_term("(Cell 1 ?x)") == Compound("cell", (Constant("1"), Variable("?x")))
    assert parse_term(" noop ") == Constant("noop")


@pytest.mark.parametrize("text", ["", "a b", "()", "((a))", "(a", "(?x a)"])
def test_what_is_no_term(text: str) -> None:
    with pytest.raises(RulesError):
        parse_term(text)
