"""Two players that differ are told apart, whatever they differ in."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest

from ggtp.gdl.interpret.reasoner import Interpreter
from ggtp.gdl.language.parse import parse_strictly, parse_term
from ggtp.gdl.language.syntax import Term
from ggtp.gdl.play.agree import compare

TEXT = """(role a) (init (step 1)) (succ 1 2) (succ 2 3)
    (legal a go) (legal a wait)
    (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
    (<= terminal (true (step 3))) (goal a 100)"""


def play(text: str = TEXT) -> Interpreter:
    return Interpreter(parse_strictly(text))


def test_equal_players_agree() -> None:
    agreement = compare(play(), play(), random.Random(1), games=2)
    assert (agreement.states, agreement.difference) == (6, None)


def test_it_stops_when_it_is_told_to() -> None:
    assert compare(play(), play(), random.Random(1), should_stop=lambda: True).states == 0
    assert compare(play(), play(), random.Random(1), games=1, max_steps=2).states == 2


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("(role a)", "(role a) (role b)", "The roles are a, b instead of a."),
        ("(init (step 1))", "(init (step 1)) (init more)", "After 0 moves these facts differ: more."),
        ("(legal a wait)", "(legal a wait) (legal a jump)", "After 0 moves these moves of a differ: jump."),
        ("(true (step 3))", "(true (step 2))", "After 1 moves the game is over, and should not be."),
        ("(succ 2 3)", "(succ 2 4)", "After 2 moves these facts differ: (step 3), (step 4)."),
        ("(goal a 100)", "(goal a 0)", "After 2 moves the goals of a are 0 instead of 100."),
    ],
)
def test_differences_are_found(old: str, new: str, said: str) -> None:
    found = compare(play(), play(TEXT.replace(old, new)), random.Random(1)).difference
    assert found == said


class Stuck(Interpreter):
    """Has no moves."""

    def legal(self, state: Any, role: Term) -> list[Term]:
        return []

    def next(self, state: Any, moves: Mapping[Term, Term]) -> Any:
        raise AssertionError(parse_term("never"))


def test_a_game_without_moves_is_left() -> None:
    assert compare(Stuck(parse_strictly(TEXT)), Stuck(parse_strictly(TEXT)), random.Random(1), games=3).states == 3
