"""What is allowed, but looks like a mistake."""

from __future__ import annotations

import pytest

from ggtp.gdl.language.faults import Severity
from ggtp.gdl.language.parse import parse
from ggtp.gdl.language.survey import Survey
from ggtp.gdl.language.suspicions import did_you_mean, suspicions

RULES = """(role white) (role black)
(init (cell 1 blank))
(adjacent 1 2)
(<= (legal white (mark ?x)) (true (cell ?x blank)) (adjacent ?x ?_y))
(<= (legal black wait) (true (cell 1 blank)))
(<= (next (cell ?x white)) (does white (mark ?x)))
(<= terminal (not (true (cell 1 blank))))
(<= (goal white 100) terminal)
(<= (goal black 0) terminal)
"""
LINE = RULES.count("\n") + 1


def said(text: str) -> list[tuple[str, str, int, int]]:
    found = list(suspicions(Survey(parse(text))))
    assert all(fault.severity is Severity.WARNING for fault in found)
    return [(fault.message, fault.remedy, fault.line, fault.column) for fault in found]


def test_nothing_is_said_about_sound_rules() -> None:
    assert said(RULES) == []


@pytest.mark.parametrize(
    ("text", "column", "message", "remedy"),
    [
        ("(helper 1)", 1, "The relation 'helper' is never used.", "Remove it, or use it."),
        ("(<= (legal white a) (lines white))", 21, "No rule defines 'lines'.", "It never holds."),
        ("(<= (legal white a) (adjacnt 1 2))", 21, "No rule defines 'adjacnt'.", "Did you mean 'adjacent'?"),
        ("(<= (legal white a) (true (cel 1 b)))", 28, "No rule makes the fact 'cel'.", "Did you mean 'cell'?"),
        ("(<= (legal white a) (true (score 3)))", 28, "No rule makes the fact 'score'.", "It never holds."),
        ("(<= (next (cell 2 x)) (does white (marc 2)))", 36, "No rule allows the move 'marc'.", "Did you mean 'mark'?"),
        ("(<= (next (cell 2 x)) (does white pass))", 35, "No rule allows the move 'pass'.", "It never holds."),
        (
            "(<= (legal white a) (adjacent 1 ?what))",
            33,
            "?what stands only once in this rule.",
            "If any value will do, call it ?_what.",
        ),
        ("(adjacent 1 2)", 1, "The same fact as in line 3.", "Remove one of them."),
        (
            "(<= (legal white (mark ?a)) (true (cell ?a blank)) (adjacent ?a ?_b))",
            1,
            "The same rule as in line 4.",
            "Remove one of them.",
        ),
        ("(goal white 101)", 13, "The goal 101 is above 100.", "Goals are whole numbers from 0 to 100."),
        ("(goal white high)", 13, "The goal high is no number.", "Goals are whole numbers from 0 to 100."),
        ("(goal white -5)", 13, "The goal -5 is no number.", "Goals are whole numbers from 0 to 100."),
        ("(legal whit wait)", 8, "There is no role whit.", "Did you mean 'white'?"),
        ("(legal 3 wait)", 8, "There is no role 3.", "The roles are black, white."),
        ("(role green)", 1, "The role green has no moves.", "Write rules for (legal green ...)."),
        ("(role green)", 1, "The role green has no goal.", "Write rules for (goal green ...)."),
        (
            "oops",
            1,
            "'oops' stands alone outside of all rules.",
            "If it is no fact, check the parentheses before it.",
        ),
    ],
)
def test_suspicious(text: str, column: int, message: str, remedy: str) -> None:
    assert (message, remedy, LINE, column) in said(RULES + text)


@pytest.mark.parametrize(
    "text",
    [
        "(<= (sees white ?m) (does black ?m))",
        "(base (cell 1 blank)) (input white (mark 1))",
        "(<= (next ?f) (true ?f))\n(<= (legal white a) (true (score 3)))",
        "(<= (legal white a) (adjacent 1 ?_))",
        "(<= (goal ?r ?v) (role ?r) (value ?v)) (value 7)",
        "(role random) (legal random roll)",
    ],
)
def test_not_suspicious(text: str) -> None:
    assert said(RULES + text) == []


def test_a_name_is_told_once() -> None:
    assert len(said(RULES + "(<= (legal white a) (lines 1) (lines 2))(<= (legal white b) (lines 3))")) == 1


def test_near_names() -> None:
    assert did_you_mean("adjacnt", {"adjacent", "cell"}) == "Did you mean 'adjacent'?"
    assert did_you_mean("x", {"adjacent", "cell"}) == ""
