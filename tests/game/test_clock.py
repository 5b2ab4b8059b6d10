"""Time controls: what a move may take, and what is left afterwards."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggtp.game.clock import TimeControl


@pytest.mark.parametrize(
    ("control", "bank_left", "turn_delay", "limit"),
    [
        (TimeControl(), 0.0, None, None),
        (TimeControl(), 0.0, 0.5, 0.5),
        (TimeControl(move=2.0), 0.0, None, 2.0),
        (TimeControl(move=2.0), 0.0, 0.5, 0.5),
        (TimeControl(move=2.0), 0.0, 5.0, 2.0),
        (TimeControl(bank=60.0), 60.0, None, 60.0),
        (TimeControl(bank=60.0), 0.0, None, 0.0),
        (TimeControl(bank=60.0), -1.0, None, 0.0),
        (TimeControl(move=2.0, bank=60.0), 60.0, None, 2.0),
        (TimeControl(move=2.0, bank=60.0), 1.5, None, 1.5),
        (TimeControl(increment=3.0), 0.0, None, None),
        (TimeControl(move=2.0, bank=60.0), 1.5, 0.0, 0.0),
    ],
)
def test_a_move_may_take_the_smallest_of_its_limits(
    control: TimeControl, bank_left: float, turn_delay: float | None, limit: float | None
) -> None:
    assert control.limit(bank_left, turn_delay) == limit


@pytest.mark.parametrize(
    ("control", "bank_left", "elapsed", "left"),
    [
        (TimeControl(bank=60.0), 60.0, 1.5, 58.5),
        (TimeControl(bank=60.0, increment=2.0), 60.0, 1.5, 60.5),
        (TimeControl(bank=60.0), 1.0, 1.05, 0.0),
        (TimeControl(bank=60.0, increment=2.0), 1.0, 1.05, 2.0),
        (TimeControl(move=1.0), 0.0, 1.0, 0.0),
        (TimeControl(increment=2.0), 0.0, 1.0, 0.0),
    ],
)
def test_a_move_is_paid_from_the_bank(control: TimeControl, bank_left: float, elapsed: float, left: float) -> None:
    assert control.charge(bank_left, elapsed) == pytest.approx(left)


@given(st.floats(0.001, 1e5), st.floats(0, 1e3), st.lists(st.floats(0, 1e3), max_size=20))
def test_a_bank_is_never_in_debt_and_never_grows_by_more_than_its_increments(
    bank: float, increment: float, moves: list[float]
) -> None:
    control = TimeControl(bank=bank, increment=increment)
    left = bank
    for elapsed in moves:
        after = control.charge(left, elapsed)
        assert increment <= after <= left + increment
        assert control.limit(after) == after
        left = after
