"""Every kind of turn as a walk of single decisions."""

import pytest

from ggtp.catalogue import Catalogue
from ggtp.game import Result, Standing, advice
from ggtp.search.minimax.plan import NotOpposed
from ggtp.search.minimax.walk import DRAWN, OVER, MoveNames, PositionWalk, SearcherWalk, partial_goals, points_of


def walk_of(rule, me=0, opposed=False, goals=None, options=None):
    rules = Catalogue.from_environment({}).find_rules(rule)
    values = rules.complete(options or {})
    return PositionWalk(rules.begin(values), rules.players(values), me, MoveNames(), opposed, goals)


def texts(walk):
    return [walk.text(move) for move in walk.moves()]


def test_turns_of_one_player_forth_and_back() -> None:
    walk = walk_of("TicTacToe")
    start = walk.key()
    assert (walk.mover(), len(walk.moves())) == (0, 9)
    walk.play(walk.number("B2"))
    assert walk.mover() == 1
    assert "B2" not in texts(walk)
    assert walk.key() != start
    walk.undo()
    assert walk.key() == start


def test_the_fast_path_says_the_same() -> None:
    rules = Catalogue.from_environment({}).find_rules("TicTacToe")
    plain, fast = walk_of("TicTacToe"), SearcherWalk(advice.searcher(rules.start()))
    for move in ("A1", "B2", "A2", "C3", "A3"):
        assert texts(plain) == texts(fast)
        assert plain.mover() == fast.mover()
        plain.play(plain.number(move))
        fast.play(fast.number(move))
    assert plain.mover() == fast.mover() == OVER
    assert list(plain.scores()) == list(fast.scores()) == [100, 0]
    assert fast.partial() is None
    assert list(fast.weights()) == []


@pytest.mark.parametrize("me", [0, 1])
def test_moves_at_the_same_time_are_decided_one_after_the_other_ours_first(me):
    walk = walk_of("RockPaperScissors", me, options={"rounds": "1"})
    start = walk.key()
    assert walk.mover() == me
    walk.play(walk.number("Paper"))
    assert walk.mover() == 1 - me
    assert walk.key() != start, "what was decided is part of the place"
    walk.play(walk.number("Rock"))
    assert walk.mover() == OVER
    assert walk.scores()[me] == 100
    walk.undo()
    walk.undo()
    assert walk.key() == start


def test_chance_has_weights() -> None:
    walk = walk_of("CantStop")
    assert walk.mover() == DRAWN
    assert len(walk.moves()) == len(walk.weights()) == 126
    assert sum(walk.weights()) == 6**4
    walk.play(walk.moves()[0])
    assert walk.mover() == 0


@pytest.mark.slow
def test_goals_before_the_end() -> None:
    walk = walk_of("gdl/othello", goals=partial_goals)
    assert walk.partial() is not None
    assert walk_of("TicTacToe").partial() is None


def test_points_that_do_not_add_up_are_noticed() -> None:
    """In the rulesheet of two who may both win, what one gains the other need not lose."""
    walk = walk_of("gdl/buttons", goals=partial_goals)
    while walk.mover() != OVER:
        walk.play(walk.moves()[0])
    assert len(walk.scores()) == 1
    walk._opposed = True
    with pytest.raises(NotOpposed):
        walk.scores()


def test_points_of_another_kind_count_as_standings() -> None:
    stones = Result({"a": Standing.WIN, "b": Standing.LOSS}, {"a": 40, "b": 24})
    assert points_of(stones, ("a", "b"), opposed=True) == [100, 0]
    assert points_of(stones, ("a", "b"), opposed=False) == [40, 24]
    assert points_of(Result({"a": Standing.DRAW, "b": Standing.DRAW}), ("a", "b"), opposed=False) == [50, 50]
    assert points_of(Result({"a": Standing.WIN}, {"a": 300}), ("a",), opposed=False) == [100]
