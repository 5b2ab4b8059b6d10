"""What the checks ask about a rulesheet."""

from __future__ import annotations

from ggtp.gdl.language.parse import parse, parse_term
from ggtp.gdl.language.reader import Place
from ggtp.gdl.language.survey import Survey, compounds, word_place

RULES = """(role a)
(<= (p ?x) (q ?x)
  (not (r (f ?x b))))
(<= (q ?x) (true (s ?x)))"""


def test_uses_and_definitions() -> None:
    survey = Survey(parse(RULES))
    assert survey.defined == {"role", "p", "q"}
    found = [(use.atom.name, use.head) for use in survey.uses]
    assert found == [
        ("role", True),
        ("p", True),
        ("q", False),
        ("r", False),
        ("q", True),
        ("true", False),
    ]
    assert survey.reach("p") == {"p", "q", "r", "true"}
    assert survey.reach("nothing") == set()


def test_a_rule_with_too_many_alternatives_is_a_fault() -> None:
    survey = Survey(parse("(<= p " + "(or a b)" * 13 + ")"))
    assert [(fault.line, fault.column) for fault in survey.faults] == [(1, 1)]
    assert survey.clauses == []


def test_the_place_of_a_word() -> None:
    rule = parse(RULES).rules[1]
    assert word_place(rule, "?x") == Place(2, 8)
    assert word_place(rule, "?x", rule.body[1].place) == Place(3, 14)
    assert word_place(rule, "b") == Place(3, 17)
    assert word_place(rule, "nothing") == rule.place


def test_compounds_of_a_term() -> None:
    assert list(map(str, compounds(parse_term("(f a (g) (h (g)))")))) == ["(f a (g) (h (g)))", "(g)", "(h (g))", "(g)"]
