"""What was seen before is known again, in a table that does not grow."""

from __future__ import annotations

from itertools import permutations

import pytest

from ggtp.tournament.standings.repeats import BUCKETS, ENTRY_BYTES, WAYS, Repetition, Seen


def test_what_was_seen_is_known() -> None:
    seen = Seen()
    assert [seen.add(text) for text in ("a", "b", "a", "", "", "b", "\udcff")] == [
        False, False, True, False, True, True, False,
    ]  # fmt: skip


def test_many_are_known_and_more_than_fit_do_no_harm() -> None:
    seen = Seen()
    size = seen._slots.itemsize * len(seen._slots)
    assert size == ENTRY_BYTES * BUCKETS * WAYS
    many = BUCKETS // 8
    assert not any(seen.add(f"game {number}") for number in range(many))
    known = sum(seen.add(f"game {number}") for number in range(many))
    assert known == many
    for number in range(2 * BUCKETS):
        seen.add(f"another {number}")
        if number % 64 == 0:
            assert seen.add("again and again") is (number > 0)
    assert seen._slots.itemsize * len(seen._slots) == size


def told(*keys: str, starts: int = 1) -> Repetition:
    repetition = Repetition()
    for number, key in enumerate(keys, 1):
        repetition.block(number, "A and B", starts, key)
    return repetition


@pytest.mark.parametrize(
    ("keys", "starts", "only"),
    [
        ("", 1, False),
        ("a", 1, False),
        ("aaa", 1, False),
        ("aaaa", 1, True),
        ("aaaab", 1, False),
        ("ababab", 1, False),  # two that differ: three times two repeats prove it
        ("abababab", 1, True),
        ("abcdabc", 4, False),  # not every start position has come again
        ("abcdabcd", 4, True),
        ("abcdeabcd", 4, True),
    ],
)
def test_only_repeats_are_played(keys: str, starts: int, only: bool) -> None:
    assert told(*keys, starts=starts).only(3) is only


def test_blocks_that_are_not_known_differ() -> None:
    assert not told(*[""] * 50).only(3)


def test_as_long_as_some_who_meet_play_new_games_there_is_more_to_see() -> None:
    repetition = told(*"aaaa")
    assert repetition.only(3)
    repetition.block(5, "A and C", 1, "b")
    assert not repetition.only(3)
    assert repetition.streak == 0


def test_blocks_are_looked_at_in_their_order() -> None:
    for order in permutations(range(1, 6)):
        repetition = Repetition()
        for number in order:
            if number == 2:
                repetition.left_out(2)
            else:
                repetition.block(number, "A and B", 1, "a")
        assert (repetition.only(3), repetition.streak) == (True, 3)
