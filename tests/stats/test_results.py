"""Games as the statistics take them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggtp.stats.results import (
    GameResult,
    complete_blocks,
    differing,
    evidence_blocks,
    fresh_part,
    in_blocks,
    level_scores,
    without_faults,
    without_repeats,
)


def test_scores_from_points() -> None:
    assert level_scores([100, 0]) == (1.0, 0.0)
    assert level_scores([50, 50]) == (0.5, 0.5)
    assert level_scores([30, 10, 10, 7]) == pytest.approx((1.0, 0.5, 0.5, 0.0))
    assert level_scores([40]) == (0.4,)
    assert level_scores([400]) == (1.0,)


@given(st.lists(st.integers(-3, 3), min_size=2, max_size=8))
def test_scores_of_a_game_add_up_to_half_of_its_players(points: list[int]) -> None:
    scores = level_scores(points)
    assert sum(scores) == pytest.approx(len(points) / 2)
    game = GameResult(tuple(map(str, range(len(points)))), scores)
    ranked = [[points[seat] for seat in group] for group in game.groups()]
    assert [group[0] for group in ranked] == sorted(set(points), reverse=True)
    assert all(len(set(group)) == 1 for group in ranked)


@pytest.mark.parametrize(("players", "scores"), [((), ()), (("a",), ()), (("a",), (2.0,)), (("a",), (float("nan"),))])
def test_what_is_no_game_is_refused(players: tuple[str, ...], scores: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="score"):
        GameResult(players, scores)


def test_blocks_and_faults() -> None:
    games = [
        GameResult(("a", "b"), (1.0, 0.0), "r", 1),
        GameResult(("b", "a"), (1.0, 0.0), "r", 1, at_fault=("a",)),
        GameResult(("a", "b"), (1.0, 0.0), "s", 1),
        GameResult(("a", "b"), (1.0, 0.0)),
        GameResult(("a", "b"), (1.0, 0.0)),
    ]
    assert [len(block) for _, block in in_blocks(games)] == [2, 1, 1, 1]
    assert len(without_faults(games)) == 4


def test_only_complete_blocks_are_units() -> None:
    games = [
        GameResult(("a", "b"), (1.0, 0.0), "r", 1, block_size=2),
        GameResult(("b", "a"), (1.0, 0.0), "r", 1, block_size=2),
        GameResult(("a", "b"), (1.0, 0.0), "r", 2, block_size=2),
        GameResult(("a", "b"), (1.0, 0.0), "r"),
    ]
    assert complete_blocks(games) == [games[:2], games[3:]]


def test_a_repeated_game_is_kept_once() -> None:
    games = [GameResult(("a", "b"), (1.0, 0.0), fingerprint=text) for text in ("x", "y", "x", "", "")]
    assert [game.fingerprint for game in without_repeats(games)] == ["x", "y", "", ""]


def test_who_has_several_seats_has_their_mean() -> None:
    assert GameResult(("a", "b", "a"), (1.0, 0.5, 0.0)).player_scores() == {"a": 0.5, "b": 0.5}


def block(number: int, *marks: str, rule: str = "", players: tuple[str, str] = ("a", "b")) -> list[GameResult]:
    return [GameResult(players, (1.0, 0.0), rule, number, fingerprint=mark) for mark in marks]


def test_a_block_that_is_the_same_move_by_move_does_not_differ() -> None:
    blocks = [block(1, "x", "y"), block(2, "y", "x"), block(3, "x", "z"), block(4, "", "y"), block(5, "", "y")]
    assert differing(blocks) == [True, False, True, True, True]
    other_end = [GameResult(("a", "b"), (0.0, 1.0), fingerprint="x"), *block(1, "y")]
    assert differing([blocks[0], other_end]) == [True, True]


def test_what_a_block_is_worth_depends_on_how_often_those_who_met_repeated_themselves() -> None:
    again = [game for number in range(4) for game in block(number, "x", "y")]
    others = [game for number in range(4, 6) for game in block(number, f"{number}", players=("a", "c"))]
    found = evidence_blocks([*again, *others])
    assert [one.worth for one in found] == [0.25] * 4 + [1.0] * 2
    assert [one.fresh for one in found] == [True, False, False, False, True, True]


def test_a_rule_where_games_repeat_does_not_make_those_of_another_worth_less() -> None:
    again = [game for number in range(4) for game in block(number, "x")]
    others = [game for number in range(4, 6) for game in block(number, f"{number}", rule="other")]
    assert [one.worth for one in evidence_blocks([*again, *others])] == [0.25] * 4 + [1.0] * 2


def test_blocks_that_lack_games_are_no_evidence() -> None:
    assert evidence_blocks([GameResult(("a", "b"), (1.0, 0.0), "r", 1, block_size=2, fingerprint="x")]) == []


@pytest.mark.parametrize(
    ("fresh", "part"),
    [
        ([], 1.0),
        ([True], 1.0),
        ([True, False], 0.0),
        ([True, False, False, False, False], 0.0),
        ([True, True, False, True], 0.5),
        ([True] * 100, 1.0),
        ([True] * 100 + [False] * 10, 0.5),
        ([True] * 100 + [False] * 20, 0.0),
    ],
)
def test_the_latest_blocks_tell_whether_more_games_are_new(fresh: list[bool], part: float) -> None:
    assert fresh_part(fresh) == part
