"""On the way down: what makes a move be chosen."""

from math import log, sqrt

import numpy as np
import pytest
from support.compiled_trees import MATRIX, WIDE, never, searched, searching

from ggtp.search.mcts.compiled import layout
from ggtp.search.mcts.compiled.search import CompiledSearch
from ggtp.search.mcts.options import Settings, considered, softened
from ggtp.search.tree import statistics
from ggtp.search.tree.policy import UCT
from ggtp.search.tree.rave import Rave


def visits(search: CompiledSearch) -> list[int]:
    return sorted((int(choice.visits) for choice in search.decision(search.players[0]).choices), reverse=True)


def test_without_exploration_one_move_has_nearly_all_visits_and_with_much_all_have_some() -> None:
    greedy = visits(searched("connect3", exploration=0.0, first_play=None, solver=False))
    curious = visits(searched("connect3", exploration=20.0, solver=False))
    assert greedy[0] > 0.7 * sum(greedy)
    assert curious[-1] > 0.15 * sum(curious)


def test_a_move_never_tried_waits_where_its_urgency_is_low() -> None:
    eager = searched(WIDE, playouts=3000, first_play=1.1, solver=False, leaf=1, batch=1)
    patient = searched(WIDE, playouts=3000, first_play=0.0, exploration=0.1, solver=False, leaf=1, batch=1)
    assert sum(count > 0 for count in visits(eager)) == 100
    assert sum(count > 0 for count in visits(patient)) < 100


def bounds_at(search: CompiledSearch, settings: Settings) -> list[float]:
    """What the policy of trees over positions says of the moves at the root, one leaf after the other."""
    tree, root = search.tree, search.root
    assert tree is not None
    done, start, scale = tree.node(root, layout.DONE), tree.node(root, layout.FIRST), layout.FULL_GOAL * layout.POINT
    mean = tree.values(root)[tree.node(root, layout.KIND)] if done else 0.5
    first = mean if settings.first_play is None else settings.first_play
    choices = []
    for number, edge in enumerate(tree.edges(root), start):
        known = statistics.Edge()
        known.visits, known.total = edge.visits, edge.value * edge.visits
        if settings.rave:
            known.rave_visits = int(tree._raves.view(np.int32)[4 * number])
            known.rave_total = int(tree._raves[2 * number + 1]) / scale
        choices.append((number, known))
    bonus = settings.exploration * sqrt(log(done + 1))
    return settings.selection.scores(choices, first, bonus, (statistics.Node(), 0, []))


@pytest.mark.parametrize(("first", "rave"), [(0.6, 0), (None, 0), (0.6, 30), (None, 1000)])
def test_visits_are_those_of_the_equation(first: float | None, rave: int) -> None:
    """One leaf after the other, as settings are where nobody says anything: each time the highest bound is taken.

    With RAVE the weight shifts from games in which a move was made later to its own, as visits grow.
    """
    exploration = Settings().exploration
    search = searching(
        "connect3", batch=1, leaf=1, exploration=exploration, first_play=first, solver=False, transpositions=False,
        selection=Rave(rave) if rave else UCT,
    )  # fmt: skip
    tree, root = search.tree, search.root
    assert tree is not None
    for done in range(400):
        edges = list(tree.edges(root))
        bounds = bounds_at(search, search.settings)
        assert search.workers[0].search(1) == 1
        assert tree.node(root, layout.DONE) == done + 1
        chosen = [now.visits - before.visits for before, now in zip(edges, tree.edges(root), strict=True)].index(1)
        assert bounds[chosen] == pytest.approx(max(bounds), rel=1e-9)
    tried = [edge.visits > 0 for edge in tree.edges(root)]
    assert all(tried) or (rave and sum(tried) > 1)


def test_chance_that_has_nothing_to_do_does_not_lower_the_mean_of_joint_moves() -> None:
    """What was never tried is as good as the rest, as far as is known: so each has its turn."""
    counts = []
    for text in (MATRIX, MATRIX + "(role random) (legal random wait) (goal random 0)"):
        search = searching(text, batch=1, leaf=1, exploration=0.05, first_play=None, solver=False)
        for _ in range(40):
            search.workers[0].search(1)
        tree = search.tree
        assert tree is not None
        counts.append([edge.visits for edge in tree.edges(search.root)])
    assert min(counts[0]) >= 8
    assert min(counts[1]) >= 8


def test_widening_looks_at_few_moves_first_and_at_more_later() -> None:
    few = searched(WIDE, playouts=30, widening=2, solver=False, leaf=1)
    more = searched(WIDE, playouts=1500, widening=2, solver=False, leaf=1)
    for search in (few, more):
        assert search.tree is not None
        begun = search.tree.node(search.root, layout.BEGUN)
        tried = sum(count > 0 for count in visits(search))
        assert 1 < tried <= considered(begun, 100, 2)
    assert sum(count > 0 for count in visits(few)) < sum(count > 0 for count in visits(more)) < 100


def test_leaves_of_a_batch_differ() -> None:
    """What has begun counts as visited, so that a batch is spread over the tree."""
    search = searching("connect3", batch=64, leaf=1, playouts=600)
    search.run(never)
    worker = search.workers[0]
    leaves = worker.buffer("LEAVES", 2 * 32)
    assert len(set(leaves[:32])) > 16
    assert all(begun == done for begun, done in begun_and_done(search))


def begun_and_done(search: CompiledSearch) -> list[tuple[int, int]]:
    tree = search.tree
    assert tree is not None
    halves = np.asarray(tree._edge_halves).reshape(-1, layout.EDGE_HALVES)[: tree.get("EDGE_COUNT")]
    return [(int(edge[layout.EDGE_BEGUN]), int(edge[layout.EDGE_DONE])) for edge in halves]


def test_the_soft_virtual_loss_of_one_thread_in_a_batch_of_one_is_that_of_the_paper() -> None:
    assert softened(1.0, 3) == 0.5
    search = searching("connect3", batch=1, leaf=1, playouts=1)
    worker, tree = search.workers[0], search.tree
    assert tree is not None
    first = tree.node(search.root, layout.FIRST)
    record = np.asarray(tree._edge_halves).reshape(-1, layout.EDGE_HALVES)
    totals = np.asarray(tree._edges).reshape(-1, layout.EDGE_WORDS)
    head = 2 * search.root * tree.stride
    count = tree.node(search.root, layout.COUNT)
    scale = layout.FULL_GOAL * layout.POINT
    for number in range(count):
        record[first + number, [layout.EDGE_DONE, layout.EDGE_BEGUN]] = 10, 10
        totals[first + number, layout.EDGE_VALUE] = 4 * scale
    tree._node_halves[head + layout.BEGUN] = tree._node_halves[head + layout.DONE] = 10 * count
    totals[first, layout.EDGE_VALUE] = 9 * scale
    tree.set("LIMIT", 1)
    assert worker.search(1) == 1
    assert tree.edge(first).visits == 11  # the best one
    # Three others are below it now: its bound is halved, and another is chosen.
    record[first, layout.EDGE_BEGUN] += 3
    tree._node_halves[head + layout.BEGUN] += 3
    tree.set("LIMIT", 0)
    assert worker.search(1) == 1
    assert tree.edge(first).visits == 11
