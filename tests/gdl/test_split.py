"""Clauses with few variables that mean the same as those with many."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ggtp.gdl.interpret.reasoner import Interpreter
from ggtp.gdl.language.normalise import Clause, Condition, Negation, Program, normalise
from ggtp.gdl.language.parse import parse
from ggtp.gdl.language.syntax import Atom, Constant, Distinct, Term, Variable, literal_variables
from ggtp.gdl.split import PREFIX, is_auxiliary, split, widest


def lines(source: str) -> list[str]:
    return str(split(normalise(parse(source)))).splitlines()


def test_a_chain_is_cut_into_links() -> None:
    chain = normalise(parse("(<= (p ?a) (e ?a ?b) (e ?b ?c) (e ?c ?d) (e ?d ?e))"))
    found = split(chain)
    assert widest(chain) == 5
    assert widest(found) == 2
    assert sum(is_auxiliary(clause.head.name) for clause in found.clauses) == 3
    assert str(found.clauses[0]) == f"(<= (p ?a) (e ?a ?b) ({PREFIX}3 ?b))"


def test_what_has_few_variables_is_left_alone() -> None:
    source = "(<= (p ?x) (q ?x ?y) (not (r ?y)))"
    assert lines(source) == [source]
    assert lines("(p a)") == ["(p a)"]


def test_equal_parts_are_shared() -> None:
    rules = "(<= (p ?x) (a ?x ?y) (b ?y ?z) (c ?x ?u)) (<= (q ?k) (a ?k ?l) (b ?l ?m) (d ?k ?n))"
    program = split(normalise(parse(rules)))
    names = [clause.head.name for clause in program.clauses if is_auxiliary(clause.head.name)]
    assert len(names) == len(set(names))
    shared = [name for name in names if str(program).count(f"({name} ") >= 3]
    assert shared


def test_a_negation_in_a_bucket_gets_a_guard() -> None:
    # Eliminating ?b alone would leave ?c without a value in the auxiliary clause.
    rules = "(<= (p ?a) (q ?a) (r ?b) (s ?c) (not (t ?b ?c)) (u ?a ?c) (v ?a ?d))"
    program = split(normalise(parse(rules)))
    for clause in program.clauses:
        given = {item for atom in clause.body if isinstance(atom, Atom) for item in literal_variables(atom)}
        assert given.issuperset(literal_variables(clause.head))
        for condition in clause.body:
            if isinstance(condition, Negation):
                assert given.issuperset(literal_variables(condition.atom))
    assert widest(program) < 4


def test_splitting_twice_changes_no_meaning() -> None:
    rules = "(e a b) (e b c) (e c d) (e d a) (<= (p ?a) (e ?a ?b) (e ?b ?c) (e ?c ?d) (not (e ?d ?a)))"
    once = split(normalise(parse(rules)))
    twice = split(once)
    expected = Interpreter(parse(rules)).holds(frozenset(), "p")
    assert Interpreter(once).holds(frozenset(), "p") == expected
    assert Interpreter(twice).holds(frozenset(), "p") == expected


variables = st.sampled_from([Variable(f"?{letter}") for letter in "abcde"])
arguments: st.SearchStrategy[Term] = st.one_of(variables, variables, variables, st.sampled_from([Constant("1")]))
atoms = st.one_of(
    st.builds(lambda name, one: Atom(name, (one,)), st.sampled_from("qr"), arguments),
    st.builds(lambda name, one, other: Atom(name, (one, other)), st.sampled_from("est"), arguments, arguments),
)
tests = st.one_of(atoms.map(Negation), st.builds(Distinct, variables, variables))
facts = st.one_of(
    st.builds(lambda name, one: Atom(name, (one,)), st.sampled_from("qr"), st.sampled_from("123").map(Constant)),
    st.builds(
        lambda name, one, other: Atom(name, (one, other)),
        st.sampled_from("est"),
        st.sampled_from("123").map(Constant),
        st.sampled_from("123").map(Constant),
    ),
)


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Facts, a rule or two for `p`, and a recursive one."""
    clauses = [Clause(fact) for fact in draw(st.lists(facts, min_size=3, max_size=16))]
    for _ in range(draw(st.integers(1, 2))):
        body: list[Condition] = [*draw(st.lists(atoms, min_size=2, max_size=6)), *draw(st.lists(tests, max_size=3))]
        given = sorted({item for atom in body if isinstance(atom, Atom) for item in literal_variables(atom)}, key=str)
        head = draw(st.lists(st.sampled_from(given), max_size=2)) if given else []
        clauses.append(Clause(Atom("p", (*head, *[Constant("0")] * (2 - len(head)))), tuple(dict.fromkeys(body))))
    x, y, z = Variable("?x"), Variable("?y"), Variable("?z")
    clauses.append(Clause(Atom("p", (x, z)), (Atom("p", (x, y)), Atom("e", (y, z)))))
    return Program(tuple(dict.fromkeys(clauses)))


@settings(max_examples=150, deadline=None)
@given(programs())
def test_splitting_changes_no_meaning(program: Program) -> None:
    found = split(program)
    assert widest(found) <= widest(program)
    plain, other = Interpreter(program), Interpreter(found)
    assert plain.holds(frozenset(), "p") == other.holds(frozenset(), "p")
    assert all(is_auxiliary(clause.head.name) for clause in found.clauses[len(program.clauses) :])
