"""Work that nobody waits for when time is over."""

import threading
import time
from itertools import count

import pytest

from ggtp.search.watch import Watch, wait_for


def test_work_that_is_done_in_time() -> None:
    done = []
    assert Watch().run(lambda: done.append(1), None, lambda: False)
    assert done == [1]


def test_work_that_goes_on_is_left_alone() -> None:
    free, watch = threading.Event(), Watch()
    assert not watch.run(lambda: (free.wait(60), None)[1], time.monotonic() + 0.01, lambda: False)
    assert not watch.over(time.monotonic() + 0.01)
    free.set()
    assert watch.over(None)


def test_who_is_told_to_stop_stops_waiting() -> None:
    free, watch = threading.Event(), Watch()
    assert not watch.run(lambda: (free.wait(60), None)[1], None, lambda: True)
    free.set()
    assert watch.over(None)


def test_what_goes_wrong_is_told() -> None:
    def fail() -> None:
        raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        Watch().run(fail, None, lambda: False)


def test_nobody_waits_for_something_longer_than_they_want_to() -> None:
    event, asked = threading.Event(), count()
    assert not wait_for(event, 0)
    assert not wait_for(event, 0.001)
    assert not wait_for(event, None, lambda: next(asked) > 1)
    assert not wait_for(event, 600, lambda: next(asked) > 3)
    assert next(asked) == 5
    event.set()
    assert wait_for(event, 0)
    assert wait_for(event, None, lambda: True)
