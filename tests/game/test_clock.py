"""Time controls: what a move may take, and what is left afterwards."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggtp.game.clock import MoveTime, TimeControl


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
    assert control.earn(control.charge(bank_left, elapsed)) == pytest.approx(left)


@given(st.floats(0.001, 1e5), st.floats(0, 1e3), st.lists(st.floats(0, 1e3), max_size=20))
def test_a_bank_is_never_in_debt_and_never_grows_by_more_than_its_increments(
    bank: float, increment: float, moves: list[float]
) -> None:
    control = TimeControl(bank=bank, increment=increment)
    left = bank
    for elapsed in moves:
        after = control.earn(control.charge(left, elapsed))
        assert increment <= after <= left + increment
        assert control.limit(after) == after
        left = after


@pytest.mark.parametrize(
    ("elapsed", "limit", "margin", "waited", "blame"),
    [
        # In time: within limit and margin, whoever waited for whom.
        (0.0, 1000, 100, 0, ""),
        (1000, 1000, 0, 0, ""),
        (1100, 1000, 100, 0, ""),
        (1100, 1000, 100, 900, ""),
        # Late by its own doing: it would have been late with a processor of its own, too.
        (1001, 1000, 0, 0, "late"),
        (1101, 1000, 100, 0, "late"),
        (1138, 1000, 100, 37, "late"),
        (300, 100, 100, 99, "late"),
        (101, 1, 99, 0, "late"),
        # Late because of the machine: the wait is compared with what is over limit and margin together.
        (1105, 1000, 100, 37, "machine"),
        (1137, 1000, 100, 37, "machine"),
        (1001, 1000, 0, 1, "machine"),
        (300, 100, 100, 100, "machine"),
        (5000, 1000, 100, 5000, "machine"),
    ],
)
def test_a_move_is_late_beyond_its_limit_and_margin_and_the_wait_for_a_processor(
    elapsed: float, limit: float, margin: float, waited: float, blame: str
) -> None:
    assert MoveTime(elapsed, limit, margin, waited).blame == blame


def test_a_move_is_over_its_limit_whatever_the_margin() -> None:
    assert MoveTime(1105, 1000, 100, 37).over == 105
    assert MoveTime(999, 1000, 100).over == 0


@pytest.mark.parametrize(
    ("control", "turn_delay", "people", "seconds"),
    [
        (TimeControl(), None, False, 0.02),
        (TimeControl(), None, True, 0.5),
        (TimeControl(), 0.1, True, 0.1),
        (TimeControl(move=0.01), None, False, 0.01),
        (TimeControl(move=0.1), None, False, 0.025),
        (TimeControl(move=0.1), None, True, 0.025),
        (TimeControl(move=60.0), None, False, 1.0),
        (TimeControl(bank=60.0), None, False, 0.25),
        (TimeControl(bank=60.0, increment=1.0), None, False, 0.5),
        (TimeControl(move=0.4, bank=60.0), None, False, 0.1),
        (TimeControl(move=4.0), 0.2, False, 0.2),
    ],
)
def test_the_window_of_a_sealed_turn_follows_from_the_clocks(
    control: TimeControl, turn_delay: float | None, people: bool, seconds: float
) -> None:
    assert control.window(turn_delay, people=people) == pytest.approx(seconds)
