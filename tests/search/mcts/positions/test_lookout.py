"""What is forced is known before any random game is played."""

import pytest

from ggtp.catalogue import Catalogue
from ggtp.search.mcts.options import Settings
from ggtp.search.mcts.positions.lookout import (
    A_PLAYOUT,
    LEAST,
    SHARE,
    SHARE_FIRST,
    Lookout,
    Outlook,
    patience,
    positions,
    serves,
)


def begun(rule, *moves):
    rules = Catalogue.from_environment({}).find_rules(rule)
    values = rules.complete({})
    position = rules.begin(values)
    for move in moves:
        position = position.play({position.turn().players[0]: move}).position
    return rules.players(values), position


def looked(rule, *moves, most=20_000, lookout=None):
    players, position = begun(rule, *moves)
    lookout = lookout or Lookout(players, 16)
    found = Outlook()
    for found in lookout.look(position, position.turn().players[0], lambda known: False, most):  # noqa: B007  the last
        pass
    return found


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("TicTacToe", True),
        ("Chess", True),
        ("Go", True),
        ("Sokoban", False),  # one player
        ("CantStop", False),  # chance
        ("PhantomTicTacToe", False),  # secrets
        ("RockPaperScissors", False),  # at the same time
        ("gdl/tictactoe", False),  # such are compiled, and have scouts
    ],
)
def test_it_serves_where_two_take_turns_and_all_is_open(rule, expected):
    rules = Catalogue.from_environment({}).find_rules(rule)
    assert serves(rules, rules.players(rules.complete({}))) is expected


def test_only_the_centre_answers_a_corner() -> None:
    found = looked("TicTacToe", "A1")
    assert set(found.lost) == {"B1", "C1", "A2", "C2", "A3", "B3", "C3"}
    assert set(found.lost.values()) == {6}
    assert not found.won
    assert found.over


def test_a_fork_is_taken() -> None:
    found = looked("TicTacToe", "A1", "A2")
    assert found.over
    assert set(found.won.values()) == {5}


def test_all_moves_are_lost_as_late_as_they_can_be() -> None:
    """Cross has both diagonals of the lower left square to win with."""
    found = looked("TicTacToe", "A1", "A2", "B2", "C3", "B1")
    assert set(found.lost) == {"C1", "C2", "A3", "B3"}
    assert set(found.lost.values()) == {2}


def test_two_open_ends_are_seen_in_connect_four() -> None:
    """After 4 5 and a third beside them there would be a free square at both ends."""
    found = looked("ConnectFour", "C", "C", "D", "D")
    assert {move: length for move, length in found.won.items() if length == 3}


def test_less_is_looked_at_the_second_time() -> None:
    players, _ = begun("TicTacToe")
    lookout = Lookout(players, 16)
    first = looked("TicTacToe", "A1", lookout=lookout).nodes
    second = looked("TicTacToe", "A1", lookout=lookout).nodes
    assert second < first / 10


def test_what_was_found_in_a_part_of_the_time_is_told() -> None:
    whole = looked("TicTacToe", "A1")
    part = looked("TicTacToe", "A1", most=whole.nodes // 2)
    assert not part.over
    assert 2 <= part.level < whole.level


def test_the_time_is_a_part_of_what_minimax_has() -> None:
    now, computed = [0.0], [1.0]
    enough = patience(Settings(minimax=0.5), 10.0, lambda: False, lambda: now[0], lambda: computed[0])
    now[0] = 0.5 * SHARE * 10 + 0.01
    computed[0] += 2 * LEAST
    assert enough(Outlook(level=2))
    assert not enough(Outlook(level=1)), "replies are seen first"
    now[0] = 0.5 * SHARE_FIRST * 10 + 0.01
    assert enough(Outlook(level=1))
    computed[0] = 1.0
    assert not enough(Outlook(level=2)), "others had the processor"
    assert patience(Settings(), 10.0, lambda: True)(Outlook())


def test_where_only_playouts_are_limited_positions_are() -> None:
    assert positions(Settings(playouts=100, minimax=0.5)) == 50 * A_PLAYOUT
    assert positions(Settings(playouts=100, minimax=0.0)) == 0
