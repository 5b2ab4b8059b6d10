"""Broken rulesheets, each with what is said about it and where."""

from __future__ import annotations

import pytest

from ggtp.errors import RulesError
from ggtp.gdl.interpret.reasoner import Interpreter
from ggtp.gdl.language.faults import Fault, Severity, errors
from ggtp.gdl.language.parse import parse
from ggtp.gdl.language.validate import REQUIRED, parse_validly, validate, validate_text

SOUND = """
(role a)
(init (n 1))
(succ 1 2)
(<= (legal a go) (true (n ?x)) (succ ?x ?_y))
(<= (next (n ?y)) (does a go) (true (n ?x)) (succ ?x ?y))
(<= terminal (true (n 2)))
(<= (goal a 100) (true (n 2)))
(<= (goal a 0) (not (true (n 2))))
"""
"""Ends with a newline: what a test adds begins in column 1 of line 10."""

LINE = SOUND.count("\n") + 1


def added(text: str) -> list[Fault]:
    """What is said about the sound rules with this line added."""
    return validate_text(SOUND + text)


def test_nothing_is_said_about_sound_rules() -> None:
    assert validate_text(SOUND) == []


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("()", 1, "Empty parentheses."),
        ("(<= (true (n 3)) (role a))", 5, "'true' cannot be the head of a rule."),
        ("(does a go)", 1, "'does' cannot be the head of a rule."),
        ("(<= (legal a up) (next (n 1)))", 18, "'next' cannot stand in a body."),
        ("(<= (legal a up) (not (init (n 1))))", 23, "'init' cannot stand in a body."),
        ("(<= (init (n 2)) (true (n 1)))", 18, "'init' depends on 'true'."),
        ("(<= (legal a up) (does a go))", 18, "'legal' depends on 'does'."),
        ("(<= terminal (not (does a go)))", 19, "'terminal' depends on 'does'."),
        ("(role)", 1, "'role' has 0 arguments instead of 1."),
        ("(<= (legal a) (role a))", 5, "'legal' has 1 argument instead of 2."),
        ("(<= (legal ?q up) (role a))", 12, "?q stands in the head, but no positive condition gives it a value."),
        ("(init (n ?x))", 10, "?x stands in the head, but no positive condition gives it a value."),
        (
            "(<= (legal ?p (at ?x)) (role ?p) (not (true (n ?x))))",
            19,
            "?x stands in the head, but no positive condition gives it a value.",
        ),
        (
            "(<= (legal ?p up) (or (role ?p) (true (n 1))))",
            12,
            "?p stands in the head, but no positive condition gives it a value.",
        ),
        ("(<= (legal a up) (not (and (true (n ?k)) (succ ?k ?k))))", 37, "?k connects conditions under one 'not'."),
        ("(<= (init (n 7)) (or" + " (succ 1 2)" * 2 + ")" + " (or (succ 1 2) (succ 2 1))" * 12 + ")", 1, None),
    ],
)
def test_errors(text: str, column: int, message: str | None) -> None:
    found = [fault for fault in errors(added(text)) if message is None or fault.message == message]
    assert found, "\n".join(map(str, added(text)))
    assert (found[0].line, found[0].column) == (LINE, column)
    assert found[0].remedy


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("(role a)", 1, "The role a is named twice."),
        ("(<= (role ?x) (succ ?x 2))", 1, "A role that is derived by a rule."),
        ("(init (m (true b))) ", 11, "'true' stands inside a term."),
        ("(<= (base (n ?x)) (true (n ?x)))", 19, "'base' depends on 'true'."),
        ("(<= (legal a up) (succ 1))", 18, "'succ' has 1 argument here, and 2 elsewhere."),
        ("(init (n 1 2))", 8, "The function 'n' has 2 arguments here, and 1 elsewhere."),
        ("(init (lock))", 8, "(lock) has no arguments."),
        ("(<= (terminal) (true (n 1)))", 5, "(terminal) has no arguments."),
        ("(<= (legal a up) (not (true (n ?k))))", 32, "?k stands only under 'not': that means 'for no ?k'."),
        (
            "(<= (legal a up) (distinct ?k b))",
            28,
            "?k is compared, but never gets a value: it differs from everything.",
        ),
        ("(<= (legal a up))", 1, "A rule with an empty body."),
        ("(succ 2 3))", 11, "This ')' closes nothing."),
        ("(<= (goal a 7) (not (goal a 100)))", 21, "'goal' depends on its own negation, through 'goal'."),
    ],
)
def test_warnings_do_not_forbid_playing(text: str, column: int, message: str) -> None:
    found = [fault for fault in added(text) if fault.message == message]
    assert found, "\n".join(map(str, added(text)))
    assert (found[0].line, found[0].column, found[0].severity) == (LINE, column, Severity.WARNING)
    assert found[0].remedy
    assert errors(added(text)) == []
    assert Interpreter(parse(SOUND + text)).roles


