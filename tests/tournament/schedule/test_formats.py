"""Brackets and pairings; whole tournaments are in the tests of the schedule."""

from __future__ import annotations

from ggtp.tournament.plan.plan import FORMATS as NAMES
from ggtp.tournament.schedule.formats import FORMATS, bracket_order, pair


def test_every_format_of_a_plan_is_there() -> None:
    assert list(FORMATS) == list(NAMES)


def test_the_first_two_meet_in_the_final_only() -> None:
    assert bracket_order(2) == [0, 1]
    assert bracket_order(8) == [0, 7, 3, 4, 1, 6, 2, 5]


def test_pairs_avoid_old_opponents() -> None:
    met = {frozenset("AB"): 1, frozenset("CD"): 1}
    assert pair("ABCD", met) == [("A", "C"), ("B", "D")]


def test_a_pairing_is_mended_further_up() -> None:
    # Greedily A meets B, and then C and D would have to meet again.
    met = {frozenset("CD"): 1}
    assert pair("ABCD", met) == [("A", "C"), ("B", "D")]


def test_where_all_have_met_they_meet_again() -> None:
    met = {frozenset(two): 1 for two in ("AB", "AC", "AD", "BC", "BD", "CD")}
    assert pair("ABCD", met) == [("A", "B"), ("C", "D")]
    met[frozenset("AB")] = 2
    assert pair("ABCD", met) == [("A", "C"), ("B", "D")]
