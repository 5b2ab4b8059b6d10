"""What one of two can force, in games whose forced wins are known."""

import pytest

from ggtp.catalogue import Catalogue
from ggtp.game import advice
from ggtp.search.minimax.forced import NEVER, OPEN, Attack, Proofs
from ggtp.search.minimax.plan import OutOfTime
from ggtp.search.minimax.walk import MoveNames, PositionWalk, SearcherWalk

CROSS, CIRCLE = 0, 1


def walk_after(rule, *moves, fast=True, options=None):
    rules = Catalogue.from_environment({}).find_rules(rule)
    values = rules.complete(options or {})
    position = rules.begin(values)
    for move in moves:
        position = position.play({position.turn().players[0]: move}).position
    if fast:
        return SearcherWalk(advice.searcher(position))
    return PositionWalk(position, rules.players(values), 0, MoveNames(), opposed=True)


def proofs(should_stop=lambda: False, most=None, megabytes=16):
    made = Proofs(megabytes << 20)
    made.begin(should_stop, most)
    return made


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize(
    ("moves", "attacker", "depth", "length"),
    [
        (("A1", "A2", "B1", "B2"), CROSS, 1, 2),  # C1 wins at once: two positions, this one and the last
        (("A1", "A2", "B1"), CROSS, 2, OPEN),  # C1 is held
        (("A1", "A2"), CROSS, 5, 6),  # an edge in answer to a corner loses: two forks are there to choose from
        (("A1", "A2"), CROSS, 4, OPEN),
        (("A1", "B2"), CROSS, 9, NEVER),
        ((), CIRCLE, 12, NEVER),
    ],
)
def test_a_win_is_proven_at_the_level_where_it_is(moves, attacker, depth, length, fast):
    walk = walk_after("TicTacToe", *moves, fast=fast)
    attack = Attack(walk, attacker, proofs())
    found = [attack.length(level) for level in range(1, depth + 1)]
    assert found[-1] == length
    assert all(earlier == OPEN for earlier in found[:-1] if length > OPEN)


def test_nothing_is_asked_of_whoever_is_over() -> None:
    walk = walk_after("TicTacToe", "A1", "A2", "B1", "B2", "C1")
    assert Attack(walk, CROSS, proofs()).length(0) == 1
    assert Attack(walk, CIRCLE, proofs()).length(0) == NEVER


def test_what_was_proven_is_kept() -> None:
    known = proofs()
    walk = walk_after("TicTacToe", "A1", "A2")
    for level in range(1, 6):
        Attack(walk, CROSS, known).length(level)
    before = known.nodes
    assert Attack(walk, CROSS, known).length(5) == 6
    assert known.nodes == before + 1


def test_tables_stay_below_their_ceiling() -> None:
    small = Proofs(100_000)
    small.begin(lambda: False)
    attack = Attack(walk_after("ConnectFour"), 0, small)
    for level in range(1, 9):
        attack.length(level)
    assert small.nodes > 2_000
    assert 0 < len(small) < 500


def attack_on(attack):
    for level in range(1, 100):
        attack.length(level)


def test_it_ends_after_just_as_many_positions_as_it_may_make() -> None:
    for most in (1, 17, 300):
        limited = proofs(most=most)
        attack = Attack(walk_after("ConnectFour"), 1, limited)
        with pytest.raises(OutOfTime):
            attack_on(attack)
        assert limited.nodes == most


def test_it_ends_when_it_is_told() -> None:
    asked = iter(range(1_000_000))
    limited = proofs(lambda: next(asked) >= 5)
    attack = Attack(walk_after("ConnectFour"), 1, limited)
    with pytest.raises(OutOfTime):
        attack_on(attack)
    assert next(asked) == 6