@pytest.mark.parametrize("name", sorted(REQUIRED))
def test_a_required_relation_is_missing(name: str) -> None:
    rules = "\n".join(line for line in SOUND.splitlines() if not line.startswith((f"({name} ", f"(<= ({name} ")))
    if name == "terminal":
        rules = rules.replace("(<= terminal", "(<= the-end")
    (fault,) = [fault for fault in validate_text(rules) if fault.message == f"There is no rule for '{name}'."]
    assert fault.severity is (Severity.WARNING if name == "init" else Severity.ERROR)
    assert fault.line == 0


def test_dependencies_are_followed_through_other_relations() -> None:
    rules = "(<= (moved ?p) (does ?p go))\n(<= (done ?p) (moved ?p))\n(<= (goal a 5) (done a))"
    (fault,) = errors(added(rules))
    assert (fault.message, fault.line, fault.column) == ("'goal' depends on 'does' through 'done'.", LINE + 2, 16)


def test_what_depends_on_its_own_negation() -> None:
    rules = "(<= (p ?x) (succ ?x ?_a) (not (q ?x)))\n(<= (q ?x) (succ ?x ?_a) (not (p ?x)))\n(<= (legal a b) (p 1))"
    found = errors(added(rules))
    assert [(fault.message, fault.line, fault.column) for fault in found] == [
        ("'p' depends on its own negation, through 'q'.", LINE, 31),
        ("'q' depends on its own negation, through 'p'.", LINE + 1, 31),
    ]


@pytest.mark.parametrize(
    ("rules", "severity"),
    [
        # An argument of the head, ground, or given by a relation outside the cycle.
        ("(<= (path ?x ?z) (succ ?x ?y) (path ?y ?z))", None),
        ("(<= (path ?x ?z) (path ?x ?y) (succ ?y ?z))", None),
        ("(<= (path ?x ?z) (path 1 ?z) (succ ?x ?z))", None),
        ("(<= (path ?x (f ?z)) (succ ?x ?z) (path ?x ?z))", None),
        # ?y comes from the recursion itself; without functions it can't grow.
        ("(<= (path ?x ?z) (path ?x ?y) (path ?y ?z))", Severity.WARNING),
        ("(<= (path ?x (f ?z)) (path ?x ?z))", Severity.ERROR),
    ],
)
def test_unbounded_recursion(rules: str, severity: Severity | None) -> None:
    text = f"(<= (path ?x ?y) (succ ?x ?y))\n{rules}\n(<= (legal a b) (path 1 2))"
    found = [fault for fault in added(text) if fault.message.startswith("Nothing bounds")]
    assert {fault.severity for fault in found} == ({severity} if severity else set())
    assert all(fault.line == LINE + 1 for fault in found)


def test_every_fault_is_listed_in_the_order_of_the_text() -> None:
    rules = "(role a)\n()\n(<= (init (n ?x)) (true (n ?y)))\n(does a b)\n((x))"
    found = errors(validate_text(rules))
    assert [fault.line for fault in found] == [2, 3, 3, 4, 5, 0, 0, 0, 0]


def test_what_cannot_be_read_is_raised() -> None:
    with pytest.raises(RulesError, match="never closed"):
        validate_text("(role a")


def test_validating_a_rulesheet_and_its_text_is_the_same() -> None:
    assert validate(parse(SOUND + "()")) == validate_text(SOUND + "()")


def test_only_what_can_be_played_is_parsed_validly() -> None:
    game = "(role a) (init z) (legal a go) (next z) (<= terminal (true z)) (goal a 100)"
    assert len(parse_validly(game).rules) == 6
    with pytest.raises(RulesError, match=r"no rule for 'next'.*There are 2 more faults: `ggtp check` lists them"):
        parse_validly("(role a) (init z) (legal a go)")
    with pytest.raises(RulesError, match=r"no rule for 'goal'") as caught:
        parse_validly(game.removesuffix("(goal a 100)"), "x.kif")
    assert "more" not in str(caught.value)
    assert caught.value.path == "x.kif"
