"""The pool of positions that a search begins in."""

import random
from collections.abc import Callable, Iterable, Iterator

from support.small_secrets import ME, PENNIES, Coin

from ggtp.game import CHANCE, Position
from ggtp.search.hidden.worlds import Worlds

HEADS, TAILS = (Coin(((CHANCE, side),)) for side in ("heads", "tails"))


def worlds(
    more: Iterable[Position] = (), most: int = 10, clock: Callable[[], float] | None = None, first: Position = HEADS
) -> Worlds:
    return Worlds(ME, first, iter(more), most, random.Random(1), clock)


def test_positions_come_by_turns() -> None:
    pool = worlds([TAILS])
    pool.grow()
    assert [pool.next()[1] for _ in range(4)] == [TAILS, HEADS, TAILS, HEADS]


def test_there_are_never_more_than_wanted() -> None:
    pool = worlds([TAILS] * 5, most=3)
    for _ in range(9):
        pool.grow()
    assert len(pool.positions) == 3


def test_a_position_in_which_it_is_not_the_players_turn_is_none() -> None:
    pool = worlds([Coin()])
    pool.grow()
    assert pool.positions == [HEADS]


def test_a_position_with_other_moves_is_none_either() -> None:
    pool = worlds([HEADS.play({ME: "guess"}).position])
    pool.grow()
    assert pool.positions == [HEADS]


def test_what_the_rule_can_draw_anew_is_drawn_anew() -> None:
    pool = worlds()
    assert {pool.fresh().played[0][1] for _ in range(20)} == {"heads", "tails"}  # type: ignore[attr-defined]
    assert pool.drawn == 20


def test_what_it_cannot_is_asked_once() -> None:
    pool = worlds(first=PENNIES.begin({}))
    first = pool.positions[0]
    assert pool.fresh() is pool.fresh() is first
    assert pool.drawn == 0


def test_no_more_than_a_share_of_the_time_goes_into_it() -> None:
    now = [0.0]

    def slow() -> Iterator[Position]:
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
