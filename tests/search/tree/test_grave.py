"""GRAVE: which node is asked for moves made later, and how they count."""

import random
from dataclasses import replace
from math import log, sqrt

import pytest
from support.small_trees import HOARD, Hoard

from ggtp.catalogue import Catalogue
from ggtp.search.mcts.options import DECOUPLED, JOINT, Settings
from ggtp.search.mcts.positions import tree
from ggtp.search.mcts.positions.search import PositionSearch
from ggtp.search.tree.grave import Grave, grave_weight, reference
from ggtp.search.tree.policies import tree_options, tree_policy
from ggtp.search.tree.policy import UCT, TreePolicy
from ggtp.search.tree.rave import Rave
from ggtp.search.tree.statistics import Edge, Node

BONUS = 0.4 * sqrt(log(101))


def edge(visits: int, mean: float) -> Edge:
    made = Edge()
    made.visits, made.total = visits, visits * mean
    return made


def node(visits: int, **kept: tuple[int, float]) -> Node:
    """A node that knows of moves of the first player in how many playouts they were made later, and their mean."""
    made = Node()
    made.visits = visits
    made.kept = {(0, move): [count, count * mean] for move, (count, mean) in kept.items()}
    return made


def test_the_weight_is_that_of_the_paper() -> None:
    assert grave_weight(0, 7, 0.1) == 1
    assert grave_weight(30, 60, 0.0) == pytest.approx(60 / 90)
    assert grave_weight(30, 60, 0.01) == pytest.approx(60 / (60 + 30 + 0.01 * 60 * 30))
    assert grave_weight(10**6, 10**9, 1e-5) < 0.1


def test_the_nearest_node_with_enough_playouts_is_asked() -> None:
    root, above, here = (node(visits, a=(1, 0.5)) for visits in (100, 50, 20))
    path = [(root, "edge"), (above, "edge")]
    asked = {ref: reference((here, 0, path), ref) for ref in (20, 21, 50, 51, 100, 101)}
    assert asked == {20: here, 21: above, 50: above, 51: root, 100: root, 101: root}
    assert reference((here, 0, []), 50) is here, "which is the root"
    here.kept = above.kept = None
    assert reference((here, 0, path), 1) is root, "where no move was kept, nothing is known"


def test_both_bounds_are_mixed_by_the_weight() -> None:
    known = [("a", edge(20, 0.3)), ("b", edge(0, 0.0)), ("c", edge(80, 0.4)), ("d", edge(0, 0.0))]
    root, here = node(300, a=(60, 0.9), b=(60, 0.2)), node(10, a=(5, 0.1), c=(5, 0.1))
    place = (here, 0, [(root,)])
    plain = UCT.scores(known, 0.5, BONUS, place)
    found = Grave(100, 0.01).scores(known, 0.5, BONUS, place)
    weight = grave_weight(20, 60, 0.01)
    assert found[0] == pytest.approx(weight * (0.9 + BONUS / sqrt(60)) + (1 - weight) * plain[0])
    assert found[1] == pytest.approx(0.2 + BONUS / sqrt(60))
    assert found[2:] == plain[2:], "the root knows nothing of them"
    near = Grave(10, 0.01).scores(known, 0.5, BONUS, place)
    assert near[2] != plain[2]
    assert [near[1], near[3]] == [plain[1], plain[3]]
    exact = Grave(100, 0.01).scores(known, 0.5, 0.0, place)
    assert exact[0] == pytest.approx(weight * 0.9 + (1 - weight) * 0.3), "the paper's formula"


def test_only_the_moves_of_the_player_who_chooses_count() -> None:
    known = [("a", edge(20, 0.3))]
    root = node(300, a=(60, 0.9))
    for seat in (1, None):
        place = (root, seat, list[tuple[Node]]())
        assert Grave(1).scores(known, 0.5, BONUS, place) == UCT.scores(known, 0.5, BONUS, place)


def test_all_moves_of_a_playout_are_kept_and_not_only_those_possible_here() -> None:
    policy, here = Grave(5), Node()
    assert policy.learn(here, {0: {"a": edge(1, 1.0)}}, [{"a", "z"}, {"b"}], [0.25, 0.75]) == 3
    assert policy.learn(here, {0: {"a": edge(1, 1.0)}}, [{"a"}, {"b", "a"}], [1.0, 0.0]) == 1
    assert here.kept == {(0, "a"): [2, 1.25], (0, "z"): [1, 0.25], (1, "b"): [2, 0.75], (1, "a"): [1, 0.0]}


