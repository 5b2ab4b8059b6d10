"""The grounder: what comes out, and when it stops."""

from __future__ import annotations

import pytest

from ggtp.errors import RulesError
from ggtp.gdl.ground import grounder as module
from ggtp.gdl.ground.grounder import GroundingStopped, ground
from ggtp.gdl.ground.program import GroundProgram
from ggtp.gdl.language.parse import parse

COINS = """
    (role b) (role a) (init (heads 1)) (coin 1) (coin 2)
    (<= (legal ?p (flip ?c)) (role ?p) (coin ?c))
    (<= (legal a pass) (true (heads 1)))
    (<= (next (heads ?c)) (does a (flip ?c)) (not (true (heads ?c))))
    (<= (next (heads ?c)) (true (heads ?c)) (not (does a (flip ?c))))
    (<= terminal (true (heads 2)))
    (<= (goal a 100) (true (heads 2))) (<= (goal a 0) (not (true (heads 2)))) (goal b 50)
"""


def grounded(text: str) -> GroundProgram:
    return ground(parse(text))


def holds(program: GroundProgram, true: set[int]) -> set[int]:
    """All atoms that hold with these inputs; for programs without recursion through negation."""
    result = true | program.always
    for _ in program.rules:
        for rule in program.rules:
            if all((abs(item) in result) == (item > 0) for item in rule.body):
                result.add(rule.head)
    return result


def test_roles_facts_and_moves() -> None:
    program = grounded(COINS)
    assert program.roles == ("b", "a")
    assert program.facts == ("(heads 1)", "(heads 2)")
    assert program.moves == (("(flip 1)", "(flip 2)"), ("(flip 1)", "(flip 2)", "pass"))
    assert program.initial == (0,)


def test_inputs_are_numbered_first() -> None:
    program = grounded(COINS)
    inputs = 2 + 2 + 3
    assert all(rule.head > inputs for rule in program.rules)
    assert max(rule.head for rule in program.rules) <= program.atoms


def test_what_always_holds() -> None:
    program = grounded(COINS)
    assert set(program.legal[0]) <= program.always
    assert program.legal[1][2] not in program.always
    assert program.goals[0] == ((50, program.goals[0][0][1]),)
    assert program.goals[0][0][1] in program.always


def test_the_rules_mean_what_they_say() -> None:
    # The inputs: two facts, the two moves of one role, and the three of the other.
    program = grounded(COINS)
    found = holds(program, {1, 6})
    assert [atom in found for atom in program.next] == [True, True]
    assert program.terminal not in holds(program, {1})
    assert program.terminal in holds(program, {2})


def test_facts_of_the_start_that_nothing_makes_again_have_no_next() -> None:
    program = grounded("(role r) (init (a)) (init (b)) (<= (next (a)) (true (b))) (<= (legal r x) (role r))")
    assert program.facts == ("(a)", "(b)")
    assert program.next[1] == 0
    assert program.terminal == 0
    assert program.goals == ((),)


def test_percepts() -> None:
    program = grounded("(role r) (init (a)) (<= (legal r x) (role r)) (<= (sees r (hit ?m)) (does r ?m))")
    assert [percept for percept, _ in program.sees[0]] == ["(hit x)"]
    assert grounded(COINS).sees == ()


def test_names_survive() -> None:
    program = grounded("(role 7) (init (f (g 1 x-y) (h))) (<= (legal 7 (m (g ?x ?y) ?z)) (true (f (g ?x ?y) ?z)))")
    assert program.roles == ("7",)
    assert program.facts == ("(f (g 1 x-y) (h))",)
    assert program.moves == (("(m (g 1 x-y) (h))",),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(init (a))", "no role"),
        ("(role r) (<= (init (a)) (true (b))) (init (b))", "start"),
        ("(role r) (goal r much)", "number"),
        ("(role r) (<= (next (a ?x)) (role r))", "no value"),
    ],
)
def test_rules_that_cannot_be_grounded(text: str, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        grounded(text)


BIG = "(role r) (n 1) (n 2) (n 3) (n 4) (n 5) (n 6) (n 7) (<= (next (f ?a ?b ?c ?d)) (n ?a) (n ?b) (n ?c) (n ?d))"


def test_it_tells_how_many_rules_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ASK_EVERY", 1000)
    seen: list[int] = []
    ground(parse(BIG), progress=seen.append)
    assert seen == list(range(1000, seen[-1] + 1, 1000))
    assert seen[-1] + 1000 >= 7**4


def test_it_stops_at_too_many_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ASK_EVERY", 100)
    with pytest.raises(GroundingStopped, match="more than 1000"):
        ground(parse(BIG), max_rules=1000)
