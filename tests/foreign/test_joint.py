import random

import pytest

from ggtp.catalogue import Catalogue
from ggtp.errors import IllegalMove
from ggtp.foreign.expressions import move_expression
from ggtp.foreign.joint import Line, advance, gdl_start, legal_moves, roles, steps

DICE = """(role one) (role random) (init (turn 0)) (init (sum 0))
(<= (legal one add) (true (turn 0))) (<= (legal one stop) (true (turn 0))) (<= (legal one noop) (true (turn 1)))
(legal random 1) (legal random 2)
(<= (next (sum ?d)) (does random ?d)) (<= (next (turn 1)) (does one add)) (<= (next (turn 2)) (does one stop))
(<= (next (turn 2)) (true (turn 1))) (<= terminal (true (turn 2))) (<= (goal one 100) (true (sum 2)))
(<= (goal one 0) (not (true (sum 2))))"""


def rules(name):
    return Catalogue.from_environment({}).find_rules(name)


@pytest.mark.parametrize("name", ["gdl/tictactoe", "gdl/rockpaperscissors", "gdl/blobwars", "gdl/tron", "gdl/hanoi"])
def test_a_play_of_the_house_is_the_joint_moves_that_make_it(name: str) -> None:
    start = position = gdl_start(rules(name))
    rng = random.Random(3)
    joints, history, positions = [], [], []
    while moves := {
        role: move_expression(rng.choice(legal_moves(position, role)))
        for role in roles(position)
        if legal_moves(position, role)
    }:
        position, made = advance(position, moves)
        joints.append(tuple(moves.values()))
        positions.append(position)
        history += made
        if len(joints) == 30:
            break
    found = list(steps(start, history))
    assert [step.moves for step in found] == joints
    assert [step.position.key() for step in found] == [position.key() for position in positions]


def test_chance_is_a_role_like_any_other() -> None:
    from ggtp.catalogue.gdl_rules import load_told

    start = gdl_start(load_told(DICE, "dice"))
    assert roles(start) == ("one", "random")
    after, made = advance(start, {"one": "add", "random": "2"})
    assert made == [("one", "add"), ("Chance", "2")]
    # Nobody has a choice but chance.
    end, more = advance(after, {"one": "noop", "random": "1"})
    assert more == [("Chance", "1")]
    assert end.result().scores == {"one": 0}
    assert [step.moves for step in steps(start, made + more)] == [("add", "2"), ("noop", "1")]
    assert [step.moves for step in steps(start, made[:1])] == []


def test_what_a_role_may_not_do_is_refused() -> None:
    start = gdl_start(rules("gdl/tictactoe"))
    with pytest.raises(IllegalMove):
        advance(start, {"cross": ("mark", "4", "1"), "circle": "noop"})
    with pytest.raises(IllegalMove):
        advance(start, {"cross": ("mark", "1", "1"), "circle": ("mark", "1", "2")})
    assert advance(start, {"cross": ("mark", "1", "1"), "circle": ("noop",)})[1] == [("cross", "mark 1 1")]


def test_only_open_rules_in_gdl_have_joint_moves() -> None:
    assert gdl_start(rules("TicTacToe")) is None
    assert gdl_start(rules("gdl/phantomtictactoe")) is None


def test_nobody_may_do_anything_when_it_is_over_or_who_is_nobody() -> None:
    start = gdl_start(rules("gdl/tictactoe"))
    assert legal_moves(start, "nobody") == []
    assert legal_moves(start, "circle") == ["noop"]


def test_a_line_that_goes_back_and_another_way_is_followed() -> None:
    start = gdl_start(rules("gdl/rockpaperscissors"))
    line = Line(start)
    history = [("left", "rock"), ("right", "paper"), ("left", "rock"), ("right", "rock"), ("left", "paper")]
    for length in (5, 2, 4, 3, 0, 5):
        found, wanted = line.follow(history[:length]), list(steps(start, history[:length]))
        assert [step.moves for step in found] == [step.moves for step in wanted]
        assert [step.position.key() for step in found] == [step.position.key() for step in wanted]
    other = [*history[:3], ("right", "scissors")]
    assert [step.moves for step in line.follow(other)] == [("rock", "paper"), ("rock", "scissors")]
