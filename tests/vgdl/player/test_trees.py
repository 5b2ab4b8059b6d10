"""The machine code of the tree search: its chance, its way to a target, its choice among actions."""

from math import log, sqrt

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="the compiler is not installed")

from support.hybrid import start

from ggtp.search.tree.policy import UCT, most_urgent
from ggtp.search.tree.statistics import Edge, Node
from ggtp.vgdl.kernel.model import State
from ggtp.vgdl.language.vocabulary import Action
from ggtp.vgdl.player import trees as t
from ggtp.vgdl.player.foresight import H_STEP, HINTS

ACTIONS = np.array([Action.LEFT, Action.RIGHT, Action.DOWN, Action.UP, Action.NIL], np.int32)


def meta():
    found = np.zeros(t.TREE, np.int64)
    found[t.T_DRAW], found[t.T_KIND] = 12345, -1
    return found


def hints():
    found = np.zeros(HINTS, np.int32)
    found[H_STEP] = 10
    return found


def test_what_is_drawn_is_spread() -> None:
    state = meta()
    drawn = [t.draw(state, 5) for _ in range(500)]
    assert set(drawn) == set(range(5))
    assert max(drawn.count(number) for number in range(5)) < 160


def greedy(state: State, field: list[float]) -> int:
    goal = search()._replace(field=np.array(field, np.float64))
    return int(t.greedy(state.numbers, state.model.ints, hints(), goal))


def test_greedy_goes_down_the_field() -> None:
    state = start("... .A. ...")
    inf = float("inf")
    assert ACTIONS[greedy(state, [9, 9, 9, 1, 5, 9, 9, 9, 9])] == Action.LEFT
    assert ACTIONS[greedy(state, [9, 9, 9, 9, 5, 9, 9, 0, 9])] == Action.DOWN
    assert greedy(state, [inf] * 9) == -1


def tree() -> t.Tree:
    return t.Tree(np.zeros(8, np.int32), np.zeros(8), np.zeros(48, np.int32), np.zeros(48), np.zeros(4, np.int32))


def search(explore: float = 0.5, priors: bool = True) -> t.Search:
    weights = np.zeros(t.WEIGHTS)
    weights[t.W_OUTCOME], weights[t.W_EXPLORE] = 1000.0, explore
    state = meta()
    state[t.T_PRIORS] = priors
    return t.Search(ACTIONS, state, np.zeros(1), weights)


def test_an_action_that_was_never_tried_counts_by_its_prior() -> None:
    made, goal = tree(), search()
    made.prior[:5] = [0.2, 0.3, 0.9, 0.1, 0.5]
    assert t.select(goal, made, 0, 0b11111) == 2
    assert t.select(goal, made, 0, 0b01011) == 1
    # What was tried counts by what came of it.
    made.child[2], made.visits[1], made.total[1] = 1, 10, -500.0
    made.child[4], made.visits[2], made.total[2] = 2, 10, 100.0
    assert t.select(goal, made, 0, 0b10100) == 4


def test_without_priors_what_was_never_tried_comes_first() -> None:
    made = tree()
    made.child[0], made.visits[1], made.total[1] = 1, 10, 1000.0
    made.prior[:5] = [0.0, 0.0, 0.0, 0.0, 0.0]
    assert {t.select(search(priors=False), made, 0, 0b00011) for _ in range(20)} == {1}


@pytest.mark.parametrize("explore", [0.1, 0.7, 3.0])
def test_it_chooses_as_ucb1_does_among_scaled_values(explore: float) -> None:
    """The plain formula is that of trees of objects; an action without visits has its prior as first value."""
    rng = np.random.default_rng(7)
    chosen = set()
    for _ in range(300):
        made = tree()
        made.prior[:5] = rng.random(5)
        counts, means = rng.integers(0, 40, 5), rng.uniform(-400, 900, 5)
        counts[:2] += 1
        tried = counts > 0
        low, high = means[tried].min(), means[tried].max()
        bonus = explore * sqrt(log(counts.sum() + 1))
        scores = []
        for place in range(5):
            edge = Edge()
            if tried[place]:
                node = place + 1
                made.child[place], made.visits[node] = node, counts[place]
                made.total[node] = counts[place] * means[place]
                edge.visits = int(counts[place])
                edge.total = counts[place] * (means[place] - low) / (high - low)
            scores += UCT.scores([("", edge)], made.prior[place], bonus, (Node(), 0, []))
        expected = most_urgent(scores)
        assert t.select(search(explore), made, 0, 0b11111) == expected
        chosen.add(expected)
    assert len(chosen) == 5


def test_an_action_that_loses_does_not_narrow_the_scale_of_the_others() -> None:
    made = tree()
    for place, mean in enumerate((100.0, 60.0, -1000.0)):
        made.child[place], made.visits[place + 1], made.total[place + 1] = place + 1, 10, 10 * mean
    made.visits[2], made.total[2] = 5, 300.0
    # From 60 to 100 the worse of two is at 0, where its fewer visits can't help; from -1000 on they would be alike.
    assert t.select(search(0.5), made, 0, 0b00111) == 0


def test_a_dead_avatar_is_a_loss() -> None:
    state = start("www wAw www")
    assert not t.lost(state.numbers)
    dead = start("wwww wAtw wwww")
    dead.advance(Action.RIGHT)
    assert t.lost(dead.numbers)
