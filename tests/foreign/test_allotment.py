import pytest

from ggtp.foreign.allotment import LEAST, GoClock, allot, limited


@pytest.mark.parametrize("left", [0.0, 0.02, 0.1, 1.0, 10.0, 3600.0])
@pytest.mark.parametrize("increment", [0.0, 0.1, 5.0])
@pytest.mark.parametrize("moves", [0, 1, 2, 40])
def test_no_move_takes_more_than_there_is(left: float, increment: float, moves: int) -> None:
    seconds = allot(left, increment, moves)
    assert LEAST <= seconds <= max(LEAST, left)


def test_a_game_is_played_to_its_end_on_one_clock() -> None:
    left = 60.0
    for _ in range(300):
        left -= allot(left)
        assert left > 0


def test_a_limit_is_used_almost_whole() -> None:
    assert 0.9 < limited(1.0) < 1.0
    assert 9.5 < limited(10.0) < 10.0


def test_without_settings_there_is_no_limit() -> None:
    clock = GoClock()
    assert clock.move_seconds() is None
    clock.used(5)
    clock.set(0, 0, 0)
    assert clock.move_seconds() is None
    clock.set(60, 10, 0)
    assert clock.move_seconds() is None


def test_main_time_runs_into_overtime() -> None:
    clock = GoClock()
    clock.set(10, 5, 1)
    assert clock.move_seconds() == pytest.approx(limited(5))
    clock.used(20)
    assert clock.move_seconds() == pytest.approx(limited(5))
    clock.used(3)
    assert clock.move_seconds() == pytest.approx(limited(5))
    clock.restart()
    clock.left(2, 4)
    assert clock.move_seconds() < 0.5
    clock.used(1)
    clock.used(0.5)
    assert clock.move_seconds() < 0.25


def test_main_time_alone_runs_out() -> None:
    clock = GoClock()
    clock.set(10, 0, 0)
    first = clock.move_seconds()
    clock.used(9.5)
    assert clock.move_seconds() < first
    clock.used(9.5)
    assert clock.move_seconds() == LEAST