def test_widening_begins_with_what_was_good_later() -> None:
    place = (node(10, a=(5, 0.9), c=(5, 0.1)), 0, list[tuple[Node]]())
    promised = [Grave(5).promise((move, edge(0, 0.0)), place) for move in "abc"]
    assert promised == pytest.approx([0.9, 0.5, 0.1])


def searched(rule: str, playouts: int, options: dict[str, str] | None = None, **settings: object) -> PositionSearch:
    rules = Catalogue.from_environment({}).find_rules(rule)
    values = rules.complete(options or {})
    made = Settings(seconds=None, playouts=playouts, **settings)  # type: ignore[arg-type]
    search = PositionSearch(rules, values, made, random.Random(1))
    search.begin(rules.begin(values))
    search.run(lambda: False)
    return search


def all_nodes(search: PositionSearch) -> list[tree.Node]:
    return search._table._reachable(search.root, 0)


@pytest.mark.parametrize(
    ("rule", "options", "simultaneous"),
    [
        ("TicTacToe", {}, JOINT),
        ("ConnectFour", {}, JOINT),
        ("Skirmish", {"ticks": "10"}, JOINT),
        ("Skirmish", {"ticks": "10"}, DECOUPLED),
    ],
)
def test_a_search_teaches_it_every_playout(rule: str, options: dict[str, str], simultaneous: str) -> None:
    search = searched(rule, 80, options, selection=Grave(20), solver=False, simultaneous=simultaneous)
    root = search.root
    assert root.kept
    assert {seat for seat, _ in root.kept} == {0, 1}, "moves of both, at every node"
    assert max(count for count, _ in root.kept.values()) <= 80, "a playout counts once, however often a move was made"
    for seat in (0, 1):
        assert sum(count for (who, _), (count, _) in root.kept.items() if who == seat) >= 80
    for each in all_nodes(search):
        assert all(count <= each.visits for count, _ in (each.kept or {}).values())
    assert search._table.used == sum(each.bytes() for each in all_nodes(search))


def test_what_is_kept_stays_below_the_ceiling_of_memory() -> None:
    search = searched("ConnectFour", 1_500, selection=Grave(20), megabytes=1, solver=False)
    plain = searched("ConnectFour", 1_500, selection=UCT, megabytes=1, solver=False)
    assert search.root.visits == 1_500
    assert search._table.used <= search._table.ceiling
    assert sum(each.bytes() for each in all_nodes(search)) <= search._table.ceiling
    assert len(all_nodes(search)) < 0.7 * len(all_nodes(plain)), "it takes what nodes would have had"


def test_what_was_learned_is_kept_between_moves_and_not_by_another_policy() -> None:
    search = searched("ConnectFour", 300, selection=Grave(20), solver=False)
    start = search._position
    assert start is not None
    best = max(search.root.edges, key=lambda move: search.root.edges[move].visits)
    assert isinstance(best, str)
    after = start.play({"Yellow": best}).position
    search.begin(after)
    assert search.root.kept
    learned = dict(search.root.kept)
    search.begin(after, replace(search.settings, selection=Grave(50)))
    assert search.root.kept is None
    search.run(lambda: False)
    assert search.root.kept
    assert search.root.kept != learned


def test_moves_that_are_good_whenever_they_are_made_are_found_below_the_root_too() -> None:
    """Of thirty things three rings win. Behind the first move nodes have few visits, and the root has many."""
    shares: dict[TreePolicy, float] = {}
    for selection in (UCT, Rave(50), Grave(50)):
        found = tried = 0
        for seed in range(3):
            settings = Settings(seconds=None, playouts=200, selection=selection, solver=False)
            search = PositionSearch(HOARD, {}, settings, random.Random(seed))
            search.begin(HOARD.begin({}))
            search.run(lambda: False)
            for each in all_nodes(search)[1:]:
                for move, known in each.edges.items():
                    tried += known.visits
                    found += known.visits * (move in Hoard.rings)
        shares[selection] = found / tried
    assert shares[UCT] < 0.2
    assert shares[Grave(50)] > 1.4 * shares[Rave(50)]


def test_it_is_wanted_where_the_playouts_are_not_0() -> None:
    off = {option.name: option.default for option in tree_options()}
    assert tree_policy(off) is UCT
    assert tree_policy({**off, "Grave": "30"}) == Grave(30)
    assert tree_policy({**off, "Grave": "30", "GraveBias": "500"}) == Grave(30, 0.0005)
    assert tree_policy({**off, "Grave": "30", "Rave": "20"}) == Grave(30), "of two that are wanted the last"
    assert not Grave.machine_code


def test_equal_seeds_make_equal_searches() -> None:
    first, second = (searched("ConnectFour", 60, selection=Grave(20)).decision("Yellow").choices for _ in range(2))
    assert first == second
