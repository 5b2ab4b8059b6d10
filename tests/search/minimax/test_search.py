"""The search against judges that look at everything, in trees that are written out."""

import random
from itertools import product

import pytest
from support.trees import CHANCE, TreeWalk, everybody, random_tree, worst_case

from ggtp.search.cache import Cache
from ggtp.search.minimax.plan import ENDLESS, POINT, OutOfTime, Plan, View, points_of_value
from ggtp.search.minimax.search import Best, MaxN


def searching(tree, plan, me=0, players=2, kind=Best, cache=None, should_stop=lambda: False, **kwargs):
    cache = Cache(1 << 24) if cache is None else cache
    return kind(TreeWalk(tree, **kwargs), plan, me, players, cache, (), 2.0, should_stop)


def value(search, depth=20, extra=0):
    return search.child(depth, extra, -ENDLESS, ENDLESS, 0)


EVERY = [
    Plan(pruning=pruning, ordering=ordering, caching=caching, extension=extension)
    for pruning, ordering, caching, extension in product((True, False), (True, False), (True, False), (0, 2))
]


@pytest.mark.parametrize("plan", EVERY)
def test_two_opposed_players_get_what_the_judge_says_whatever_is_used(plan):
    rng = random.Random(1)
    for _ in range(40):
        tree = random_tree(rng, 2, 5, opposed=True)
        for me in (0, 1):
            search = searching(tree, plan, me)
            (found,) = value(search)
            assert points_of_value(found, True) == worst_case(tree, me)
            assert not search.uncertain


@pytest.mark.parametrize("mover", [0, 1])
@pytest.mark.parametrize("ordering", [True, False])
def test_who_can_win_at_once_looks_no_further(mover, ordering):
    """And knows it for sure, though nothing is known of what else could be done."""
    won = (100, 0) if mover == 0 else (0, 100)
    unknown = random_tree(random.Random(4), 2, 6, opposed=True)
    tree = [mover, won, *[unknown] * 3] if ordering is False else [mover, unknown, won, unknown]
    search = searching(tree, Plan(ordering=ordering))
    (found,) = value(search, depth=2)
    assert points_of_value(found, True) == won[0]
    assert not search.uncertain
    below = {steps for steps in search.walk.visited if len(steps) > 1}
    assert not below
    thorough = searching(tree, Plan(ordering=ordering, pruning=False))
    value(thorough, depth=2)
    assert any(len(steps) > 1 for steps in thorough.walk.visited)


@pytest.mark.parametrize("plan", EVERY)
@pytest.mark.parametrize("players", [1, 3])
def test_the_paranoid_and_the_lonely(plan, players):
    rng = random.Random(2)
    view = View.ALONE if players == 1 else View.PARANOID
    for _ in range(30):
        tree = random_tree(rng, players, 5)
        (found,) = value(searching(tree, plan.against(view), 0, players))
        assert points_of_value(found, True) == worst_case(tree, 0)


@pytest.mark.parametrize("plan", EVERY)
def test_chance_is_averaged(plan):
    rng = random.Random(3)
    for _ in range(30):
        tree = random_tree(rng, 2, 5, chance=0.4, opposed=True)
        (found,) = value(searching(tree, plan, 0))
        assert points_of_value(found, False) == pytest.approx(worst_case(tree, 0), abs=0.02)


@pytest.mark.parametrize("plan", EVERY)
@pytest.mark.parametrize("chance", [0.0, 0.3])
def test_everybody_for_themselves(plan, chance):
    # Scores that are not equal, so that only one outcome is right.
    rng = random.Random(4)
    for _ in range(30):
        tree = random_tree(rng, 3, 4, chance, scores=range(1, 100))
        found = value(searching(tree, plan.against(View.SELFISH), 1, 3, MaxN))
        expected = everybody(tree, 1)
        assert [points_of_value(points, False) for points in found] == pytest.approx(expected, abs=0.02)


