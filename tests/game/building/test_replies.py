"""Facts about answers to texts that mean no move."""

from __future__ import annotations

from ggtp.game.building.replies import shortened, some_of, unknown_move


def test_only_long_texts_are_cut() -> None:
    assert shortened("x" * 40) == "x" * 40
    assert shortened("x" * 41) == "x" * 40 + "..."


def test_a_list_says_if_there_are_more() -> None:
    assert some_of(["a", "b"], 2) == "a / b"
    assert some_of(["a", "b", "c"], 2) == "a / b / and so on"


def test_an_unknown_move_is_answered_with_some_that_are_known() -> None:
    error = unknown_move("Ann", "y" * 50, ["a", "b"])
    assert str(error) == f"No move named {'y' * 40}... for player Ann: write one of a / b."
