"""Plain UCT in many games: what a search sees, and that a match is fair."""

from __future__ import annotations

import math

import numpy as np
import pytest
from support.compiled_trees import compiled, state_after

from ggtp.gdl.kernel.single import rows
from ggtp.search.features.experiments import Laboratory
from ggtp.search.features.guide import Use, guided_kernel
from ggtp.search.features.learn import Learner
from ggtp.search.features.uct import EXPLORATION, Trees, bounds, match
from ggtp.search.tree.policy import UCT
from ggtp.search.tree.statistics import Edge, Node

GAME = compiled("tictactoe")
LAB = Laboratory(GAME.state_kernel())
KERNEL = GAME.best()


def searched(simulations: int, *states: bytes) -> Trees:
    KERNEL.seed(1)
    trees = Trees(LAB, rows(list(states)), simulations, np.random.default_rng(1), [KERNEL])
    for _ in range(simulations):
        trees.simulate()
    return trees


def name(role: int, move: int) -> str:
    return GAME.network.moves[role][move]


def test_every_move_is_tried_once_before_any_is_tried_again() -> None:
    (first,) = searched(9, state_after(GAME)).visits()
    assert sorted(first.values()) == [1] * 9
    (more,) = searched(5, state_after(GAME)).visits()
    assert sum(more.values()) == len(more) == 5


def test_which_move_is_tried_next_is_a_matter_of_chance() -> None:
    def tried(simulations: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        visits = searched(simulations, *[state_after(GAME)] * 900).visits()
        return np.bincount([move for own in visits for move in own])

    assert [count for count in tried(1).tolist() if count and not 65 <= count <= 135] == []
    assert [count for count in tried(5).tolist() if count and not 440 <= count <= 560] == []


def test_each_position_has_a_tree_of_its_own() -> None:
    win = state_after(GAME, "(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)")
    threat = state_after(GAME, "(mark 1 1)", "(mark 2 1)", "(mark 1 2)")
    trees = searched(300, win, threat, state_after(GAME))
    found = trees.chosen().tolist()
    assert name(0, found[0]) == "(mark 1 3)", "it wins"
    assert name(1, found[1]) == "(mark 1 3)", "it prevents a loss"
    assert name(0, found[2]) in {f"(mark {place})" for place in ("2 2", "1 1", "1 3", "3 1", "3 3")}, "no edge"
    counts = trees.visits()
    assert [sum(own.values()) for own in counts] == [300, 300, 300]
    assert counts[0][found[0]] > 200, "a node that is over is visited again, and has its goal"


def test_a_pair_is_a_game_in_each_role() -> None:
    KERNEL.seed(1)
    told: list[tuple[int, int]] = []
    scores = match(LAB, {0: KERNEL, 1: KERNEL}, KERNEL, 6, 12, 3, lambda *said: told.append(said))
    assert len(scores) == 6
    assert {score for pair in scores for score in pair} <= {0.0, 0.5, 1.0}
    assert told[0] == (0, 12)
    assert 5 <= len(told) <= 9
    KERNEL.seed(1)
    assert match(LAB, {0: KERNEL, 1: KERNEL}, KERNEL, 6, 12, 3) == scores, "all chance comes from the seeds"


@pytest.mark.slow
def test_who_follows_features_wins() -> None:
    game = compiled("breakthrough_small")
    features = Learner(game.state_kernel(), 1).walks(60)
    taught = {role: guided_kernel(game, features, role, Use()) for role in (0, 1)}
    scores = np.array(match(Laboratory(game.state_kernel()), taught, game.best(), 20, 200, 1))
    assert scores.mean() > 0.6


def test_moves_are_scored_as_in_trees_over_positions() -> None:
    total, visits = np.array([[1.0, 3.0, 0.5], [2.0, 2.0, 2.0]]), np.array([[4.0, 5.0, 1.0], [3.0, 4.0, 5.0]])
    trials = visits.sum(axis=1)
    for row, found in enumerate(bounds(total, visits, trials)):
        edges = [Edge() for _ in range(3)]
        for edge, made, results in zip(edges, visits[row], total[row], strict=True):
            edge.visits, edge.total = int(made), results
        bonus = EXPLORATION * math.sqrt(math.log(trials[row]))
        assert found == pytest.approx(UCT.scores(list(enumerate(edges)), 0.5, bonus, (Node(), 0, [])))