def test_the_selfish_is_not_the_paranoid() -> None:
    """The others need not hurt us where they gain nothing by it."""
    tree = [0, [1, (90, 60, 0), (10, 40, 0)], (50, 0, 0)]
    (worst,) = value(searching(tree, Plan(view=View.PARANOID), 0, 3))
    assert points_of_value(worst, True) == 50
    found = value(searching(tree, Plan(view=View.SELFISH), 0, 3, MaxN))
    assert points_of_value(found[0], True) == 90


def test_pruning_leaves_out_what_cannot_matter() -> None:
    rng = random.Random(5)
    with_it = without = 0
    for _ in range(10):
        tree = random_tree(rng, 2, 7, opposed=True)
        counted = []
        for pruning in (True, False):
            search = searching(tree, Plan(pruning=pruning, extension=0, caching=False))
            value(search)
            counted.append(search.nodes)
        assert counted[0] <= counted[1]
        with_it, without = with_it + counted[0], without + counted[1]
    assert with_it < without / 2


def test_max_n_stops_where_there_is_nothing_more_to_have() -> None:
    tree = [0, (100, 0, 0), (30, 30, 30), (20, 80, 0)]
    for pruning, nodes in ((True, 2), (False, 4)):
        search = searching(tree, Plan(view=View.SELFISH, pruning=pruning, ordering=False), 0, 3, MaxN)
        value(search)
        assert search.nodes == nodes


def test_ordering_finds_the_cut_sooner() -> None:
    """A win that stands last is looked at first."""
    tree = [0, [1, *[(50, 50)] * 6], [1, *[(50, 50)] * 6], (100, 0)]
    counted = {}
    for ordering in (True, False):
        search = searching(tree, Plan(ordering=ordering, extension=1, novelty=False))
        search.child(2, 0, -ENDLESS, 60 * POINT, 0)
        counted[ordering] = sum(len(path) == 2 for path in search.walk.visited)
    assert counted[True] == 0 < counted[False]


def test_what_was_best_is_tried_first_again() -> None:
    tree = [0, [1, (0, 100), (50, 50)], [1, (60, 40), (70, 30)], [1, (10, 90)]]
    cache = Cache(1 << 20)
    plan = Plan(extension=0)
    value(searching(tree, plan, cache=cache), depth=3)
    entry = cache.find(())
    assert entry is not None
    assert entry[4] == 1
    again = searching(tree, plan, cache=cache)
    assert list(again.ordered(range(3), 0, 1, entry[4])) == [1, 0, 2]


def test_the_most_promising_is_searched_deeper_and_the_next_a_little_less() -> None:
    """Chains of forced moves: how deep each of four is followed, with a limit of two levels and three more."""

    def chain(length):
        return (50, 50) if length == 0 else [1, chain(length - 1)]

    tree = [0, *[chain(12)] * 4]
    search = searching(tree, Plan(extension=3, ordering=False, caching=False))
    search.child(2, 3, -ENDLESS, ENDLESS, 0)
    deepest = [max(len(path) for path in search.walk.visited if path[0] == first) for first in range(4)]
    assert deepest == [5, 4, 3, 2]
    plain = searching(tree, Plan(extension=0, ordering=False, caching=False))
    plain.child(2, 0, -ENDLESS, ENDLESS, 0)
    assert max(map(len, plain.walk.visited)) == 2


def test_the_children_are_sorted_by_how_they_look_to_whoever_moves() -> None:
    goals = {(0,): (20, 80), (1,): (80, 20), (2,): (50, 50)}
    far = [0, (50, 50), (50, 50)]
    plan = Plan(mobility=False, novelty=False)
    for mover, order in ((0, [1, 2, 0]), (1, [0, 2, 1])):
        search = searching([mover, far, far, far], plan, goals=goals)
        assert list(search.ordered(range(3), mover, 2, None)) == order


def test_what_is_known_need_not_be_searched_again() -> None:
    tree = random_tree(random.Random(6), 2, 6, opposed=True)
    cache = Cache(1 << 24)
    first = searching(tree, Plan(), cache=cache)
    again = searching(tree, Plan(), cache=cache)
    assert value(first) == value(again)
    assert again.nodes == 1 < first.nodes


