"""Unrolled games: constants fold away, and what is left says what the interpreter says."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from support.puzzles import ENDLESS, SWITCHES, built, sheet

from ggtp.asp.unroll import NO, YES, Unrolling
from ggtp.gdl.interpret.reasoner import Interpreter


class Book:
    """Keeps rules, and works out what holds once it is told which moves are made."""

    def __init__(self) -> None:
        self.count = 0
        self.rules: list[tuple[int, tuple[int, ...]]] = []
        self.choices: dict[int, tuple[int, ...]] = {}
        self.forbidden: list[tuple[int, ...]] = []
        self.exclusive: list[tuple[int, ...]] = []

    def atom(self) -> int:
        self.count += 1
        return self.count

    def rule(self, head: int, body: Sequence[int]) -> None:
        self.rules.append((head, tuple(body)))

    def choice(self, head: int, body: Sequence[int]) -> None:
        self.choices[head] = tuple(body)

    def never(self, body: Sequence[int]) -> None:
        self.forbidden.append(tuple(body))

    def at_most_one(self, atoms: Sequence[int]) -> None:
        self.exclusive.append(tuple(atoms))

    def truth(self, made: set[int]) -> dict[int, bool]:
        """What holds if exactly these moves are made; rules come after what they use."""
        known = {YES: True, NO: False, **{atom: atom in made for atom in self.choices}}
        for head, body in self.rules:
            known[head] = all(value(known, item) for item in body)
        return known


def value(known: dict[int, bool], item: int) -> bool:
    return known[item] if item in known else not known[-item]


def unrolled(name: str, steps: int) -> tuple[Unrolling, Book]:
    book = Book()
    unrolling = Unrolling(built(name).network, book)
    for _ in range(steps):
        unrolling.advance()
    return unrolling, book


@pytest.mark.parametrize("name", ["buttons", "lightsout", "pancakes", "eightpuzzle", "twistypassages"])
def test_a_random_play_has_the_states_of_the_interpreter(name: str) -> None:
    rules, rng = Interpreter(sheet(name)), random.Random(1)
    unrolling, book = unrolled(name, 8)
    network, state = unrolling.network, rules.initial()
    (role,) = rules.roles
    made: set[int] = set()
    states = [state]
    for step in unrolling.steps[:-1]:
        if rules.terminal(state):
            break
        move = rng.choice(sorted(rules.legal(state, role), key=str))
        made.add(step.moves[network.moves[0].index(str(move))])
        state = rules.next(state, {role: move})
        states.append(state)
    known = book.truth(made)
    for step, expected in zip(unrolling.steps, states, strict=False):
        facts = {network.facts[fact] for fact, item in enumerate(step.state) if value(known, item)}
        assert facts == {str(fact) for fact in expected if str(fact) in network.facts}
        assert value(known, step.alive) != rules.terminal(expected)
        if not rules.terminal(expected):
            legal = {network.moves[0][move] for move, item in enumerate(step.legal) if value(known, item)}
            assert legal == {str(move) for move in rules.legal(expected, role)}
    assert not any(all(value(known, item) for item in body) for body in book.forbidden[: len(made)])


def test_goals_hold_at_the_end_only_and_count_whatever_is_better() -> None:
    unrolling, book = unrolled(SWITCHES, 3)
    network = unrolling.network
    made = {
        step.moves[network.moves[0].index(f"(switch {lamp})")]
        for step, lamp in zip(unrolling.steps, "abc", strict=False)
    }
    known = book.truth(made)
    assert {goal: value(known, item) for goal, item in unrolling.steps[3].goals.items()} == {
        100: True,
        40: True,
        0: True,
    }
    assert not any(value(known, item) for item in unrolling.steps[2].goals.values())


def test_a_counter_of_steps_ends_every_play() -> None:
    unrolling, _ = unrolled(SWITCHES, 4)
    assert unrolling.over
    assert unrolling.length == 4
    assert not unrolled(SWITCHES, 3)[0].over
    assert not unrolled(ENDLESS, 10)[0].over


def test_nothing_is_asked_about_what_is_certain() -> None:
    unrolling, book = unrolled(SWITCHES, 1)
    counter = [fact for fact, text in enumerate(unrolling.network.facts) if text.startswith("(done ")]
    assert {unrolling.last.state[fact] for fact in counter} <= {YES, NO}
    assert unrolling.last.alive == YES
    assert unrolling.atoms == book.count == 3
    assert book.exclusive == [(1, 2, 3)]
    assert book.forbidden == [(-1, -2, -3)]


def test_equal_conjunctions_are_one_atom() -> None:
    unrolling, book = unrolled(SWITCHES, 2)
    before = book.count
    one = unrolling.conjunction((1, 2))
    assert unrolling.conjunction((2, 1, YES)) == one
    assert unrolling.conjunction((1, -1)) == unrolling.conjunction((NO, 1)) == NO
    assert unrolling.conjunction(()) == YES
    assert unrolling.disjunction((1, NO)) == 1
    assert book.count <= before + 1


def test_a_play_may_begin_in_any_state() -> None:
    network = built(SWITCHES).network
    lamps = {text: fact for fact, text in enumerate(network.facts)}
    start = [lamps["(on a)"], lamps["(on b)"], lamps["(done 2)"]]
    unrolling = Unrolling(network, Book(), start)
    unrolling.advance()
    assert unrolling.last.goals[100] == unrolling.steps[0].moves[network.moves[0].index("(switch c)")]


def test_only_one_player() -> None:
    with pytest.raises(ValueError, match="one player, not of 2"):
        Unrolling(built("tictactoe").network, Book())
