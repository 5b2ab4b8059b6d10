"""Functions in Python that machine code calls, also where they raise exceptions."""

from ctypes import CFUNCTYPE, c_int64

import pytest

from ggtp.native.callback import Callback


def call(callback: Callback, *numbers: int) -> None:
    """As machine code calls it: by its address."""
    CFUNCTYPE(None, *[c_int64] * len(numbers))(callback.address)(*numbers)


def test_it_is_called_with_numbers() -> None:
    told: list[tuple[int, int]] = []
    callback = Callback(lambda one, two: told.append((one, two)), 2, lambda: told.clear())
    call(callback, 3, -(1 << 62))
    callback.check()
    assert told == [(3, -(1 << 62))]


def test_the_first_exception_comes_back_once_and_machine_code_is_told_to_stop() -> None:
    stopped: list[bool] = []

    def divide(by: int) -> None:
        raise ValueError(str(1 // by))

    callback = Callback(divide, 1, lambda: stopped.append(True))
    call(callback, 0)
    call(callback, 1)
    assert stopped == [True, True]
    with pytest.raises(ZeroDivisionError):
        callback.check()
    callback.check()