def test_what_was_searched_less_deep_is_searched_again() -> None:
    tree = random_tree(random.Random(7), 2, 6, opposed=True)
    cache = Cache(1 << 24)
    value(searching(tree, Plan(), cache=cache), depth=2)
    deeper = searching(tree, Plan(), cache=cache)
    assert points_of_value(*value(deeper), True) == worst_case(tree, 0)  # type: ignore[call-arg]
    assert not deeper.uncertain


def test_a_win_that_comes_sooner_and_a_loss_that_comes_later() -> None:
    tree = [0, [1, [0, (100, 0)]], (100, 0), [1, (100, 0)]]
    search = searching(tree, Plan())
    assert value(search) == (100 * POINT - 1,)
    assert search.cache.find(())[4] == 1
    lost = searching([0, (0, 100), [1, (0, 100)]], Plan())
    assert value(lost) == (2 - 100 * POINT,)


def leaf_value(plan, me=0, goals=None, tree=None):
    search = searching(tree or [0, (50, 50), (50, 50), (50, 50)], plan, me, goals={(): goals} if goals else None)
    (found,) = value(search, depth=0)
    assert search.uncertain
    return points_of_value(found, False)


def test_mobility_is_part_of_the_heuristic() -> None:
    """Three moves for the player at turn, and two, which is usual, for the other."""
    plan = Plan(novelty=False, proximity=False)
    assert leaf_value(plan) == pytest.approx(60)
    assert leaf_value(plan, me=1) == pytest.approx(40)
    assert leaf_value(Plan(mobility=False, novelty=False, proximity=False)) == 50


def test_novelty_is_part_of_the_heuristic() -> None:
    plan = Plan(mobility=False, proximity=False)
    near = searching([0, [0, (50, 50)]], plan)
    near.walk.key = lambda: ()
    far = searching([0, [0, (50, 50)]], plan)
    far.walk.key = lambda: (7, 7, 7)
    assert value(near, depth=0) < value(far, depth=0)


def test_both_are_averaged() -> None:
    both = leaf_value(Plan(proximity=False))
    parts = [leaf_value(Plan(novelty=False, proximity=False)), leaf_value(Plan(mobility=False, proximity=False))]
    assert parts == [pytest.approx(60), pytest.approx(40)], "nothing is new here"
    assert both == pytest.approx((60 + 40) / 2)


def test_goals_before_the_end_are_part_of_the_heuristic() -> None:
    assert leaf_value(Plan(mobility=False, novelty=False), goals=(70, 30)) == 70
    assert leaf_value(Plan(mobility=False, novelty=False), me=1, goals=(70, 30)) == 30
    assert leaf_value(Plan(mobility=False, novelty=False, proximity=False), goals=(70, 30)) == 50


def test_it_stops_when_it_is_told() -> None:
    tree = random_tree(random.Random(8), 2, 7, opposed=True)
    asked = []

    def should_stop():
        asked.append(1)
        return len(asked) > 20

    search = searching(tree, Plan(), should_stop=should_stop)
    with pytest.raises(OutOfTime):
        value(search)
    assert len(asked) == 21
    assert search.nodes == 20


def test_the_line_is_what_was_found() -> None:
    tree = [0, [1, (0, 100), [0, (100, 0), (50, 50)]], [1, [0, (60, 40), (90, 10)], (75, 25)]]
    search = searching(tree, Plan())
    value(search)
    assert search.line(1, 12) == ("1", "1")
    assert search.line(1, 1) == ("1",)
    assert search.walk.steps == []


def test_a_chance_in_a_cache_is_found_again() -> None:
    tree = [CHANCE, (1, (100, 0)), (3, (0, 100))]
    cache = Cache(1 << 20)
    assert value(searching(tree, Plan(), cache=cache)) == value(searching(tree, Plan(), cache=cache))
    assert cache.hits == 1
