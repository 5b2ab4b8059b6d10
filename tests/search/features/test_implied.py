"""What follows from what, in made-up states."""

from __future__ import annotations

import numpy as np

from ggtp.search.features.implied import ENOUGH, Implied


def seen(states: int) -> Implied:
    """Of four facts: the first two never together, the third wherever the first, the fourth always."""
    implied = Implied(4)
    cases = np.array([[1, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 1], [0, 0, 0, 1]], np.uint8)
    implied.see(np.repeat(cases, states, axis=0))
    return implied


def test_what_was_always_so_follows() -> None:
    implied = seen(ENOUGH)
    assert implied.follows(4, 0)
    assert implied.follows(1, 2)
    assert not implied.follows(0, 4)
    assert implied.always(6)
    assert not implied.always(0)


def test_little_proves_nothing() -> None:
    implied = seen(1)
    assert not implied.follows(4, 0)
    assert not implied.always(6)
    assert Implied(2).needed([0, 3], []) == {0, 3}


def test_what_follows_need_not_be_said() -> None:
    implied = seen(ENOUGH)
    assert implied.needed([0, 3, 4, 6], []) == {0}
    assert implied.needed([4, 3], [0]) == frozenset()
    assert implied.needed([2, 4], []) == {2, 4}


def test_of_two_that_say_the_same_one_is_left() -> None:
    implied = Implied(2)
    implied.see(np.repeat(np.array([[1, 1], [0, 0]], np.uint8), ENOUGH, axis=0))
    assert len(implied.needed([0, 2], [])) == 1
