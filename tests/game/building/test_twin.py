"""What twins are made of, and that every twin is the same game as the rules it belongs to."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from ggtp.catalogue import Catalogue
from ggtp.game import advice
from ggtp.game.building.twin import counter, move_term, worth
from ggtp.gdl.language.faults import errors
from ggtp.gdl.language.validate import validate_text
from ggtp.gdl.play.rules import load_text

TWINS: list[tuple[str, Mapping[str, str]]] = [
    ("PegSolitaire", {}),
    ("PegSolitaire", {"board": "triangle", "finish": "start"}),
    ("Sudoku", {"size": "4"}),
    ("Sudoku", {"size": "6", "puzzle": "2"}),
    ("RushHour", {"level": "2", "max_moves": "15"}),
    ("Sokoban", {"level": "3", "max_moves": "12"}),
    ("Sokoban", {"level": "9", "max_moves": "25", "moves": "steps"}),
]


@pytest.mark.parametrize(("name", "values"), TWINS)
def test_a_twin_is_the_same_game(name: str, values: Mapping[str, str]) -> None:
    rules = Catalogue.from_environment({}).find_rules(name)
    options = rules.complete(values)
    text = advice.twin(rules, options)
    assert text is not None
    assert errors(validate_text(text, name)) == []
    twin, rng = load_text(text, "twin"), random.Random(3)
    (player,) = rules.players(options)
    for _ in range(3):
        mine, its = rules.begin(options), twin.start()
        while mine.result() is None:
            moves = {move_term(move).strip("()"): move for move in mine.moves(player)}
            assert its.result() is None
            assert set(its.moves("solo")) == set(moves)
            chosen = rng.choice(sorted(moves))
            assert mine.parse(player, chosen) == moves[chosen]
            mine = mine.play({player: moves[chosen]}).position
            its = its.play({"solo": chosen}).position
        one, other = mine.result(), its.result()
        assert one is not None
        assert other is not None
        assert one.scores[player] == other.scores["solo"]


def test_other_rules_have_none() -> None:
    rules = Catalogue.from_environment({}).find_rules("TicTacToe")
    assert advice.twin(rules, rules.complete({})) is None


def test_terms() -> None:
    assert move_term("A right 2") == "(a right 2)"
    assert move_term("d2-d4") == "d2-d4"


def test_a_counter_and_its_worth() -> None:
    assert counter("made", 2)[:3] == ["(then 0 1)", "(then 1 2)", "(init (made 0))"]
    assert worth("Solo", "done", {3: 40}) == ["(<= (goal solo 40) (done 3))"]
