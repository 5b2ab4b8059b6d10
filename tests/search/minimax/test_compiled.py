"""Minimax over compiled games, from outside: walks, solved games, stopping."""

import random
import threading

import pytest
from support.compiled_trees import COIN, MATRIX, THREE, compiled
from support.minimaxes import ignore, in_code, never, rules_of, view_for

from ggtp.search.minimax.compiled import game_texts
from ggtp.search.minimax.plan import Plan, View
from ggtp.search.minimax.walk import OVER, MoveNames, PositionWalk, partial_goals

GAMES = ["tictactoe", "breakthrough_small", "checkers", "skirmish", "tron", "snake", COIN, MATRIX, THREE]


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_the_walk_is_that_of_the_interpreter(name):
    rules = rules_of(name)
    rng = random.Random(3)
    opposed = view_for(rules) is View.OPPOSED
    code = in_code(name)
    for _ in range(3):
        one = code.walk(code.first)
        two = PositionWalk(rules.start(), rules.players({}), 0, MoveNames(), opposed, partial_goals)
        for _ in range(12):
            assert one.mover() == two.mover()
            texts = [one.text(move) for move in one.moves()]
            assert sorted(texts) == sorted(two.text(move) for move in two.moves())
            if one.mover() == OVER:
                assert list(one.scores()) == list(two.scores())
                break
            if two.partial() is not None:
                assert list(one.partial()) == list(two.partial())
            move = rng.choice(texts)
            one.play(one.number(move))
            two.play(two.number(move))


def test_the_walk_forth_and_back() -> None:
    code = in_code("tictactoe")
    walk = code.walk(code.first)
    before = walk.key()
    walk.play(walk.moves()[0])
    assert walk.key() != before
    walk.undo()
    assert walk.key() == before


def test_moves_are_named_as_in_positions() -> None:
    rules = rules_of("tictactoe")
    assert set(rules.start().moves(rules.players({})[0])) <= set(game_texts(compiled("tictactoe"))[0])


@pytest.mark.parametrize(
    ("name", "points"),
    [("tictactoe", 50), ("connect3", 100), ("nim_gdl", 0), ("chomp", 100)],
)
def test_solved_games(name, points):
    """Who begins draws, wins, loses since the heaps add up to nothing, and wins since a strategy could be stolen."""
    minimax = in_code(name)
    found = minimax.search(minimax.first, [], never, ignore)
    assert (found.points, found.solved) == (points, True)
    walk = minimax.walk(minimax.first)
    for move in found.line:
        walk.play(walk.number(move))
    assert walk.mover() == OVER or len(found.line) == 12


def goals_of(players, rng):
    """What two players get who look at so many positions for each move, after two moves at random."""
    kernel, state, made = players[0]._code.states, players[0].first, 0
    texts, numbers = players[0]._code.texts, players[0]._code.numbers
    while not (look := kernel.look(state)).terminal:
        joint = []
        for role, legal in enumerate(look.legal):
            listed = [texts[role][move] for move in legal]
            rng.shuffle(listed)
            searched = made >= 2 and len(listed) > 1
            chosen = players[role].search(state, listed, never, ignore).move if searched else listed[0]
            joint.append(numbers[role][chosen])
        state = kernel.next(state, joint)
        made += 1
    return look.goals


@pytest.mark.slow
def test_who_has_learned_beats_who_has_not() -> None:
    """In checkers, where whoever can take must take, many moves are no merit; pieces are."""
    rng = random.Random(1)
    won = []
    for learned in (0, 1, 0, 1):
        players = [in_code("checkers", seat, Plan(learning=seat == learned)) for seat in (0, 1)]
        for player in players:
            player.most_nodes = 400
            player.learn(never)
        assert [player.trust > 0.9 for player in players] == [learned == 0, learned == 1]
        won.append(goals_of(players, rng)[learned])
    assert sum(won) >= 300


def test_goals_that_tell_positions_apart_are_better_than_lessons() -> None:
    minimax = in_code("othello")
    minimax.most_nodes = 100
    walk = minimax.walk(minimax.first)
    found = minimax.search(minimax.first, [walk.text(move) for move in walk.moves()], never, ignore)
    minimax.learn(never)
    assert (minimax._near, minimax._code.lessons.lesson, found.trust) == (True, None, 0.0)


def test_it_is_stopped_between_levels_too() -> None:
    minimax = in_code("connectfour")
    told = []
    found = minimax.search(minimax.first, ["drop 1", "drop 4"], lambda: len(told) > 3, told.append)
    assert 1 <= found.depth <= 4


def test_stop_is_for_one_search_only() -> None:
    minimax = in_code("connectfour")
    timer = threading.Timer(0.1, minimax.stop)
    timer.start()
    found = minimax.search(minimax.first, ["drop 1", "drop 4"], never, ignore)
    timer.join()
    assert found.depth > 1
    again = minimax.search(minimax.first, ["drop 1", "drop 4"], lambda: True, ignore)
    assert again.depth == 0


def test_a_game_that_is_not_what_it_was_taken_for() -> None:
    minimax = in_code(THREE, 0, Plan(view=View.PARANOID))
    assert minimax.plan.view is View.PARANOID
    odd = in_code(FRIENDS, 0, Plan())
    found = odd.search(odd.first, ["keep", "share"], never, ignore)
    assert odd.plan.view is View.SELFISH
    assert (found.move, found.points, found.solved) == ("share", 100, True)


FRIENDS = """
(role left) (role right) (init (turn left))
(<= (legal ?r share) (role ?r) (true (turn ?r)))
(<= (legal ?r keep) (role ?r) (true (turn ?r)))
(<= (legal left noop) (true (turn right))) (<= (legal right noop) (true (turn left)))
(<= (next (turn right)) (true (turn left)))
(<= (next (turn left)) (true (turn right)))
(<= (next (did ?r ?m)) (does ?r ?m) (true (turn ?r)))
(<= (next (did ?r ?m)) (true (did ?r ?m)))
(<= terminal (true (did right ?m)))
(<= both (true (did left share)) (true (did right share)))
(<= (goal ?r 100) (role ?r) both)
(<= (goal ?r 0) (role ?r) (not both))
"""
"""Whose text looks as if one gained what the other loses."""
