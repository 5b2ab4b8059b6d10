"""Rounds of betting: order, ranges, all-in, side pots, and what people type."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from ggtp.game.building.betting import Betting, Stakes, open_betting, read_action

NO_LIMIT = Stakes("no-limit", (2, 2, 2, 2))


def begin(stacks: Sequence[int], stakes: Stakes = NO_LIMIT) -> Betting:
    """Blinds of 1 and 2 after the button at 0; of two players the button has the small one."""
    small, big = (0, 1) if len(stacks) == 2 else (1, 2)
    return open_betting(stakes, stacks, antes=0, blinds={small: 1, big: 2}, last=big)


def test_of_two_players_the_button_acts_first_and_then_last() -> None:
    betting = begin([100, 100])
    assert betting.to_act == 0
    betting = betting.call()
    assert betting.to_act == 1  # the big blind may still raise
    betting = betting.call()
    assert betting.to_act == -1
    assert betting.next_round(0).to_act == 1


def test_of_many_the_one_after_the_big_blind_acts_first() -> None:
    assert begin([100] * 6).to_act == 3
    assert begin([100] * 3).to_act == 0


def test_a_raise_is_at_least_as_much_as_the_last_one() -> None:
    betting = begin([100] * 3)
    assert betting.raise_range() == (4, 100)
    betting = betting.raise_to(10)
    assert betting.raise_range() == (18, 100)


def test_who_has_too_little_for_a_raise_may_go_all_in() -> None:
    betting = begin([100, 15, 100]).raise_to(10)
    assert betting.to_act == 1
    assert betting.raise_range() == (15, 15)


def test_a_short_all_in_does_not_open_the_betting_again() -> None:
    betting = begin([100, 15, 100]).raise_to(10).raise_to(15)
    assert betting.to_act == 2
    assert betting.raise_range() == (23, 100)  # who has not acted may raise
    betting = betting.call()
    assert betting.to_act == 0
    assert betting.raise_range() is None
    assert betting.to_call() == 5


def test_two_short_all_ins_that_make_a_full_raise_do() -> None:
    betting = begin([100, 15, 19, 100])
    betting = betting.raise_to(10)  # the player after the blinds
    betting = betting.call()  # the button
    betting = betting.raise_to(15).raise_to(19)
    assert betting.to_act == 3
    assert betting.raise_range() == (27, 100)


def test_in_limit_games_half_a_raise_opens_the_betting_again() -> None:
    limit = Stakes("limit", (2, 2, 4, 4), cap=4)
    half = begin([100, 100, 3], limit).call().call().raise_to(3)
    assert half.to_act == 0
    assert half.raise_range() == (5, 5)
    wide = Stakes("limit", (4, 4, 8, 8), cap=4)
    less = open_betting(wide, [100, 100, 5], antes=0, blinds={1: 2, 2: 4}, last=2).call().call().raise_to(5)
    assert less.to_act == 0
    assert less.raise_range() is None


def test_nobody_raises_where_nobody_could_call() -> None:
    betting = begin([100, 50]).call().raise_to(50)
    assert betting.to_act == 0
    assert betting.raise_range() is None
    assert betting.call().to_act == -1


def test_blinds_that_are_all_in_do_not_act() -> None:
    betting = begin([100, 2])
    assert betting.to_act == 0
    assert betting.raise_range() is None
    assert betting.call().to_act == -1
    short = begin([1, 100])
    assert short.to_act == -1
    assert short.pots() == [(2, [0, 1]), (1, [1])]


def test_who_has_less_than_the_big_blind_must_be_paid_a_whole_one_all_the_same() -> None:
    betting = begin([100, 100, 1])
    assert betting.to_call() == 2
    assert betting.raise_range() == (4, 100)


def test_a_limit_game_has_fixed_bets_and_a_cap() -> None:
    betting = begin([100, 100], Stakes("limit", (2, 2, 4, 4), cap=4))
    for amount in (4, 6, 8):
        assert betting.raise_range() == (amount, amount)
        betting = betting.raise_to(amount)
    assert betting.raise_range() is None
    betting = betting.call().next_round(0)
    assert betting.raise_range() == (2, 2)
    assert betting.call().call().next_round(0).raise_range() == (4, 4)


def test_a_pot_limit_raise_is_the_pot_after_the_call() -> None:
    betting = begin([100] * 3, Stakes("pot-limit", (2, 2, 2, 2)))
    assert betting.raise_range() == (4, 7)


def test_side_pots_and_what_nobody_called() -> None:
    betting = begin([200, 30, 80]).raise_to(200).call().call()
    assert betting.to_act == -1
    assert betting.pots() == [(90, [0, 1, 2]), (100, [0, 2]), (120, [0])]
    won = betting.winnings({0: 1, 1: 3, 2: 2}.__getitem__, (1, 2, 0), whole=True)
    assert won == {0: 120, 1: 90, 2: 100}


def test_what_folded_players_paid_stays_in_the_pots() -> None:
    betting = begin([100] * 4).raise_to(20).call().call().fold()
    assert betting.pots() == [(62, [0, 1, 3])]


def test_odd_chips_go_to_the_first_in_order() -> None:
    betting = begin([7, 7, 7, 7]).raise_to(7).call().call().fold()
    assert betting.pots() == [(23, [0, 1, 3])]
    won = betting.winnings(lambda player: int(player != 0), (1, 2, 3, 0), whole=True)
    assert won == {0: 0, 1: 12, 2: 0, 3: 11}
    halves = betting.winnings(lambda player: int(player != 0), (1, 2, 3, 0), whole=False)
    assert halves[1] == halves[3] == 23 / 2


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("fold", ("fold", None)),
        ("F", ("fold", None)),
        ("raise to 40", ("raise", 40)),
        ("r40", ("raise", 40)),
        ("bet $20", ("bet", 20)),
        ("all in", ("all-in", None)),
        ("shove", ("all-in", None)),
        ("raise 1 2", ("", None)),
        ("", ("", None)),
        ("raise ٣", ("", None)),
    ],
)
def test_what_people_type(text: str, read: tuple[str, int | None]) -> None:
    assert read_action(text) == read
