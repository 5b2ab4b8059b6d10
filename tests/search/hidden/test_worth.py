"""What results are worth in games with secrets, and positions of which the rule can tell."""

import pytest
from support.small_secrets import COIN, ME, PLAYERS, WALK, YOU

from ggtp.game import Result, Standing
from ggtp.search.hidden.options import POINTS, WIN
from ggtp.search.hidden.worth import Horizon, worth
from ggtp.search.playouts.loop import LONGEST


def test_points_count_or_who_has_won() -> None:
    result = Result({ME: Standing.WIN, YOU: Standing.LOSS}, {ME: 7, YOU: -7})
    assert worth(result, PLAYERS, POINTS) == pytest.approx([7, -7], abs=0.01)
    assert worth(result, PLAYERS, WIN) == [100, 0]
    assert worth(Result(dict.fromkeys(PLAYERS, Standing.DRAW)), PLAYERS, POINTS) == [50, 50]


def test_between_equal_points_it_counts_who_has_won() -> None:
    lost = Result({ME: Standing.LOSS, YOU: Standing.WIN}, {ME: 0, YOU: 0})
    won = Result({ME: Standing.WIN, YOU: Standing.LOSS}, {ME: 0, YOU: 0})
    more = Result({ME: Standing.LOSS, YOU: Standing.WIN}, {ME: 1, YOU: 0})
    assert worth(lost, PLAYERS, POINTS)[0] < worth(won, PLAYERS, POINTS)[0] < worth(more, PLAYERS, POINTS)[0]


def test_playouts_go_on_to_the_horizon_where_the_rule_estimates_or_to_the_depth_that_was_set() -> None:
    assert Horizon(PLAYERS, 3, 0).depth(WALK.begin({})) == 3
    assert Horizon(PLAYERS, 3, 0).depth(COIN.begin({})) == LONGEST
    assert Horizon(PLAYERS, 3, 8).depth(COIN.begin({})) == 8


def test_a_position_is_worth_what_the_rule_says_to_each() -> None:
    up = WALK.begin({}).play({ME: "up"}).position
    assert Horizon(PLAYERS, 3, 0).values(up) == [1, -1]
    assert Horizon(PLAYERS, 3, 0).values(COIN.begin({})) is None
