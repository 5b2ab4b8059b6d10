"""The pool of positions that a search begins in."""

import random

from support.small_secrets import ME, PENNIES, Coin

from ggtp.game import CHANCE
from ggtp.search.hidden.worlds import Worlds

HEADS, TAILS = (Coin(((CHANCE, side),)) for side in ("heads", "tails"))


def worlds(more=(), most=10, clock=None, first=HEADS):
    return Worlds(ME, first, iter(more), most, random.Random(1), clock)


def test_positions_come_by_turns():
    pool = worlds([TAILS])
    pool.grow()
    assert [pool.next()[1] for _ in range(4)] == [TAILS, HEADS, TAILS, HEADS]


def test_there_are_never_more_than_wanted():
    pool = worlds([TAILS] * 5, most=3)
    for _ in range(9):
        pool.grow()
    assert len(pool.positions) == 3


def test_a_position_in_which_it_is_not_the_players_turn_is_none():
    pool = worlds([Coin()])
    pool.grow()
    assert pool.positions == [HEADS]


def test_a_position_with_other_moves_is_none_either():
    pool = worlds([HEADS.play({ME: "guess"}).position])
    pool.grow()
    assert pool.positions == [HEADS]


def test_what_the_rule_can_draw_anew_is_drawn_anew():
    pool = worlds()
    assert {pool.fresh().played[0][1] for _ in range(20)} == {"heads", "tails"}
    assert pool.drawn == 20


def test_what_it_cannot_is_asked_once():
    pool = worlds(first=PENNIES.begin({}))
    first = pool.positions[0]
    assert pool.fresh() is pool.fresh() is first
    assert pool.drawn == 0


def test_no_more_than_a_share_of_the_time_goes_into_it():
    now = [0.0]

    def slow():
        while True:
            now[0] += 3.0
            yield TAILS

    pool = worlds(slow(), clock=lambda: now[0])
    pool.grow()
    assert len(pool.positions) == 2
    pool.grow()
    assert len(pool.positions) == 2
    now[0] += 10.0
    pool.grow()
    assert len(pool.positions) == 3
