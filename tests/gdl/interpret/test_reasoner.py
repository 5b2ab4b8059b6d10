"""Small games, played by the reference reasoner."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from ggtp.errors import RulesError
from ggtp.gdl.interpret.reasoner import Interpreter, State
from ggtp.gdl.language.parse import parse, parse_term
from ggtp.gdl.language.syntax import Term

THREE_IN_A_ROW = """
    (role cross) (role nought)
    (index 1) (index 2) (index 3)
    (<= (init (cell ?x ?y blank)) (index ?x) (index ?y))
    (init (control cross))
    (<= (legal ?p (mark ?x ?y)) (true (cell ?x ?y blank)) (true (control ?p)))
    (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
    (<= (next (cell ?x ?y ?p)) (does ?p (mark ?x ?y)))
    (<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (not (marked ?x ?y)))
    (<= (marked ?x ?y) (does ?p (mark ?x ?y)))
    (<= (next (control ?q)) (true (control ?p)) (role ?q) (distinct ?p ?q))
    (<= (line ?p) (role ?p) (index ?x) (true (cell ?x 1 ?p)) (true (cell ?x 2 ?p)) (true (cell ?x 3 ?p)))
    (<= (line ?p) (role ?p) (index ?y) (true (cell 1 ?y ?p)) (true (cell 2 ?y ?p)) (true (cell 3 ?y ?p)))
    (<= (line ?p) (role ?p) (true (cell 2 2 ?p))
        (or (and (true (cell 1 1 ?p)) (true (cell 3 3 ?p))) (and (true (cell 1 3 ?p)) (true (cell 3 1 ?p)))))
    (<= open (true (cell ?x ?y blank)))
    (<= terminal (line ?p))
    (<= terminal (not open))
    (<= (goal ?p 100) (line ?p))
    (<= (goal ?p 0) (role ?p) (line ?q) (distinct ?p ?q))
    (<= (goal ?p 50) (role ?p) (not (line cross)) (not (line nought)))
"""

BRIDGES = """
    (role walker)
    (init (at a))
    (next-to a b) (next-to b c) (next-to c d) (next-to x y)
    (<= (joined ?x ?y) (next-to ?x ?y) (not (true (broken ?x ?y))))
    (<= (reach ?x ?y) (joined ?x ?y))
    (<= (reach ?x ?z) (reach ?x ?y) (joined ?y ?z))
    (<= (legal walker (go ?y)) (true (at ?x)) (reach ?x ?y))
    (<= (legal walker (break ?x ?y)) (joined ?x ?y))
    (<= (next (at ?y)) (does walker (go ?y)))
    (<= (next (at ?x)) (true (at ?x)) (does walker (break ?y ?z)))
    (<= (next (broken ?x ?y)) (does walker (break ?x ?y)))
    (<= (next ?f) (true ?f) (distinct ?f (at a)) (distinct ?f (at b)) (distinct ?f (at c)))
    (<= terminal (true (at d)))
    (<= (goal walker 100) (true (at d)))
    (<= (goal walker 0) (not (goal walker 100)))
"""

SHAPES = """
    (role left) (role right)
    (init start)
    (shape rock) (shape paper) (shape scissors)
    (beats rock scissors) (beats scissors paper) (beats paper rock)
    (<= (legal ?p ?s) (role ?p) (shape ?s) (true start))
    (<= (next (showed ?p ?s)) (does ?p ?s))
    (<= terminal (not (true start)))
    (<= (goal ?p 100) (true (showed ?p ?s)) (true (showed ?q ?t)) (beats ?s ?t) (distinct ?p ?q))
    (<= (goal ?p 0) (true (showed ?p ?s)) (true (showed ?q ?t)) (beats ?t ?s) (distinct ?p ?q))
    (<= (goal ?p 50) (true (showed ?p ?s)) (true (showed ?q ?s)) (distinct ?p ?q))
"""

CARD = """
    (role random) (role guesser)
    (init (turn deal))
    (card high) (card low)
    (<= (legal random (deal ?c)) (true (turn deal)) (card ?c))
    (<= (legal random noop) (true (turn guess)))
    (<= (legal guesser noop) (true (turn deal)))
    (<= (legal guesser (guess ?c)) (true (turn guess)) (card ?c))
    (<= (next (turn guess)) (true (turn deal)))
    (<= (next (turn over)) (true (turn guess)))
    (<= (next (dealt ?c)) (does random (deal ?c)))
    (<= (next (dealt ?c)) (true (dealt ?c)))
    (<= (next right) (does guesser (guess ?c)) (true (dealt ?c)))
    (<= (sees guesser (a card)) (does random (deal ?c)))
    (<= (sees guesser (it was ?c)) (true (turn guess)) (true (dealt ?c)))
    (<= terminal (true (turn over)))
    (<= (goal guesser 100) (true right))
    (<= (goal guesser 0) (not (true right)))
"""


def terms(*texts: str) -> frozenset[Term]:
    return frozenset(map(parse_term, texts))


def moves(**texts: str) -> Mapping[Term, Term]:
    return {parse_term(role): parse_term(move) for role, move in texts.items()}


def texts(found: list[Term]) -> list[str]:
    return list(map(str, found))


def after(game: Interpreter, *joint: Mapping[Term, Term]) -> State:
    state = game.initial()
    for move in joint:
        state = game.next(state, move)
    return state


def test_turns_marks_and_lines() -> None:
    game = Interpreter(parse(THREE_IN_A_ROW))
    cross, nought = game.roles
    assert texts([cross, nought]) == ["cross", "nought"]
    start = game.initial()
    assert len(start) == 10
    assert parse_term("(cell 2 3 blank)") in start
    assert len(game.legal(start, cross)) == 9
    assert texts(game.legal(start, nought)) == ["noop"]
    one = after(game, moves(cross="(mark 1 1)", nought="noop"))
    assert parse_term("(cell 1 1 cross)") in one
    assert parse_term("(cell 1 1 blank)") not in one
    assert parse_term("(control nought)") in one
    assert texts(game.legal(one, cross)) == ["noop"]
    assert not game.terminal(one)
    assert [game.goal(one, role) for role in game.roles] == [50, 50]
    won = after(
        game,
        moves(cross="(mark 1 1)", nought="noop"),
        moves(cross="noop", nought="(mark 1 2)"),
        moves(cross="(mark 2 2)", nought="noop"),
        moves(cross="noop", nought="(mark 1 3)"),
        moves(cross="(mark 3 3)", nought="noop"),
    )
    assert game.terminal(won)
    assert [game.goal(won, role) for role in game.roles] == [100, 0]
    assert game.holds(won, "line") == {(cross,)}


def test_the_start_has_not_changed_afterwards() -> None:
    game = Interpreter(parse(THREE_IN_A_ROW))
    before = game.initial()
    game.next(before, moves(cross="(mark 1 1)", nought="noop"))
    assert game.initial() == before
    assert game.facts(before) == before


def test_recursion_negation_and_variables_for_whole_facts() -> None:
    game = Interpreter(parse(BRIDGES))
    (walker,) = game.roles
    start = game.initial()
    assert texts(game.legal(start, walker)) == [
        *("(break a b)", "(break b c)", "(break c d)", "(break x y)"),
        *("(go b)", "(go c)", "(go d)"),
    ]
    cut = after(game, moves(walker="(break b c)"))
    assert cut == terms("(at a)", "(broken b c)")
    assert texts(game.legal(cut, walker)) == ["(break a b)", "(break c d)", "(break x y)", "(go b)"]
    twice = after(game, moves(walker="(break b c)"), moves(walker="(break x y)"))
    assert twice == terms("(at a)", "(broken b c)", "(broken x y)")
    assert game.goal(cut, walker) == 0
    end = after(game, moves(walker="(go d)"))
    assert game.terminal(end)
    assert game.goal(end, walker) == 100
    assert game.holds(start, "reach") >= {tuple(map(parse_term, "ad")), tuple(map(parse_term, "xy"))}


@pytest.mark.parametrize(
    ("left", "right", "goals"),
    [("rock", "scissors", [100, 0]), ("rock", "paper", [0, 100]), ("rock", "rock", [50, 50])],
)
def test_simultaneous_moves(left: str, right: str, goals: list[int]) -> None:
    game = Interpreter(parse(SHAPES))
    assert [len(game.legal(game.initial(), role)) for role in game.roles] == [3, 3]
    end = after(game, moves(left=left, right=right))
    assert end == terms(f"(showed left {left})", f"(showed right {right})")
    assert game.terminal(end)
    assert [game.goal(end, role) for role in game.roles] == goals
    assert [game.legal(end, role) for role in game.roles] == [[], []]


def test_what_players_see() -> None:
    game = Interpreter(parse(CARD))
    chance, guesser = game.roles
    assert texts([chance]) == ["random"]
    start = game.initial()
    deal = moves(random="(deal high)", guesser="noop")
    assert texts(game.sees(start, deal, guesser)) == ["(a card)"]
    assert game.sees(start, deal, chance) == []
    dealt = game.next(start, deal)
    guess = moves(random="noop", guesser="(guess high)")
    assert texts(game.sees(dealt, guess, guesser)) == ["(it was high)"]
    end = game.next(dealt, guess)
    assert game.goal(end, guesser) == 100
    assert game.goal(end, chance) is None


def test_goals_of_faulty_rules() -> None:
    game = Interpreter(parse("(role a) (role b) (role c) (goal a 30) (goal a 70) (goal b high)"))
    found = [(texts(game.goal_values(game.initial(), role)), game.goal(game.initial(), role)) for role in game.roles]
    assert found == [(["30", "70"], 70), (["high"], None), ([], None)]


def test_roles_are_in_the_order_of_the_text_and_may_be_derived() -> None:
    assert texts(list(Interpreter(parse("(role z) (role a) (more b) (<= (role ?x) (more ?x))")).roles)) == [
        "z",
        "a",
        "b",
    ]


def test_a_game_of_nothing() -> None:
    game = Interpreter(parse(""))
    assert game.roles == ()
    assert game.initial() == frozenset()
    assert not game.terminal(game.initial())
    assert game.next(game.initial(), {}) == frozenset()


def test_zero_arguments_make_a_difference_in_terms_but_not_in_sentences() -> None:
    rules = "(role r) (init (lock)) (<= (open) (true lock)) (<= shut (true (lock))) (<= terminal shut) (<= (p) open)"
    game = Interpreter(parse(rules))
    assert game.initial() == terms("(lock)")
    assert game.terminal(game.initial())
    assert game.holds(game.initial(), "p") == set()
    assert game.holds(terms("lock"), "p") == {()}


def test_relations_of_one_name_and_different_arities_are_different() -> None:
    game = Interpreter(parse("(role r) (p a) (p a b) (<= (q ?x) (p ?x)) (<= (r ?x) (p ?x ?y))"))
    assert game.holds(game.initial(), "q") == {(parse_term("a"),)}
    assert len(game.holds(game.initial(), "p")) == 2


def test_mutual_recursion() -> None:
    steps = " ".join(f"(succ {number} {number + 1})" for number in range(9))
    rules = f"{steps} (even 0) (<= (odd ?y) (even ?x) (succ ?x ?y)) (<= (even ?y) (odd ?x) (succ ?x ?y))"
    game = Interpreter(parse(rules))
    assert {str(row[0]) for row in game.holds(frozenset(), "even")} == {"0", "2", "4", "6", "8"}
    assert {str(row[0]) for row in game.holds(frozenset(), "odd")} == {"1", "3", "5", "7", "9"}


def test_recursion_with_two_recursive_conditions() -> None:
    rules = "(e a b) (e b c) (e c d) (<= (p ?x ?y) (e ?x ?y)) (<= (p ?x ?z) (p ?x ?y) (p ?y ?z))"
    assert len(Interpreter(parse(rules)).holds(frozenset(), "p")) == 6


def test_terms_that_would_grow_for_ever_are_stopped() -> None:
    with pytest.raises(RulesError, match="terms without end"):
        Interpreter(parse("(role r) (n z) (<= (n (s ?x)) (n ?x)) (<= (init ?x) (n ?x))"))


def test_a_relation_that_depends_on_its_own_negation_is_refused() -> None:
    with pytest.raises(RulesError, match="depends on its own negation"):
        Interpreter(parse("(<= (p ?x) (q ?x) (not (r ?x))) (<= (r ?x) (q ?x) (not (p ?x))) (q a)"))


def test_cases_of_a_relation_may_depend_on_each_others_negation() -> None:
    rules = "(role a) (init on) (<= (goal a 100) (true on)) (<= (goal a 50) (not (goal a 100)))"
    game = Interpreter(parse(rules))
    assert game.goal(terms("on"), parse_term("a")) == 100
    assert game.goal(terms("off"), parse_term("a")) == 50


@pytest.mark.slow
def test_a_chain_of_relations_longer_than_calls_may_nest() -> None:
    rules = ["(<= (p0 ?x) (true ?x))", *(f"(<= (p{n + 1} ?x) (p{n} ?x))" for n in range(3000))]
    game = Interpreter(parse("(role r) (init a) (<= terminal (p3000 a))" + " ".join(rules)))
    assert game.terminal(game.initial())


def test_answers_depend_on_the_arguments_alone() -> None:
    game = Interpreter(parse(THREE_IN_A_ROW))
    rng = random.Random(5)
    seen: list[tuple[State, list[list[Term]], bool]] = []
    for _ in range(5):
        state = game.initial()
        while not game.terminal(state):
            legal = [game.legal(state, role) for role in game.roles]
            seen.append((state, legal, game.terminal(state)))
            joint = {role: rng.choice(options) for role, options in zip(game.roles, legal, strict=True)}
            state = game.next(state, joint)
    rng.shuffle(seen)
    fresh = Interpreter(parse(THREE_IN_A_ROW))
    for state, legal, terminal in seen:
        for player in (game, fresh):
            assert [player.legal(state, role) for role in player.roles] == legal
            assert player.terminal(state) == terminal
