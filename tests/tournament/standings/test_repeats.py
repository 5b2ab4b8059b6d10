"""What was seen before is known again, in a table that does not grow."""

from __future__ import annotations

from ggtp.tournament.standings.repeats import BUCKETS, ENTRY_BYTES, WAYS, Seen


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
