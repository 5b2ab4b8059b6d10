"""Decision levels: which move they speak for, what is shown, and how several are merged."""

import pytest

from ggtp.search.mcts_options import VALUE, VISITS
from ggtp.search.mcts_report import Choice, Decision, merge

A = Choice("a", 90, 0.5)
B = Choice("b", 10, 0.6)


def test_the_setting_decides_between_visits_and_value() -> None:
    assert Decision([A, B]).chosen(VISITS) is A
    assert Decision([A, B]).chosen(VALUE) is B
    assert Decision([A, B], by_value=True).chosen(VISITS) is B


def test_a_proven_win_is_taken_the_quickest_first() -> None:
    slow, quick = Choice("s", 900, 1.0, True, 9), Choice("q", 1, 1.0, True, 3)
    assert Decision([A, slow, quick]).chosen(VISITS) is quick


def test_what_is_certain_is_compared_with_what_is_believed() -> None:
    draw, loss = Choice("d", 1, 0.5, True, 5), Choice("l", 5000, 0.0, True, 2)
    assert Decision([Choice("x", 50, 0.4), draw, loss]).chosen(VISITS) is draw
    assert Decision([Choice("x", 50, 0.7), draw, loss]).chosen(VISITS).move == "x"


def test_what_is_not_known_to_be_lost_is_better_than_what_is() -> None:
    """Where a look ahead has proven that all others lose, nobody need have tried the last one."""
    loss = Choice("l", 0, 0.0, True, 6)
    assert Decision([loss, Choice("x", 0, 0.0)]).chosen(VISITS).move == "x"
    assert Decision([loss, Choice("x", 9, 0.0)]).chosen(VALUE).move == "x"


def test_of_losses_the_latest() -> None:
    soon, late = Choice("s", 5, 0.0, True, 2), Choice("l", 1, 0.0, True, 8)
    assert Decision([soon, late]).chosen(VISITS) is late


def test_the_best_playout_is_followed() -> None:
    assert Decision([A, B], planned="b", best=1.0).chosen(VISITS) is B


def test_a_move_that_wins_at_once_is_all_there_is_to_say() -> None:
    decision = Decision([A, B]).with_winning("b")
    assert decision.chosen(VISITS).move == "b"
    assert decision.report(VISITS)["solved"] == "yes"
    assert Decision([A]).with_winning(None).chosen(VISITS) is A


def test_the_report_has_all_that_was_asked_for() -> None:
    told = Decision([A, B], {"x": 0.25, "o": 0.75}, 3000, 40, 7, 1.5, ("a", "c")).report(VISITS)
    assert told == {
        "move": "a",
        "value": "x 25 o 75",
        "depth": 7,
        "playouts": 3000,
        "playouts/s": 2000,
        "nodes": 40,
        "line": "a / c",
        "moves": "a 90x 50; b 10x 60",
        "solved": "no",
    }
    assert Decision([A, B], sounded=8).report(VISITS)["sounded"] == 8


def test_merging_weighs_by_visits() -> None:
    one = Decision([Choice("a", 30, 0.9), Choice("b", 10, 0.1)], {"x": 0.9}, 40, seconds=1.0)
    other = Decision([Choice("a", 10, 0.1), Choice("b", 80, 0.6)], {"x": 0.4}, 90, seconds=2.0)
    both = merge([one, other])
    values = {choice.move: choice for choice in both.choices}
    assert values["a"].value == pytest.approx(0.7)
    assert values["a"].visits == 40
    assert both.chosen(VISITS).move == "b"
    assert (both.playouts, both.seconds, both.workers) == (130, 2.0, 2)
    assert both.values["x"] == pytest.approx((0.9 * 40 + 0.4 * 90) / 130)


def test_a_proof_counts_more_than_any_number_of_visits() -> None:
    proof = Decision([Choice("a", 5, 1.0, True, 3), Choice("b", 1, 0.2)], solved=True)
    merged = merge([Decision([Choice("a", 10, 0.1), Choice("b", 800, 0.6)]), proof])
    assert merged.chosen(VISITS).move == "a"
    assert merged.solved


def test_there_must_be_something_to_merge() -> None:
    with pytest.raises(ValueError, match="nothing"):
        merge([])
