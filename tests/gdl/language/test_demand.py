"""Wide relations are restricted to what is asked for, and nobody can tell the difference."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ggtp.gdl.interpret.reasoner import Interpreter
from ggtp.gdl.language import demand
from ggtp.gdl.language.demand import for_grounding, for_states, restrict
from ggtp.gdl.language.dependencies import negative_cycles, static_relations
from ggtp.gdl.language.normalise import Clause, Condition, Negation, Program, normalise
from ggtp.gdl.language.parse import parse, parse_term
from ggtp.gdl.language.syntax import Atom, Constant, Functor, Term, Variable, literal_variables

ROOTS = (("next", 1), ("goal", 2))
ALL = "(<= (all ?a ?b ?c ?d ?v) (true (cell ?a ?v)) (true (cell ?b ?v)) (true (cell ?c ?v)) (true (cell ?d ?v)))"


def companions(program: Program) -> set[str]:
    """The clauses that say what is needed."""
    return {str(clause) for clause in program.clauses if ";need" in clause.head.name}


def grounding(text: str) -> Program:
    return for_grounding(normalise(parse(text)), ROOTS)


# The transformation.


def test_a_position_is_known_only_if_every_question_knows_it() -> None:
    program = normalise(parse("(<= (p ?x ?y) (q ?x ?y)) (<= (r ?x) (s ?x) (p ?x 1)) (<= (t ?x ?y) (s ?y) (p ?x ?y))"))

    def questions(clause: Clause, need: object) -> list[tuple[Atom, tuple[Condition, ...]]]:
        *tests, last = clause.body
        return [(last, tuple(tests))] if isinstance(last, Atom) and last.name == "p" else []

    assert str(restrict(program, {("p", 2)}, questions)).splitlines() == [
        "(<= (p ?x ?y) (p;need2 ?y) (q ?x ?y))",
        "(<= (r ?x) (s ?x) (p ?x 1))",
        "(<= (p;need2 1) (s ?x))",
        "(<= (t ?x ?y) (s ?y) (p ?x ?y))",
        "(<= (p;need2 ?y) (s ?y))",
    ]


def test_a_question_that_needs_no_more_than_was_asked_says_nothing() -> None:
    program = normalise(parse("(<= (p ?x ?y) (q ?x ?y)) (<= (p ?x ?y) (p ?x ?z) (q ?z ?y)) (<= goal (p 1 ?y))"))

    def questions(clause: Clause, need: demand.Need) -> list[tuple[Atom, tuple[Condition, ...]]]:
        return [(item, need(clause.head)) for item in clause.body if isinstance(item, Atom) and item.name == "p"]

    assert companions(restrict(program, {("p", 2)}, questions)) == {"(p;need2 1)"}


def test_facts_are_not_restricted() -> None:
    assert "(all 1 1 1 1 b)" in str(grounding(f"{ALL} (all 1 1 1 1 b) (<= (goal r 1) (all 1 2 3 4 x))")).splitlines()


# For the interpreter.


COUNT = """
    (role r) (init (cell 1)) (init (cell 2)) (init (cell 3))
    (<= (three ?a ?b ?c ?d ?e) (true (cell ?a)) (true (cell ?b)) (true (cell ?c)) (true (cell ?d)) (true (cell ?e)))
    (<= full (three 1 2 3 1 2))
    (<= terminal full)
