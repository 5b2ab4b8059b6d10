"""Values, levels and the rule about risks."""

import pytest

from ggtp.search.minimax.plan import (
    BOTTOM,
    PROVEN,
    WIN,
    Finding,
    Plan,
    View,
    from_node,
    points_of_value,
    takes_risk,
    to_node,
    value_of_points,
)


def test_levels() -> None:
    assert list(Plan(depth=3).levels()) == [1, 2, 3]
    assert list(Plan(depth=3, deepening=False).levels()) == [3]
    assert Plan().levels()[-1] == BOTTOM


def test_the_extension_falls_off_down_the_list() -> None:
    plan = Plan(extension=3)
    assert [plan.extra(rank, 3) for rank in range(6)] == [3, 2, 1, 0, 0, 0]
    assert [plan.extra(rank, 1) for rank in range(6)] == [1, 1, 1, 0, 0, 0], "no more than its place has"
    assert Plan(extension=0).extra(0, 0) == 0


@pytest.mark.parametrize(
    ("value", "sure", "points"),
    [
        (WIN - 7, False, 100),
        (3 - WIN, True, 0),
        (0, True, 50),
        (50_000 - 2, True, 75),
        (50_000 - 2, False, 74.999),
        (120, False, 50.06),
    ],
)
def test_values_are_on_a_scale_of_a_hundred(value, sure, points):
    assert points_of_value(value, sure) == pytest.approx(points)


def test_points_as_values() -> None:
    assert [value_of_points(points) for points in (0, 25, 50, 100)] == [-WIN, -WIN // 2, 0, WIN]


@pytest.mark.parametrize("value", [WIN - 9, 0, 40_000, -WIN + 9])
def test_values_count_moves_from_where_they_are_kept(value):
    assert from_node(to_node(value, 5), 5) == value
    assert abs(from_node(to_node(value, 5), 7)) <= abs(value), "what is farther away counts for less"


def test_a_heuristic_has_to_be_thirty_points_better_than_what_is_known() -> None:
    known = value_of_points(50)
    assert not takes_risk(known, value_of_points(79.9), 30)
    assert takes_risk(known, value_of_points(80), 30)
    assert takes_risk(known, value_of_points(60), 10)
    assert not takes_risk(known, value_of_points(99), None), "never"


def test_nothing_is_worse_than_the_worst_and_better_than_the_best() -> None:
    assert takes_risk(-WIN + 4, value_of_points(1), 30)
    assert takes_risk(-WIN + 4, value_of_points(1), None)
    assert not takes_risk(PROVEN + 1, value_of_points(99), 0)


def test_a_plan_for_another_view() -> None:
    assert Plan(depth=4).against(View.SELFISH) == Plan(view=View.SELFISH, depth=4)


def test_a_finding_is_shown_with_four_digits() -> None:
    assert Finding("a", 56.78912, 3, 100, False).value == "56.79"
    assert Finding("a", 100.0, 3, 100, True).value == "100"
