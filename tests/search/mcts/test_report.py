"""Decision levels: which move they speak for, what is shown, and how several are merged."""

import json
from dataclasses import replace
from typing import Any

import pytest

from ggtp.search.mcts import report
from ggtp.search.mcts.options import BOUND, VALUE, VISITS
from ggtp.search.mcts.report import Choice, Decision, as_map, from_map, merge

A = Choice("a", 90, 0.5)
B = Choice("b", 10, 0.6)


def test_the_setting_decides_between_visits_and_value() -> None:
    assert Decision([A, B]).chosen(VISITS) is A
    assert Decision([A, B]).chosen(VALUE) is B
    assert Decision([A, B], by_value=True).chosen(VISITS) is B


def test_a_value_counts_less_its_error() -> None:
    """Of 10 playouts a value of 0.6 is hardly known; of 1,000 it is known to be better than 0.5."""
    assert Decision([A, B]).chosen(BOUND) is A
    late = Choice("late", 1_000, 0.6)
    often = Choice("often", 9_000, 0.5)
    assert Decision([often, late]).chosen(BOUND) is late
    assert Decision([often, late]).chosen(VISITS) is often
    assert Decision([A, B], playouts=100 * 100).chosen(BOUND) is B, "a visit has been a hundred playouts"


def test_visits_count_where_they_followed_heuristics() -> None:
    late, often = Choice("late", 1_000, 0.6), Choice("often", 9_000, 0.5)
    assert Decision([often, late], heuristic=True).chosen(BOUND) is often
    assert Decision([often, late], heuristic=True).chosen(VALUE) is late


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


def test_every_move_is_shown_with_its_visits_and_value() -> None:
    told = Decision([Choice(f"m{number}", number, 0.5) for number in range(400)]).report(VISITS)
    shown = str(told["moves"]).split("; ")
    assert len(shown) == 400
    assert (shown[0], shown[-1]) == ("m399 399x 50", "m0 0x 50")


def test_what_a_line_has_no_room_for_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "MOST_LETTERS", 30)
    told = Decision([Choice(f"m{number}", 10 - number, 0.5) for number in range(10)]).report(VISITS)
    assert told["moves"] == "m0 10x 50; m1 9x 50; m2 8x 50; 7 more"


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


def test_the_line_begins_with_the_move_that_all_together_speak_for() -> None:
    ours = Decision([Choice("a", 30, 0.5), Choice("b", 10, 0.5)], line=("a", "c"))
    theirs = Decision([Choice("a", 10, 0.5), Choice("b", 80, 0.5)], line=("b", "d"))
    assert merge([ours, theirs]).line == ("b", "d")
    assert merge([ours, replace(theirs, line=())]).line == ("a", "c"), "where nobody has another one"


def test_a_proof_counts_more_than_any_number_of_visits() -> None:
    proof = Decision([Choice("a", 5, 1.0, True, 3), Choice("b", 1, 0.2)], solved=True)
    merged = merge([Decision([Choice("a", 10, 0.1), Choice("b", 800, 0.6)]), proof])
    assert merged.chosen(VISITS).move == "a"
    assert merged.solved


def test_a_solved_search_decides_whatever_others_have_visited() -> None:
    """It knows that the move which others like is no better, though it has not proven each move by itself."""
    drawn = Decision([Choice("a", 5, 0.5, True, 3), Choice("b", 3, 0.2)], solved=True)
    liked = Decision([Choice("a", 1, 0.1), Choice("b", 800, 0.9)])
    assert merge([liked, drawn]).chosen(VISITS).move == "a"


def test_of_searches_in_which_minimax_chooses_the_one_that_has_looked_furthest_does() -> None:
    ours = Decision([A, B], planned="a", sounded=8, line=("a",))
    theirs = Decision([A, B], planned="b", sounded=9, line=("b", "c"))
    for found in ([ours, theirs], [theirs, ours]):
        merged = merge(found)
        assert (merged.chosen(VISITS).move, merged.sounded, merged.line) == ("b", 9, ("b", "c"))
    assert merge([ours, Decision([A, B], planned="b", sounded=8)]).chosen(VISITS).move == "a", (
        "ours, where none knows more"
    )


def test_what_is_proven_counts_more_than_what_minimax_estimates() -> None:
    advised = Decision([A, B], planned="a", sounded=9)
    lost = Decision([Choice("a", 9, 0.0, True, 4), B])
    won = Decision([A, Choice("b", 1, 1.0, True, 3)])
    assert merge([advised, lost]).chosen(VISITS).move == "b"
    assert merge([advised, won]).chosen(VISITS).move == "b"


def test_the_best_plan_of_one_player_is_followed_whoever_has_found_it() -> None:
    ours, theirs = Decision([A, B], planned="a", best=0.5), Decision([A, B], planned="b", best=0.8)
    assert merge([ours, theirs]).chosen(VISITS).move == "b"


def test_a_decision_can_be_told() -> None:
    decision = Decision((A, B), {"x": 0.25}, 3000, 40, 7, 1.5, ("a", "c"), planned="a", best=0.5)
    told = json.loads(json.dumps(as_map(decision)))
    assert as_map(from_map(told)) == {**as_map(decision), "line": ["a", "c"], "choices": [*as_map(decision)["choices"]]}


@pytest.mark.parametrize(
    "told",
    [
        {},
        [],
        {"choices": 3},
        {"choices": [{"move": "a"}]},
        {"choices": [], "colour": "blue"},
        {"choices": [{"move": "a", "visits": "many", "value": 0.5}]},
        {"choices": [{"move": 1, "visits": 1, "value": 0.5}]},
        {"choices": [], "playouts": None},
        {"choices": [], "values": [1, 2]},
        {"choices": [], "values": {"x": "1"}},
        {"choices": [], "best": "1"},
        {"choices": [], "planned": 1},
        {"choices": [], "line": 5},
    ],
)
def test_what_is_no_decision_of_this_version_is_refused(told: Any) -> None:
    with pytest.raises(ValueError, match="no decision"):
        from_map(told)


def test_there_must_be_something_to_merge() -> None:
    with pytest.raises(ValueError, match="nothing"):
        merge([])