"""


def test_only_what_is_asked_for_is_computed() -> None:
    game = Interpreter(parse(COUNT))
    assert game.terminal(game.initial())
    assert game.holds(game.initial(), "three") == {tuple(map(parse_term, "12312"))}
    assert game.holds(game.initial(), "three;need5") == {tuple(map(parse_term, "12312"))}


def test_a_program_without_wide_relations_is_left_alone() -> None:
    program = normalise(parse("(<= (p ?a ?b ?c ?d) (true (q ?a ?b ?c ?d))) (<= terminal (p 1 1 1 1))"))
    assert for_states(program) is program


def test_what_players_ask_for_is_never_restricted() -> None:
    program = normalise(parse("(<= (legal ?r (move ?a ?b ?c ?d)) (role ?r) (true (at ?a ?b ?c ?d)))"))
    assert for_states(program) is program


def test_a_relation_about_moves_is_never_wide() -> None:
    rules = """(<= (moved ?a ?b ?c ?d ?e) (does ?a (move ?b ?c ?d ?e)))
        (<= (passed ?a ?b ?c ?d ?e ?x) (moved ?a ?b ?c ?d ?e) (true (at ?x)))
        (<= (next ?a) (passed ?a 1 1 1 1 1))"""
    program = normalise(parse(rules))
    assert for_states(program) is program


def test_a_relation_of_four_is_wide_where_three_of_them_are_free() -> None:
    counted = "(<= (all ?x ?y ?z ?p) (true (cell ?x ?p)) (true (cell ?y ?p)) (true (cell ?z ?p)))"
    program = for_states(normalise(parse(f"{counted} (<= terminal (all a b c red))")))
    assert "all;need4" in str(program)
    step = "(<= (step ?x ?y ?u ?v) (true (cell ?x ?y)) (succ ?x ?u) (succ ?y ?v)) (succ 1 2)"
    assert ";need" not in str(for_states(normalise(parse(f"{step} (<= terminal (step 1 1 2 2))"))))


def test_a_static_relation_must_be_wider() -> None:
    facts = "(x 1) (x 2)"
    five = f"{facts} (<= (p ?a ?b ?c ?d ?e) (x ?a) (x ?b) (x ?c) (x ?d) (x ?e)) (<= terminal (p 1 1 1 1 1))"
    assert for_states(normalise(parse(five))) == normalise(parse(five))
    eight = (
        f"{facts} (<= (p ?a ?b ?c ?d ?e ?f ?g ?h) (x ?a) (x ?b) (x ?c) (x ?d) (x ?e) (x ?f) (x ?g) (x ?h))"
        "(<= terminal (p 1 1 1 1 1 1 1 1))"
    )
    assert "p;need8" in str(for_states(normalise(parse(eight))))


def test_a_relation_that_somebody_asks_for_as_a_whole_is_computed_as_a_whole() -> None:
    wide = "(<= (w ?a ?b ?c ?d ?e) (true (f ?a ?b ?c ?d ?e)))"
    program = for_states(normalise(parse(f"{wide} (<= terminal (w 1 ?b ?c ?d ?e)) (<= (next ?b) (w ?a ?b 1 1 1))")))
    assert ";need" not in str(program)


def test_lists_that_would_have_no_end_are_built_as_far_as_needed() -> None:
    letters = "(el a) (el b) (el c) (el d)"
    rules = f"""(role r) (init (word (cons a (cons b nil)))) {letters}
        (list nil)
        (<= (list (cons ?a (cons ?b (cons ?c (cons ?d (cons ?e (cons ?f (cons ?g (cons ?h ?t)))))))))
            (el ?a) (el ?b) (el ?c) (el ?d) (el ?e) (el ?f) (el ?g) (el ?h) (list ?t))
        (<= (list (cons ?a ?t)) (el ?a) (list ?t))
        (<= terminal (true (word ?w)) (list ?w))"""
    game = Interpreter(parse(rules))
    assert game.terminal(game.initial())
    assert not game.terminal(frozenset({parse_term("(word (cons a (cons z nil)))")}))
    assert game.terminal(frozenset({parse_term("(word (cons d nil))")}))


def test_where_thoroughness_would_hurt_less_is_done() -> None:
    # What is needed of w would depend on the negation of v, which depends on w.
    rules = """(role r)
        (<= (w ?a ?b ?c ?d ?e) (true (f ?a ?b ?c ?d ?e)))
        (<= (v ?a ?b ?c ?d ?e) (true (f ?a ?b ?c ?d ?e)) (not (w ?b ?a ?c ?d ?e)))
        (<= (u ?a) (true (f ?a ?b ?c ?d ?e)) (not (v ?a ?b ?c ?d ?e)) (w ?a ?b ?c ?d ?e))
        (<= terminal (u ?a))"""
    program = for_states(normalise(parse(rules)))
    assert "w;need5" in str(program)
    assert negative_cycles(program.clauses) == []
    game = Interpreter(parse(rules))
    assert not game.terminal(frozenset({parse_term("(f 1 2 1 1 1)")}))
    assert game.terminal(frozenset({parse_term("(f 1 2 1 1 1)"), parse_term("(f 2 1 1 1 1)")}))


# For the grounder.


def test_constants_are_needed() -> None:
    program = grounding(f"{ALL} (<= (goal r 100) (all 1 2 3 4 x)) (<= (goal r 0) (not (all 5 6 7 8 x)))")
    assert companions(program) == {"(all;need5 1 2 3 4 x)", "(all;need5 5 6 7 8 x)"}
    [clause] = [clause for clause in program.clauses if clause.head.name == "all"]
    assert clause.body[0] == Atom("all;need5", clause.head.args)


def test_static_atoms_tell_what_is_needed() -> None:
    program = grounding(f"{ALL} (line 1 2) (<= (goal r 100) (line ?x ?y) (true (on ?z)) (all ?x ?y ?y ?z ?v))")
    assert companions(program) == {"(<= (all;need5 ?x ?y ?y) (line ?x ?y))"}


def test_need_is_passed_on_through_recursion() -> None:
    program = grounding("""
        (<= (way ?a ?b ?c ?d ?n) (true (e ?a ?b ?c ?d)) (zero ?n))
        (<= (way ?a ?b ?c ?d ?n) (true (e ?a ?b ?x ?y)) (succ ?m ?n) (way ?x ?y ?c ?d ?m))
        (zero 0) (succ 0 1) (<= (goal r 100) (way 1 1 4 4 1))""")
    assert companions(program) == {
        "(way;need5 4 4 1)",
        "(<= (way;need5 ?c ?d ?m) (way;need5 ?c ?d ?n) (succ ?m ?n))",
    }


def test_narrow_relations_roots_and_static_ones_stay() -> None:
    sheet = normalise(
        parse("""(<= (p ?x) (true (f ?x))) (<= (goal r 1) (p 1)) (n 1)
                 (<= (goal ?a ?b) (true (g ?a ?b ?c ?d ?e))) (<= (s ?a) (m ?a ?b ?c ?d ?e)) (m 1 2 3 4 5)""")
    )
    assert for_grounding(sheet, ROOTS) == sheet


def test_conditions_that_share_no_variable_do_not_tell_what_is_needed() -> None:
    program = grounding(
        f"{ALL} (line 1 2) (far 3) (<= (goal r 1) (line ?x ?y) (far ?z) (distinct ?z 2) (all ?x ?y ?y ?x b))"
    )
    assert companions(program) == {"(<= (all;need5 ?x ?y ?y ?x b) (line ?x ?y))"}


# For both.


variables = st.sampled_from([Variable(f"?{letter}") for letter in "abcd"])
terms: st.SearchStrategy[Term] = st.one_of(variables, variables, st.sampled_from("12").map(Constant))
names = st.sampled_from(["p", "q", "r", "e"])
pairs = st.builds(lambda name, one, other: Atom(name, (one, other)), names, terms, terms)


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Rules for p, q and r, each asking for itself and for those before it and negating the latter, and questions."""
    numbers = st.sampled_from("123").map(Constant)
    clauses = [Clause(Atom("e", pair)) for pair in draw(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=6))]
    order = "epqr"
    for name in "pqr":
        for _ in range(draw(st.integers(1, 2))):
            body: list[Condition] = [Atom("e", (draw(terms), draw(terms)))]
            for atom in draw(st.lists(pairs, max_size=3)):
                if order.index(atom.name) <= order.index(name):
                    body.append(atom)
            for atom in draw(st.lists(pairs, max_size=2)):
                if order.index(atom.name) < order.index(name):
                    body.append(Negation(atom))
            given = sorted(
                {item for atom in body if isinstance(atom, Atom) for item in literal_variables(atom)}, key=str
            )
            options: list[Term] = [*given, Constant("1")]
            head = Atom(name, (draw(st.sampled_from(options)), draw(st.sampled_from(options))))
            clauses.append(Clause(head, tuple(dict.fromkeys(body))))
    for atom in draw(st.lists(pairs, min_size=1, max_size=3)):
        args = list(dict.fromkeys(literal_variables(atom)))
        clauses.append(Clause(Atom("goal", (*args, *[Constant("0")] * (2 - len(args)))), (atom,)))
    return Program(tuple(dict.fromkeys(clauses)))


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(programs())
def test_nobody_can_tell_the_difference_in_a_state(program: Program) -> None:
    plain = Interpreter(program).holds(frozenset(), "goal")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(demand, "WIDE_STATIC_HEAD", 0)
        found = for_states(program)
        assert Interpreter(program).holds(frozenset(), "goal") == plain
    assert negative_cycles(found.clauses) == []


@settings(max_examples=150, deadline=None)
@given(programs(), st.sets(st.sampled_from("pqr"), min_size=1))
def test_nobody_can_tell_the_difference_in_ground_rules(program: Program, changing: set[str]) -> None:
    on = Atom("true", (Constant("on"),))
    clauses = [
        Clause(clause.head, (*clause.body, on)) if clause.head.name in changing else clause
        for clause in program.clauses
    ]
    changed = Program(tuple(dict.fromkeys(clauses)))
    state = frozenset({Constant("on")})
    plain = Interpreter(changed).holds(state, "goal")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(demand, "WIDE_CLAUSE", 0)
        found = for_grounding(changed, [("goal", 2)])
    assert Interpreter(found).holds(state, "goal") == plain
    assert static_companions(found)


def static_companions(program: Program) -> bool:
    """Whether no companion depends on the state."""
    functors: set[Functor] = {clause.head.functor for clause in program.clauses if ";need" in clause.head.name}
    return functors <= static_relations(program.clauses)
